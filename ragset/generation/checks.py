"""The settings of the checks, each with what the presets make of it. What a check does is in `check_stages` and `stages`."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings import ModelSettings, Names, Settings

Use = Literal["off", "label", "filter"]
"""What a check does: nothing; it labels goldens; it rejects those that fail it."""
Preset = Literal["quick", "standard", "thorough"]
"""Cheap, sound, and everything."""


class CheckSettings(Settings):
    """Checks beside the rules that are always applied; each costs what docs/checks.md says."""

    model_config = ConfigDict(title="One by one")

    judge_chunks: bool = Field(default=True, title="Judge chunks")
    """Ask the critic whether a chunk stands on its own and says something; without, free rules alone decide."""
    score_chunks: bool = Field(default=False, title="Score chunks")
    """Ask the critic for a chunk's clarity, depth, structure and relevance."""
    min_chunk_score: float = Field(default=1.5, ge=1, le=3, title="Least score of a chunk")
    """Mean of the four scores, each 1 to 3, that a scored chunk must reach."""
    judge_queries: bool = Field(default=False, title="Judge queries")
    """Ask the critic whether a drafted query stands on its own with a clear intent; it is rewritten by what it says."""
    max_rewrites: int = Field(default=2, ge=0, le=5, title="Rewrites")
    """How often a query that the critic refuses is rewritten before it is rejected."""
    same_query: bool = Field(default=False, title="Notice evolutions that change nothing")
    """Ask the critic whether an evolved query is merely the old one; it is evolved again, at most twice."""
    unevolved: Literal["keep", "reject"] = Field(default="keep", title="Queries that do not evolve")
    """`keep` the simple query, labelled so, or `reject` it."""
    judge_evolutions: bool = Field(default=False, title="Judge evolutions")
    """After every evolution ask the critic whether the query stands alone and its passages answer it."""
    duplicates: Literal["exact", "near", "semantic"] = Field(default="semantic", title="Duplicates")
    """Queries of the `exact` same words; also those that are `near` in letters; also those of the same meaning by their
    embeddings (`semantic`). The better one stays."""
    earlier: Annotated[tuple[str, ...], Names.PATH] = Field(default=(), title="Earlier datasets")
    """Folders of datasets whose queries are not to be repeated."""
    round_trip: Use = Field(default="label", title="Round trip")
    """Does a retriever find the evidence by the query? `filter` favours that retriever in a later benchmark."""
    round_trip_by: Literal["bm25", "dense", "hybrid"] = Field(default="bm25", title="Retriever of the round trip")
    """The retriever that searches; it should be none of those to be compared."""
    round_trip_k: int = Field(default=10, ge=1, le=100, title="Rank of the round trip")
    """The evidence counts as found up to this rank."""
    closed_book: Use = Field(default="off", title="Closed book")
    """Does the model answer without the passage, so well that the critic accepts it?"""
    closed_book_reader: str = Field(default="", max_length=200, title="Reader of the closed book")
    """Name of the model that answers without the passage; empty: the one that writes."""
    holes: bool = Field(default=False, title="Look for unlabelled relevant passages")
    """Find other passages that answer the query too, and add them as equivalent evidence."""
    pool: int = Field(default=10, ge=1, le=50, title="Candidates")
    """Passages from BM25, and as many from dense search, that the critic then judges."""

    def reader(self, generator: ModelSettings) -> ModelSettings:
        """The model that answers without the passage: the generator, unless another is named and the check is on."""
        if self.closed_book == "off" or not self.closed_book_reader:
            return generator
        return generator.model_copy(update={"model": self.closed_book_reader})


STANDARD = CheckSettings()
PRESETS: dict[Preset, CheckSettings] = {
    "quick": CheckSettings(judge_chunks=False, duplicates="near"),
    "standard": STANDARD,
    "thorough": CheckSettings(
        score_chunks=True, judge_queries=True, same_query=True, judge_evolutions=True, closed_book="label", holes=True
    ),
}


class HardnessMix(Settings):
    """How many goldens are to be easy, medium and hard; without any weight the levels are not balanced."""

    easy: float = Field(default=0, ge=0, allow_inf_nan=False, title="Easy")
    """Weight of goldens that any retriever should find."""
    medium: float = Field(default=0, ge=0, allow_inf_nan=False, title="Medium")
    """Weight of goldens that are neither easy nor hard."""
    hard: float = Field(default=0, ge=0, allow_inf_nan=False, title="Hard")
    """Weight of goldens whose words are not the text's, that need several passages, or that BM25 does not find."""

    @property
    def weights(self) -> dict[str, float]:
        """By level; empty where no mix is asked for."""
        return {level: weight for level, weight in self.model_dump().items() if weight}


class SplitSettings(Settings):
    """On which side of a split each golden stands."""

    by: Literal["none", "evidence", "document"] = Field(default="none", title="Split by")
    """`evidence`: what shares evidence, a chunk, an equivalent passage or a duplicate stays together. `document`: so do all
    goldens of a document. `none`: all are for testing."""
    train: float = Field(default=0.6, ge=0, le=1, title="Share for training")
    """Share of the goldens on the side for training."""
    validation: float = Field(default=0.2, ge=0, le=1, title="Share for validation")
    """Share of the goldens on the side for validation."""
    test: float = Field(default=0.2, ge=0, le=1, title="Share for testing")
    """Share of the goldens on the side for testing."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if abs(sum(self.shares.values()) - 1) > 0.001:
            raise ValueError(f"train, validation and test must sum to 1, and sum to {sum(self.shares.values()):g}")
        return self

    @property
    def shares(self) -> dict[str, float]:
        """By side, those without a share left out."""
        shares = {"train": self.train, "validation": self.validation, "test": self.test}
        return {side: share for side, share in shares.items() if share}
