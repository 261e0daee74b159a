"""How chunks are found for a query."""

from typing import Any, Literal

from pydantic import Field, model_validator

from ragset.settings.base import Settings


class RetrievalSettings(Settings):
    """How chunks are found in Milvus. A bare name stands for its mode: `dense`, `bm25`, `hybrid`."""

    mode: Literal["dense", "bm25", "hybrid"] = Field(default="hybrid", title="Mode")
    """Of `hybrid` both others are asked, and their rankings fused."""
    fusion: Literal["rrf", "weights"] = Field(default="rrf", title="Fusion")
    """Reciprocal ranks, or a weighted sum of scores that are scaled from 0 to 1 for each query."""
    dense_weight: float = Field(default=0.5, ge=0, le=1, title="Weight of dense")
    """In a weighted sum; BM25 has the rest."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"mode": value} if isinstance(value, str) else value

    @property
    def name(self) -> str:
        """`dense`, `bm25`, `hybrid`, or `hybrid-w0.7` with the weight of dense."""
        weighted = self.mode == "hybrid" and self.fusion == "weights"
        return f"hybrid-w{self.dense_weight:g}" if weighted else self.mode
