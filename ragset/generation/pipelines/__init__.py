"""The stages that a chunk or a context goes through to become a golden, in order, with what each asks of which model.

The filter comes first, since it is the cheapest; the critique comes last, on the final text.
"""

from ragset.generation.pipelines.multi import multi_chunk
from ragset.generation.pipelines.single import single_chunk
from ragset.generation.pipelines.stage import Models, Outcome, Prompts, Stage, several

__all__ = ["Models", "Outcome", "Prompts", "Stage", "multi_chunk", "several", "single_chunk"]
