"""The parameters of the flow that compares systems."""

from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from flows.parameters.models.base import Parameters, Runner, Systems
from flows.parameters.models.portable import portable
from ragset.evaluation.conversations import Form
from ragset.evaluation.grid import Configuration, Grid, ranking_model
from ragset.settings import OFFLINE, ApprovalSettings, Budget, DocumentSettings, ModelSettings, Names, RunnerSettings
from ragset.settings.addresses import Address, Place
from ragset.settings.languages import Language


class BenchmarkParameters(Parameters):
    """Systems to compare, and the goldens to compare them on."""

    datasets: Annotated[tuple[Address, ...], Names.PATH] = Field(
        min_length=1, title="Datasets", examples=[("out/single-chunk",)]
    )
    """Folders of ragset datasets or their goldens.csv, BEIR or AutoRAG folders, SQuAD JSON files, Chroma's questions.csv,
    test sets of Ragas, TREC qrels with topics, or tables."""
    documents: DocumentSettings | Annotated[None, Field(title="The contexts themselves")] = Field(
        default=None, title="Documents of tables"
    )
    """Documents that contain the contexts of tables; empty: each context is a document."""
    splits: tuple[str, ...] = Field(default=(), title="Splits")
    """Splits to measure on, such as `test`; empty: all goldens."""
    grid: Grid | Annotated[None, Field(title="Other systems alone")] = Field(default=Grid(), title="Grid")
    """The configurations to compare: every combination of the entries of its lists. Empty: other systems alone."""
    systems: Systems = ()
    critic: ModelSettings = Field(default=ModelSettings(), title="Critic")
    """The model that judges answers; with `offline`, answers are only compared with the reference by words."""
    diagnosis: bool = Field(default=False, title="Diagnosis")
    """Whether the critic breaks references and answers down into claims and looks for them in the passages: one call for each
    reference, and one or two more for each query of each configuration."""
    language: Language = Field(default="en", min_length=2, title="Language")
    """Language of the prompts for readers and the critic, by name or code, such as German or de."""
    conversations: Form = Field(default="rewritten", title="Conversations")
    """What systems receive of goldens of several turns: the last question `rewritten` to stand alone; with its `history`, all that was
    said before; or the `question` as it was asked, without it."""
    cutoffs: tuple[Annotated[int, Field(ge=1, le=1000)], ...] = Field(default=(1, 3, 5, 10), title="Cut-offs")
    """Numbers of chunks (k) at which rankings are scored, as in recall@5."""
    token_budgets: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        default=(256, 512, 1024, 2048), title="Token budgets"
    )
    """Numbers of retrieved tokens at which recall is measured, for chunks of any size."""
    primary: str = Field(default="", title="Primary metric")
    """The metric that ranks configurations, such as `recall@5`. Empty: `correctness` or `token_f1` for answers; for retrieval,
    recall at 512 tokens, or `ndcg@10` if whole documents are the evidence."""
    baseline: str = Field(default="", title="Baseline")
    """Name of a configuration to compare the others with, in addition to the best."""
    budget: Budget = Field(default=Budget(), title="Budget")
    """The run stops at these limits; replies are kept."""
    approval: ApprovalSettings = Field(default=ApprovalSettings(), title="Approval")
    """The run pauses above these limits until a person approves its number of calls; empty: it never pauses."""
    seed: int = Field(default=0, ge=0, title="Seed")
    """Seed of the confidence intervals; 0 or more."""
    out: Place = Field(default="out/benchmark", min_length=1, title="Output folder")
    """Folder of the results. The run replaces existing results when the new ones are complete."""
    runner: Runner = RunnerSettings()

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.grid is None and not self.systems:
            raise ValueError("grid: give a grid, or at least one of systems")
        if self.diagnosis and self.critic.model == OFFLINE:
            raise ValueError("diagnosis: needs a language model as critic; name one (--critic), or leave diagnosis out")
        names = [*(system.name for system in self.systems), *(one.name for one in self.configurations)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"systems: {', '.join(twice)} is there twice")
        return self

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """All that the grid combines."""
        return self.grid.configurations() if self.grid else ()

    @property
    def models(self) -> tuple[ModelSettings, ...]:
        """All that the benchmark asks: readers, rerankers, the critic."""
        readers = self.grid.reader if self.grid else ()
        ranking = map(ranking_model, self.grid.reranker if self.grid else ())
        return (*readers, *(model for model in ranking if model), self.critic)

    @property
    def portable(self) -> dict[str, Any]:
        """The parameters as the results have them, without paths of this machine."""
        return portable(self, "out", "documents", "approval", "runner")
