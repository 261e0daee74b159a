"""Every error that ragset raises on purpose, by what the reader should do about it. No message quotes a prompt or a key."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


class RagsetError(Exception):
    """Something that the user can act on; its text is a complete message."""


class InputError(RagsetError):
    """The documents, parameters or files given cannot be used as they are."""


class DocumentError(InputError):
    """One file or page cannot be read; the others go on."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source = source
        self.reason = reason

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (self.source, self.reason)


class DiskFull(InputError):
    """A folder that a run writes to has no room left; what was kept until then is kept."""


class PromptError(InputError):
    """A prompt file breaks a rule; the message names the file and the field."""


class ServerError(RagsetError):
    """Prefect's server cannot be reached, or a temporary one did not start."""


class WorkerLost(RagsetError):
    """The workers of a cluster ended or cannot be reached; the same command goes on later."""


class StoreError(RagsetError):
    """The vector store refused or cannot be opened; the message says what holds it."""


class StoreUnavailable(StoreError):
    """The server of a vector store could not be reached, or is too busy; it may answer later."""


class StorageUnavailable(RagsetError):
    """The server of an address such as `s3://…` could not be reached; it may answer later."""


class IndexBusy(StoreError):
    """Another run is writing the same index; it will be free again."""


class EmbeddingError(RagsetError):
    """An embedding cannot be stored: the message names the chunk and what is wrong with its vector."""


class ProviderError(RagsetError):
    """A model provider did not do what was asked."""


class ProviderRefused(ProviderError):
    """Another try would be refused as well: a wrong key, model name or address."""


class LLMUnavailable(ProviderError):
    """The provider could not be reached within its retries; the same command goes on later."""

    def __init__(self, message: str, *, alone: bool = False) -> None:
        super().__init__(message)
        self.alone = alone  # whether other calls were answered meanwhile


class CaseRefused(ProviderError):
    """This one request was refused, being too long or filtered; others go on."""


class BatchPending(RagsetError):
    """A batch is under way at the provider; the same command goes on when it has ended."""


class BudgetSpent(RagsetError):
    """No further call fits the budget; what was answered until now is kept."""


class Stopped(RagsetError):
    """A person ended the run, or nobody approved it in time; what was answered until then is kept."""


def install(extra: str) -> str:
    """The command that installs what an extra of ragset needs."""
    return f"pip install 'ragset[{extra}]'"


def problems_of(error: "ValidationError", where: str = "") -> str:
    """Which fields are wrong and why, on one line; never the values."""
    found: list[str] = []
    for detail in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in ((where,) if where else ()) + detail["loc"])
        message = detail["msg"].removeprefix("Value error, ")
        found.append(f"{place}: {message}" if place else message)
    return "; ".join(found)
