"""The parameters of the flow that labels queries of one's own."""

from pydantic import Field

from flows.parameters.models.base import All, Count, Folder, Systems, WritingParameters
from ragset.settings import ModelSettings
from ragset.settings.addresses import Place
from ragset.settings.languages import Language


class LabelParameters(WritingParameters):
    """Queries that people asked, and the documents that may answer them."""

    form_begins = ("documents", "queries", "field", "n", "pool")

    queries: Place = Field(min_length=1, title="Queries", examples=["queries.txt"])
    """File of queries: one a line, or records in .csv, .tsv, .jsonl or .json, also as exported by Langfuse or Phoenix."""
    field: str = Field(default="", title="Field of the query")
    """Name of the column or field that holds the query, such as `input.question`; empty: the first of the usual names."""
    n: Count | All = Field(default="all", title="Queries to label")
    """Number of queries to label, drawn at random, frequent ones more easily; `all` labels every one."""
    pool: int = Field(default=10, ge=1, le=50, title="Pool depth")
    """Number of passages from BM25, from dense search, and from each other system, that the critic grades."""
    systems: Systems = ()
    """Systems of your own, whose passages are graded too."""
    language: Language = Field(default="", title="Language")
    """Language of queries and answers, by name or code, such as German or de; empty: that of the documents."""
    out: Folder = "out/labelled"

    @property
    def models(self) -> tuple[ModelSettings, ModelSettings]:
        """Generator and critic."""
        return self.generator, self.critic or self.generator
