"""Make RAG test sets that can be trusted out of a team's own documents.

docs/python.md describes what is here; the other modules may change between versions. Nothing is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ragset.dataset import Dataset, read_dataset
    from ragset.errors import InputError, ProviderError, RagsetError
    from ragset.evaluation.evaluate import evaluate
    from ragset.evaluation.evaluation import Evaluation
    from ragset.models import Document, Golden, Span

__version__ = "0.1.0"

_PLACES = {
    "Dataset": "ragset.dataset",
    "Document": "ragset.models",
    "Evaluation": "ragset.evaluation.evaluation",
    "Golden": "ragset.models",
    "InputError": "ragset.errors",
    "ProviderError": "ragset.errors",
    "RagsetError": "ragset.errors",
    "Span": "ragset.models",
    "evaluate": "ragset.evaluation.evaluate",
    "read_dataset": "ragset.dataset",
}
__all__ = [
    "Dataset",
    "Document",
    "Evaluation",
    "Golden",
    "InputError",
    "ProviderError",
    "RagsetError",
    "Span",
    "evaluate",
    "read_dataset",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'ragset' has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
