"""Parameters of a run, as plain data that a form, a YAML file and a cache key can hold.

The Prefect UI shows titles and descriptions. Keys and tokens are never parameters: `Environment` reads
them, and nothing prints it.
"""

from ragset.settings.asking import ApprovalSettings, Budget, ModelSettings
from ragset.settings.base import LOCAL, OFFLINE, Names, Settings, either
from ragset.settings.documents import ChunkingSettings, DocumentSettings, EmbeddingSettings, RetrievalSettings
from ragset.settings.environment import Environment
from ragset.settings.writing import ContextSettings, ContextWritingSettings, Persona, SamplingSettings, WritingSettings

__all__ = [
    "LOCAL",
    "OFFLINE",
    "ApprovalSettings",
    "Budget",
    "ChunkingSettings",
    "ContextSettings",
    "ContextWritingSettings",
    "DocumentSettings",
    "EmbeddingSettings",
    "Environment",
    "ModelSettings",
    "Names",
    "Persona",
    "RetrievalSettings",
    "SamplingSettings",
    "Settings",
    "WritingSettings",
    "either",
]
