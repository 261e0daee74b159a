"""The parameters of the flows that write goldens."""

from typing import Annotated, Any

from pydantic import Field

from flows.parameters.models.base import All, Count, Folder, WritingParameters
from flows.parameters.models.portable import portable
from ragset.generation.checks import PRESETS, CheckSettings, HardnessMix, Preset
from ragset.settings import (
    ContextSettings,
    ContextWritingSettings,
    ModelSettings,
    PassageSamplingSettings,
    SamplingSettings,
    ThemeWritingSettings,
    WritingSettings,
)


class MakingParameters(WritingParameters):
    """How many goldens to make from the documents, and with which models."""

    form_begins = (
        "documents",
        "n",
        "chunking",
        "embedding",
        "sampling",
        "contexts",
        "writing",
        "generator",
        "critic",
        "preset",
        "checks",
        "hardness",
        "split",
    )

    n: Count | All = Field(default=100, title="Goldens")
    """Number of goldens to make; `all` makes one from every passage, chunk, context or theme that passes."""
    out: Folder

    @property
    def checking(self) -> CheckSettings:
        """The checks of queries and goldens."""
        return PRESETS["standard"]

    @property
    def mix(self) -> dict[str, float]:
        """Weights of levels of hardness; empty where no mix is asked for."""
        return {}

    @property
    def models(self) -> tuple[ModelSettings, ModelSettings, ModelSettings]:
        """Generator, critic and reader."""
        return self.generator, self.critic or self.generator, self.checking.reader(self.generator)

    @property
    def wanted(self) -> int | None:
        """How many goldens to make; None: of every candidate that passes."""
        return None if self.n == "all" else self.n

    @property
    def identity(self) -> dict[str, Any]:
        """What the goldens depend on: all but the folder, the limits, and how fast models are asked."""
        how = {"max_concurrency", "timeout", "max_retries", "mode", "batch_hours"}
        apart = {"out": True, "budget": True, "approval": True, "review": True, "export": True, "runner": True}
        # Of samples the queries count, which are a part of the recipe, and not where they are.
        content = {**apart, "preset": True, "generator": how, "critic": how, "writing": {"samples": True}}
        return {**self.model_dump(mode="json", exclude=content), "checks": self.checking.model_dump(mode="json")}

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as a manifest has them, without paths of this machine."""
        return {**super().portable, "checks": portable(self.checking)}


class CheckedParameters(MakingParameters):
    """Which checks queries and goldens go through, and how hard the goldens are to be."""

    preset: Preset = Field(default="standard", title="Preset")
    """Set of checks: `standard` is what a sound set needs, `thorough` makes all checks but that of `score_chunks`."""
    checks: CheckSettings | Annotated[None, Field(title="As the preset says")] = Field(
        default=None, title="Checks of queries and goldens"
    )
    """Single checks that override the preset; empty: the preset."""
    hardness: HardnessMix = Field(default=HardnessMix(), title="Mix of hardness")
    """Weights of easy, medium and hard goldens; without weights, levels are not balanced."""

    @property
    def checking(self) -> CheckSettings:
        """The checks of the preset, overridden by those that are set one by one."""
        given = self.checks.model_dump(exclude_unset=True) if self.checks else {}
        return CheckSettings.model_validate({**PRESETS[self.preset].model_dump(), **given})

    @property
    def mix(self) -> dict[str, float]:
        """The weights of the hardness asked for."""
        return self.hardness.weights


class SingleChunkParameters(CheckedParameters):
    """Goldens that one passage answers."""

    sampling: PassageSamplingSettings = Field(default=PassageSamplingSettings(), title="Sampling")
    """How to choose the passages or chunks from which queries are drafted."""
    writing: WritingSettings = Field(default=WritingSettings(), title="Queries and answers")
    """How to draft, evolve and judge queries."""
    out: Folder = "out/single-chunk"


class MultiChunkParameters(CheckedParameters):
    """Goldens that need several chunks."""

    sampling: SamplingSettings = Field(default=SamplingSettings(), title="Sampling")
    """How to choose the chunks from which contexts are expanded."""
    contexts: ContextSettings = Field(default=ContextSettings(), title="Contexts")
    """Which chunks a query may join."""
    writing: ContextWritingSettings = Field(default=ContextWritingSettings(), title="Queries and answers")
    """How to draft, split, evolve, test and judge queries."""
    out: Folder = "out/multi-chunk"


class CorpusWideParameters(MakingParameters):
    """Goldens about themes of many documents, whose reference are assertions."""

    n: Count | All = Field(default=20, title="Goldens")
    """Number of goldens to make; `all` makes one from every theme that passes."""
    sampling: SamplingSettings = Field(default=SamplingSettings(), title="Sampling")
    """How to choose the chunks around which themes are found."""
    writing: ThemeWritingSettings = Field(default=ThemeWritingSettings(), title="Queries and assertions")
    """How to draft queries, and what their assertions must be."""
    out: Folder = "out/corpus-wide"


AnyMaking = SingleChunkParameters | MultiChunkParameters | CorpusWideParameters
