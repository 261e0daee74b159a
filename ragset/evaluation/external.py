"""Another RAG system to compare, and how it is asked."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from ragset.settings import Names, Settings
from ragset.settings.addresses import Address, Place


class ExternalSystem(Settings):
    """Another system to compare; give exactly one of `http`, `python`, `llamaindex`, `langchain`, `haystack` and `runs`."""

    name: str = Field(min_length=1, max_length=100, title="Name")
    """Name of the system in the results."""
    http: Annotated[Address, Names.ADDRESS] = Field(default="", title="Address")
    """Address of the system. It receives `{"query": …}` by POST and returns `{"answer": …, "passages": […]}`, best first. A
    passage is a text, or an object with `text`, or with `document`, `start` and `end`, or with `id`; `score` is optional."""
    python: Annotated[str, Names.FUNCTION] = Field(default="", title="Python function")
    """`module:function`; it is called with the query and returns the same reply as an address."""
    llamaindex: Annotated[str, Names.FUNCTION] = Field(default="", title="LlamaIndex query engine or retriever")
    """`module:name` of a query engine or a retriever of LlamaIndex, or of a function without parameters that makes one."""
    langchain: Annotated[str, Names.FUNCTION] = Field(default="", title="LangChain retriever or chain")
    """`module:name` of a retriever or a chain of LangChain, or of a function without parameters that makes one."""
    haystack: Annotated[str, Names.FUNCTION] = Field(default="", title="Haystack pipeline")
    """`module:name` of a pipeline or a retriever of Haystack, or of a function without parameters that makes one."""
    runs: Place = Field(default="", title="File of runs")
    """File of runs: TREC format with ids `doc_id:start-end` or ids of `chunks`, or JSON Lines with `query` or `id`, `answer` and
    `passages`."""
    chunks: Place = Field(default="", title="File of its chunks")
    """JSON Lines that define the ids of its passages, each with `id` and `text` (or `document`, `start`, `end`)."""
    timeout: float = Field(default=60.0, gt=0, le=3600, title="Time-out in seconds")
    """Seconds after which a request fails."""
    max_failures: float = Field(default=0.1, ge=0, title="Failures allowed")
    """Number of failed queries above which the run stops; below 1, a share of the queries. Each failed query counts 0."""
    max_concurrency: int = Field(default=8, ge=1, le=1024, title="Queries at once")
    """Maximum number of simultaneous queries; 1 for a system that bears no more, or to measure its latency undisturbed."""
    reuse_minutes: float = Field(default=0.0, ge=0, le=525_600, title="Reuse replies for, in minutes")
    """Maximum age of replies of an earlier run that are reused; 0: every run asks. ragset cannot know when the system changes,
    so choose less time than between two changes of it."""

    def failures_allowed(self, queries: int) -> int:
        """How many of `queries` may fail."""
        return int(self.max_failures * queries) if self.max_failures < 1 else int(self.max_failures)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        ways = ("http", "python", "llamaindex", "langchain", "haystack", "runs")
        if sum(bool(getattr(self, way)) for way in ways) != 1:
            raise ValueError(f"{self.name}: give exactly one of {', '.join(ways)}")
        return self
