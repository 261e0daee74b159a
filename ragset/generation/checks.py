"""The settings of the checks, each with its values in the presets. The checks themselves are in `pipeline` and `stages`."""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from ragset.settings import ModelSettings, Names, Settings
from ragset.settings.addresses import Address

Use = Literal["off", "label", "filter"]
"""Effect of a check: `off`; `label` goldens; `filter` rejects goldens that fail."""
Preset = Literal["standard", "thorough"]
"""The checks that a set needs, and all checks."""


class CheckSettings(Settings):
    """Optional checks, in addition to the rules that always apply. docs/checks.md lists their costs."""

    model_config = ConfigDict(title="Single checks")

    judge_chunks: bool = Field(default=False, title="Judge chunks")
    """Ask the critic whether a chunk is self-contained and has content. Without this, only free rules decide."""
    score_chunks: bool = Field(default=False, title="Score chunks")
    """Ask the critic for a chunk's clarity, depth, structure and relevance."""
    min_chunk_score: float = Field(default=1.5, ge=1, le=3, title="Minimum chunk score")
    """Minimum mean of the four scores of a chunk, each 1 to 3."""
    judge_queries: bool = Field(default=False, title="Judge queries")
    """Ask the critic whether a drafted query is independent and its intent clear; if not, rewrite it by the critic's feedback."""
    max_rewrites: int = Field(default=2, ge=0, le=5, title="Rewrites")
    """Maximum number of rewrites of a query before it is rejected."""
    same_query: bool = Field(default=False, title="Detect unchanged queries")
    """Ask the critic whether an evolved query still asks the same; if so, evolve it again, at most twice."""
    unevolved: Literal["keep", "reject"] = Field(default="keep", title="Unchanged queries")
    """`keep` an unchanged query with a label, or `reject` it."""
    judge_evolutions: bool = Field(default=False, title="Judge evolutions")
    """Ask the critic after every evolution whether the query is independent and its passages answer it."""
    duplicates: Literal["exact", "near", "semantic"] = Field(default="semantic", title="Duplicates")
    """How to find duplicate queries: by the same words (`exact`), also by similar letters (`near`), also by the meaning of
    their embeddings (`semantic`). The better query stays."""
    earlier: Annotated[tuple[Address, ...], Names.PATH] = Field(default=(), title="Earlier datasets")
    """Folders of datasets whose queries must not be repeated."""
    round_trip: Use = Field(default="label", title="Round trip")
    """Search with each query and record the rank of the evidence. `filter` favours this retriever in a later benchmark."""
    round_trip_by: Literal["bm25", "dense", "hybrid"] = Field(default="bm25", title="Round-trip retriever")
    """The retriever of the round trip; choose one that you do not want to compare."""
    round_trip_k: int = Field(default=10, ge=1, le=100, title="Round-trip rank")
    """The evidence counts as found if it is among this many first results."""
    closed_book: Use = Field(default="off", title="Closed book")
    """Ask a model the query without the passage, and the critic whether its answer is correct."""
    closed_book_reader: str = Field(default="", max_length=200, title="Closed-book reader")
    """Name of the model that answers without the passage; empty: the generator."""
    holes: bool = Field(default=False, title="Find unlabelled relevant passages")
    """Find other passages that answer the query, and add them as equivalent evidence."""
    pool: int = Field(default=10, ge=1, le=50, title="Pool size")
    """Number of passages from BM25, and from dense search, that the critic judges."""

    def reader(self, generator: ModelSettings) -> ModelSettings:
        """The model that answers without the passage: the generator, unless another is named and the check is on."""
        if self.closed_book == "off" or not self.closed_book_reader:
            return generator
        return generator.model_copy(update={"model": self.closed_book_reader})


STANDARD = CheckSettings()
PRESETS: dict[Preset, CheckSettings] = {
    "standard": STANDARD,
    "thorough": CheckSettings(
        judge_chunks=True,
        judge_queries=True,
        same_query=True,
        judge_evolutions=True,
        closed_book="label",
        holes=True,
    ),
}


class HardnessMix(Settings):
    """Weights of easy, medium and hard goldens; without weights, levels are not balanced."""

    easy: float = Field(default=0, ge=0, allow_inf_nan=False, title="Easy")
    """Weight of goldens that any retriever should find."""
    medium: float = Field(default=0, ge=0, allow_inf_nan=False, title="Medium")
    """Weight of goldens that are neither easy nor hard."""
    hard: float = Field(default=0, ge=0, allow_inf_nan=False, title="Hard")
    """Weight of goldens with other words than the text, with several passages, or that BM25 does not find."""

    @property
    def weights(self) -> dict[str, float]:
        """By level; empty where no mix is asked for."""
        return {level: weight for level, weight in self.model_dump().items() if weight}


class SplitSettings(Settings):
    """How to divide goldens into sets for training, validation and testing."""

    stands_for = "by"

    by: Literal["none", "evidence", "document"] = Field(default="none", title="Split by")
    """`evidence` keeps goldens together that share evidence, a chunk, an equivalent passage or a duplicate. `document` also keeps
    all goldens of a document together. `none`: all goldens are for testing."""
    train: float = Field(default=0.6, ge=0, le=1, title="Share for training")
    """Share of goldens for training."""
    validation: float = Field(default=0.2, ge=0, le=1, title="Share for validation")
    """Share of goldens for validation."""
    test: float = Field(default=0.2, ge=0, le=1, title="Share for testing")
    """Share of goldens for testing."""

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
