"""Training files for the libraries that train retrievers: one file and one `@training_format` for each.

Files are written without importing the library that reads them. Test sets in formats of other tools are in
`ragset.dataset.exporters`.
"""

from ragset.training.formats import colbert, late_interaction, llamaindex, sentence_transformers
from ragset.training.formats.registry import FORMATS, WrittenData, check_training_data, write_training_data
from ragset.training.formats.training_data import TrainingData

WRITERS = (
    sentence_transformers,
    late_interaction,
    colbert,
    llamaindex,
)  # each registers its format when it is imported

__all__ = ["FORMATS", "TrainingData", "WrittenData", "check_training_data", "write_training_data"]
