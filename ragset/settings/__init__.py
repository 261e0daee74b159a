"""Parameters of a run, as plain data. Keys and tokens are never parameters: `Environment` reads them."""

from ragset.settings.asking import ApprovalSettings, Budget, ModelSettings, RunnerSettings
from ragset.settings.base import AUTO, LOCAL, OFFLINE, Names, Settings
from ragset.settings.chunks import ChunkFields, ExistingChunks
from ragset.settings.documents import (
    ChunkingSettings,
    DocumentSettings,
    EmbeddingSettings,
    FileReader,
    RetrievalSettings,
)
from ragset.settings.environment import Environment
from ragset.settings.finished import ExportSettings, ReviewSettings
from ragset.settings.llamaindex import LLAMAINDEX
from ragset.settings.writing import (
    AnyWriting,
    ContextSettings,
    ContextWritingSettings,
    ConversationSettings,
    PassageSamplingSettings,
    Persona,
    SamplingSettings,
    ThemeWritingSettings,
    WritingSettings,
)

__all__ = [
    "AUTO",
    "LLAMAINDEX",
    "LOCAL",
    "OFFLINE",
    "AnyWriting",
    "ApprovalSettings",
    "Budget",
    "ChunkFields",
    "ChunkingSettings",
    "ContextSettings",
    "ContextWritingSettings",
    "ConversationSettings",
    "DocumentSettings",
    "EmbeddingSettings",
    "Environment",
    "ExistingChunks",
    "ExportSettings",
    "FileReader",
    "ModelSettings",
    "Names",
    "PassageSamplingSettings",
    "Persona",
    "RetrievalSettings",
    "ReviewSettings",
    "RunnerSettings",
    "SamplingSettings",
    "Settings",
    "ThemeWritingSettings",
    "WritingSettings",
]
