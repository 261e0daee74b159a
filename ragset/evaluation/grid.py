"""The RAG systems to compare: every combination of the entries of a grid."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Self, cast

from pydantic import Field, model_validator

from ragset.models import Model
from ragset.settings import (
    LOCAL,
    ChunkingSettings,
    EmbeddingSettings,
    ModelSettings,
    Names,
    RetrievalSettings,
    Settings,
)
from ragset.settings.llamaindex import called

NO_RERANKER = "none"
CROSS_ENCODER = "cross-encoder:"
LLM_RERANKER = "llm:"
LEARNED = "learned:"
_NAMED = ("chunking", "embedding", "retrieval", "reranker", "reader")
"""Groups of a grid whose entries may have a `name`."""
RERANKERS = {CROSS_ENCODER: "NAME", LLM_RERANKER: "MODEL", LEARNED: "FOLDER"}
"""What is named behind each prefix."""


def ranking_model(reranker: str) -> ModelSettings | None:
    """The language model that reranks; None where none does."""
    return ModelSettings(model=reranker.removeprefix(LLM_RERANKER)) if reranker.startswith(LLM_RERANKER) else None


class Grid(Settings):
    """Alternatives for each part of a RAG system; all combinations are compared."""

    chunking: tuple[ChunkingSettings, ...] = Field(default=(ChunkingSettings(),), min_length=1, title="Chunking")
    """Chunking strategies with their sizes."""
    embedding: tuple[EmbeddingSettings, ...] = Field(default=(EmbeddingSettings(),), min_length=1, title="Embeddings")
    """Models that turn chunks and queries into vectors."""
    retrieval: tuple[RetrievalSettings, ...] = Field(
        default=(RetrievalSettings(mode="dense"), RetrievalSettings(mode="bm25"), RetrievalSettings(mode="hybrid")),
        min_length=1,
        title="Retrieval",
    )
    """Search methods."""
    reranker: Annotated[tuple[str, ...], Names.MODEL] = Field(default=(NO_RERANKER,), min_length=1, title="Rerankers")
    """`none`, `cross-encoder:NAME-OR-FOLDER` (sentence-transformers), `llm:MODEL`, or `learned:FOLDER` (of `train-reranker`)."""
    reader: tuple[ModelSettings, ...] = Field(default=(), title="Readers")
    """Models that answer from the retrieved chunks; empty: only retrieval is measured."""
    retrieved: int = Field(default=30, ge=1, le=1000, title="Chunks retrieved")
    """Number of chunks to retrieve and rerank for each query."""
    final: int = Field(default=7, ge=1, le=100, title="Chunks read")
    """Number of retrieved chunks that the reader is given."""

    names: dict[str, str] = Field(default_factory=dict, title="Names of entries")
    """Names that stand for entries in results, by group and number, such as {chunking.1: small}. In a YAML file an entry of chunking,
    embedding, retrieval or reader may hold its `name` itself, and so may {model: RERANKER, name: NAME} of reranker."""

    @classmethod
    def in_full(cls, value: Any) -> Any:
        """The value with its short forms written out, and the names of entries in `names`."""
        value = super().in_full(value)
        if not isinstance(value, Mapping):
            return value
        full: dict[str, Any] = {**cast("Mapping[str, Any]", value)}
        names: dict[str, Any] = {}
        for group in _NAMED:
            entries = [dict(one) if isinstance(one, Mapping) else one for one in full.get(group) or ()]
            for number, entry in enumerate(entries, start=1):
                if isinstance(entry, dict) and "name" in entry:
                    names[f"{group}.{number}"] = entry.pop("name")
                    if group == "reranker" and [*entry] == ["model"]:
                        entries[number - 1] = entry["model"]
            if entries and names:
                full[group] = entries
        return {**full, "names": {**(full.get("names") or {}), **names}} if names else full

    @model_validator(mode="after")
    def _whole(self) -> Self:
        _check_names(self)
        for reranker in self.reranker:
            prefix = next((prefix for prefix in RERANKERS if reranker.startswith(prefix)), None)
            if reranker != NO_RERANKER and (prefix is None or reranker == prefix):
                known = ", ".join(f"{prefix}{named}" for prefix, named in RERANKERS.items())
                raise ValueError(f"reranker: {reranker!r} is none of {NO_RERANKER}, {known}")
        names = [one.existing.name for one in dict.fromkeys(self.chunking) if one.existing]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"chunking: two files or collections of chunks are called {twice}; give one a label")
        if self.final > self.retrieved:
            raise ValueError(f"final ({self.final}) must not be above retrieved ({self.retrieved})")
        return self

    def configurations(self) -> tuple["Configuration", ...]:
        """Every combination once. Where no embedding is asked (see `Configuration.embeds`), one row stands for all."""
        found: dict[str, Configuration] = {}
        numbered = (list(enumerate(getattr(self, name), start=1)) or [(0, None)] for name in _NAMED)
        for parts in product(*numbered):
            named = dict(zip(_NAMED, parts, strict=True))
            given = {name: self.names.get(f"{name}.{number}") for name, (number, _) in named.items()}
            fields = {name: part for name, (_, part) in named.items()}
            names = {name: one for name, one in given.items() if one}
            configuration = Configuration.model_validate(
                {**fields, "retrieved": self.retrieved, "final": self.final, "names": names}
            )
            found.setdefault(configuration.name, configuration)
        return tuple(found.values())


def _check_names(grid: Grid) -> None:
    """Raise ValueError for a name of no entry, one that two entries have, or one that parts of names are told by."""
    for place, name in grid.names.items():
        group, _, number = place.partition(".")
        if group not in _NAMED or not number.isdecimal() or not 1 <= int(number) <= len(getattr(grid, group)):
            raise ValueError(
                f"names: {place} is no entry of {', '.join(_NAMED)}; write group and number, such as chunking.1"
            )
        if not name.strip() or " / " in name or "=" in name:
            raise ValueError(f"{place}: name {name!r} must not be empty or hold ' / ' or '='")
        others = [
            grid.names.get(f"{group}.{other}") or getattr(entry, "name", "")
            for other, entry in enumerate(getattr(grid, group), start=1)
            if other != int(number)
        ]
        if name in others:
            raise ValueError(f"{place}: another entry of {group} is called {name}; give each a name of its own")


class Configuration(Model):
    """One RAG system under test."""

    chunking: ChunkingSettings
    embedding: EmbeddingSettings
    retrieval: RetrievalSettings
    reranker: str = NO_RERANKER
    reader: ModelSettings | None = None
    retrieved: int
    final: int
    names: dict[str, str] = Field(default_factory=dict)
    """Names that a person gave parts, by group; the others are called by their numbers."""

    @property
    def embeds(self) -> bool:
        """Whether what is found depends on the embedding: BM25 does not ask it, semantic chunks and learned rerankers do."""
        return self.retrieval.mode != "bm25" or self.chunking.embeds or self.learned is not None

    @property
    def learned(self) -> Path | None:
        """The folder of the learned reranker; None where there is none."""
        return Path(self.reranker.removeprefix(LEARNED)) if self.reranker.startswith(LEARNED) else None

    @property
    def adapting(self) -> str:
        """` + ` and the adapter of the queries; empty: none, or it is not asked."""
        if not self.embedding.adapter or (self.retrieval.mode == "bm25" and self.learned is None):
            return ""
        from ragset.retrieval.embedding.adapter import adapter_name

        return f" + {adapter_name(self.embedding.adapter)}"

    @property
    def ranking(self) -> str:
        """The reranker, one in a folder by a short name; empty: none."""
        if self.learned is not None:
            from ragset.retrieval.learned_reranker import reranker_name

            return f"{LEARNED}{reranker_name(self.learned)}"
        return "" if self.reranker == NO_RERANKER else _short(self.reranker, CROSS_ENCODER)

    @property
    def reading(self) -> str:
        """The reader with the parameters of its replies that are not the default, such as `MODEL t0.7`; empty: none."""
        if self.reader is None:
            return ""
        usual, asked = ModelSettings(), self.reader
        numbers = ("t", usual.temperature, asked.temperature), ("max", usual.max_tokens, asked.max_tokens)
        given = (f"{name}{value:g}" for name, default, value in numbers if value is not None and value != default)
        return " ".join([asked.model, *given])

    @property
    def name(self) -> str:
        """Its parts and numbers that are not the default, parted by ` / `: unique, and the same in every grid and run that names alike.

        `hybrid top50` says how many chunks are retrieved, `MODEL top3` how many are read.
        """
        usual = Grid.model_fields
        dimensions = f"-{self.embedding.dimensions}" if self.embedding.dimensions else ""
        deep = "" if self.retrieved == usual["retrieved"].default else f" top{self.retrieved}"
        read = "" if self.final == usual["final"].default else f" top{self.final}"
        embedding = (
            f"{called(_short(self.embedding.model, LOCAL), self.embedding.arguments)}{dimensions}{self.adapting}"
        )
        named = self.names.get
        parts = (
            named("chunking") or self.chunking.name,
            (named("embedding") or embedding) if self.embeds else "",
            f"{named('retrieval') or self.retrieval.name}{deep}",
            named("reranker") or self.ranking,
            f"{named('reader') or self.reading}{read}" if self.reading else "",
        )
        return " / ".join(filter(None, parts))


def _short(name: str, prefix: str) -> str:
    """A model in a folder by the folder's name and a digest of its files, wherever it is; any other as it is named."""
    model = name.removeprefix(prefix)
    if not name.startswith(prefix) or not Path(model).is_dir():
        return name
    from ragset.retrieval.embedding.local import model_name

    return f"{prefix}{model_name(model)}"
