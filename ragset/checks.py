"""Which checks a query and a golden go through, and the presets that name sensible sets of them."""

from typing import Literal

from pydantic import Field

from ragset.settings import ModelSettings, Settings

Use = Literal["off", "label", "filter"]
"""What a check does: nothing; it labels goldens; it rejects those that fail it."""
Preset = Literal["quick", "standard", "thorough"]


class CheckSettings(Settings):
    """Checks beside the rules that are always applied; each costs what docs/checks.md says."""

    judge_chunks: bool = Field(default=True, title="Judge chunks")
    """Ask the critic whether a chunk stands on its own and says something; without, free rules alone decide."""
    score_chunks: bool = Field(default=False, title="Score chunks")
    """Ask the critic for a chunk's clarity, depth, structure and relevance."""
    min_chunk_score: float = Field(default=1.5, ge=1, le=3, title="Least score of a chunk")
    """Mean of the four scores, each 1 to 3, that a scored chunk must reach."""
    judge_queries: bool = Field(default=False, title="Judge queries")
    """Ask the critic whether a drafted query stands on its own with a clear intent; it is rewritten by what it says."""
    max_rewrites: int = Field(default=2, ge=0, le=5, title="Rewrites")
    """Of a query that the critic refuses, before it is rejected."""
    same_query: bool = Field(default=False, title="Notice evolutions that change nothing")
    """Ask the critic whether an evolved query is merely the old one; it is evolved again, at most twice."""
    unevolved: Literal["keep", "reject"] = Field(default="keep", title="Queries that do not evolve")
    """`keep` the simple query, labelled so, or `reject` it."""
    judge_evolutions: bool = Field(default=False, title="Judge evolutions")
    """After every evolution ask the critic whether the query stands alone and its passages answer it."""
    near: float | None = Field(default=0.9, ge=0.5, le=1, title="Near duplicates")
    """Likeness of the words of two queries from which they are the same; empty: only the very same words count."""
    semantic: float | None = Field(default=None, ge=0.5, le=1, title="Duplicates by meaning")
    """Cosine of two queries' embeddings from which they are the same; empty: not looked at."""
    earlier: tuple[str, ...] = Field(default=(), title="Earlier datasets")
    """Folders of datasets whose queries are not to be repeated."""
    round_trip: Use = Field(default="label", title="Round trip")
    """Does a retriever find the evidence by the query? `filter` favours that retriever in a later benchmark."""
    round_trip_by: Literal["bm25", "dense", "hybrid"] = Field(default="bm25", title="Retriever of the round trip")
    """Should be none of those to be compared."""
    round_trip_k: int = Field(default=10, ge=1, le=100, title="Rank of the round trip")
    """The evidence counts as found up to this rank."""
    closed_book: Use = Field(default="off", title="Closed book")
    """Does the model answer without the passage, so well that the critic accepts it?"""
    closed_book_reader: str = Field(default="", max_length=200, title="Reader of the closed book")
    """Name of the model that answers without the passage; empty: the one that writes."""
    holes: bool = Field(default=False, title="Look for holes")
    """Find other passages that answer the query too, and add them as equivalent evidence."""
    pool: int = Field(default=10, ge=1, le=50, title="Pool")
    """Passages from BM25, and as many from dense search, that the critic looks at for holes."""

    def reader(self, generator: ModelSettings) -> ModelSettings:
        """Who answers without the passage; the generator where nobody is named, or nobody is to."""
        if self.closed_book == "off" or not self.closed_book_reader:
            return generator
        return generator.model_copy(update={"model": self.closed_book_reader})


STANDARD = CheckSettings()
_ALL_ON = CheckSettings(
    score_chunks=True,
    judge_queries=True,
    same_query=True,
    judge_evolutions=True,
    semantic=0.95,
    closed_book="label",
    holes=True,
)
PRESETS: dict[Preset, CheckSettings] = {
    "quick": CheckSettings(judge_chunks=False),
    "standard": STANDARD,
    "thorough": _ALL_ON,
}
"""Cheap, sound, and everything."""
