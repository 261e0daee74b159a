"""The parameters of each flow: titles, limits, defaults and descriptions.

Prefect's form, YAML files, the options of commands, `--help` and docs/parameters.md are generated from these models.
"""

from flows.parameters.models.base import Exports, IndexParameters, Parameters, WritingParameters
from flows.parameters.models.benchmark import BenchmarkParameters
from flows.parameters.models.export import ExportParameters
from flows.parameters.models.labelling import LabelParameters
from flows.parameters.models.making import (
    AnyMaking,
    CorpusWideParameters,
    MakingParameters,
    MultiChunkParameters,
    SingleChunkParameters,
)
from flows.parameters.models.refresh import RefreshParameters
from flows.parameters.models.review import ReviewParameters
from flows.parameters.models.training import (
    TrainAdapterParameters,
    TrainDataParameters,
    TrainingParameters,
    TrainRerankerParameters,
)

__all__ = [
    "AnyMaking",
    "BenchmarkParameters",
    "CorpusWideParameters",
    "ExportParameters",
    "Exports",
    "IndexParameters",
    "LabelParameters",
    "MakingParameters",
    "MultiChunkParameters",
    "Parameters",
    "RefreshParameters",
    "ReviewParameters",
    "SingleChunkParameters",
    "TrainAdapterParameters",
    "TrainDataParameters",
    "TrainRerankerParameters",
    "TrainingParameters",
    "WritingParameters",
]
