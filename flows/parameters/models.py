"""Parameters of the flows as one model each: what a YAML file holds, and what a run is known by."""

from pathlib import PurePath
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import model_validator

from flows.parameters import fields
from flows.parameters.fields import Count, Folder, Seed
from ragset.evaluation.grid import Configuration, Grid
from ragset.generation.checks import PRESETS, CheckSettings, HardnessMix, SplitSettings
from ragset.settings import (
    ApprovalSettings,
    Budget,
    ChunkingSettings,
    ContextSettings,
    ContextWritingSettings,
    EmbeddingSettings,
    ModelSettings,
    SamplingSettings,
    Settings,
    WritingSettings,
)


class IndexParameters(Settings):
    """Which documents, cut and embedded how."""

    documents: fields.Documents
    chunking: fields.Chunking = ChunkingSettings()
    embedding: fields.Embedding = EmbeddingSettings()


class MakingParameters(IndexParameters):
    """How many goldens to make of them, by which models."""

    n: Count = 100
    sampling: fields.Sampling = SamplingSettings()
    generator: fields.Generator = ModelSettings()
    critic: fields.Critic = None
    """Empty: the generator's."""
    preset: fields.PresetOf = "standard"
    """Which checks to make."""
    checks: fields.Checks = None
    """One by one; empty: as the preset says."""
    hardness: fields.Mix = HardnessMix()
    split: fields.SplitBy = SplitSettings()
    """Whether goldens are divided for training, validation and testing."""
    budget: fields.Limits = Budget()
    approval: fields.Approval = ApprovalSettings()
    seed: Seed = 0
    out: Folder

    @property
    def checking(self) -> CheckSettings:
        """Those of the preset, with what is set one by one laid over them."""
        given = self.checks.model_dump(exclude_unset=True) if self.checks else {}
        return CheckSettings.model_validate({**PRESETS[self.preset].model_dump(), **given})

    @property
    def models(self) -> tuple[ModelSettings, ModelSettings, ModelSettings]:
        """Generator, critic and reader."""
        return self.generator, self.critic or self.generator, self.checking.reader(self.generator)

    @property
    def wanted(self) -> int | None:
        """None: of every candidate that passes."""
        return None if self.n == "all" else self.n

    @property
    def identity(self) -> dict[str, Any]:
        """What the goldens depend on: all but where they go, what may be spent on them, and how models are asked."""
        how = {"max_concurrency", "timeout", "max_retries"}
        apart = {"out": True, "budget": True, "approval": True}
        # Of samples the queries count, which are a part of the recipe, and not where they are.
        content = {**apart, "preset": True, "generator": how, "critic": how, "writing": {"samples": True}}
        return {**self.model_dump(mode="json", exclude=content), "checks": self.checking.model_dump(mode="json")}

    @property
    def portable(self) -> dict[str, Any]:
        """What a manifest says of them: nothing of this machine, where sources are known by their last names."""
        values = self.model_dump(mode="json", exclude={"out", "approval"})
        values["documents"]["sources"] = [_portable(source) for source in self.documents.sources]
        values["writing"]["samples"] = PurePath(values["writing"]["samples"]).name
        values["checks"] = self.checking.model_dump(mode="json")
        values["checks"]["earlier"] = [_portable(folder) for folder in self.checking.earlier]
        return values


class SingleChunkParameters(MakingParameters):
    """Goldens that one chunk answers."""

    writing: fields.Writing = WritingSettings()
    out: Folder = "out/single-chunk"


class MultiChunkParameters(MakingParameters):
    """Goldens that need several chunks."""

    contexts: fields.Contexts = ContextSettings()
    writing: fields.ContextWriting = ContextWritingSettings()
    out: Folder = "out/multi-chunk"


class RefreshParameters(Settings):
    """Which dataset to bring up to date, on which documents; where nothing is given, as it was made."""

    documents: fields.Documents
    dataset: fields.Dataset = "out/single-chunk"
    """Folder of any version; the latest is gone on from."""
    generator: fields.AsMade = None
    critic: fields.JudgedAsMade = None
    budget: fields.LimitsAsMade = None
    approval: fields.Approval = ApprovalSettings()
    out: fields.NewFolder = ""
    """Empty: beside the dataset, as NAME-v2 and so on."""


class BenchmarkParameters(Settings):
    """Which systems to compare, on which goldens."""

    datasets: fields.Datasets
    """Dataset folders of ours; BEIR folders, SQuAD's JSON, Chroma's questions.csv, tables of questions and contexts."""
    documents: fields.Passages = None
    """Where the contexts of tables are looked for; empty: each context is a document."""
    splits: fields.Splits = ()
    """Only goldens of these, such as `test`; empty: all."""
    grid: fields.Alternatives = Grid()
    """Empty: somebody else's systems alone."""
    systems: fields.Systems = ()
    """Somebody else's: an address, a Python function, or a file of runs."""
    critic: fields.Judge = ModelSettings()
    """Judges answers; `offline`: they are compared with the reference word by word alone."""
    language: fields.Language = "en"
    """Two letters: of the prompts for readers and the critic."""
    cutoffs: fields.Cutoffs = (1, 3, 5, 10)
    """Numbers of chunks at which a ranking is scored."""
    token_budgets: fields.TokenBudgets = (256, 512, 1024, 2048)
    """Numbers of retrieved tokens at which recall is measured, whatever the size of chunks."""
    primary: fields.Metric = ""
    """That ranks; empty: of answers `correctness` or `token_f1`, of retrieval the recall at 512 tokens, or `ndcg@10`
    where whole documents are the evidence."""
    baseline: fields.Baseline = ""
    """Name of the configuration that the others are compared with, beside the best."""
    budget: fields.Limits = Budget()
    approval: fields.Approval = ApprovalSettings()
    seed: Seed = 0
    out: Folder = "out/benchmark"

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.grid is None and not self.systems:
            raise ValueError("grid: give a grid, or at least one of systems")
        names = [*(system.name for system in self.systems), *(one.name for one in self.configurations)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"systems: {', '.join(twice)} is there twice")
        return self

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """Of the grid."""
        return self.grid.configurations() if self.grid else ()

    @property
    def portable(self) -> dict[str, Any]:
        """What the results say of them: nothing of this machine."""
        values = self.model_dump(mode="json", exclude={"out", "documents", "approval"})
        values["datasets"] = [_portable(dataset) for dataset in self.datasets]
        for system in values["systems"]:
            system.update({name: _portable(system[name]) for name in ("http", "runs", "chunks") if system[name]})
        return values


def _portable(source: str) -> str:
    """The last name of a path; an address without its query."""
    if "://" not in source:
        return PurePath(source).name or "."
    return urlsplit(source)._replace(query="").geturl()
