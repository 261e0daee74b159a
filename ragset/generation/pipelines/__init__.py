"""The stages that a chunk or a context goes through to become a golden, in order.

The filter comes first, since it is the cheapest; the critique comes last, on the final text. What a stage does is in `stages`.
"""

from ragset.generation.pipelines.multi import multi_chunk
from ragset.generation.pipelines.single import single_chunk
from ragset.generation.pipelines.stage import Asks, Models, Outcome, Prompts, Role, Setup, Stage, several

__all__ = ["Asks", "Models", "Outcome", "Prompts", "Role", "Setup", "Stage", "multi_chunk", "several", "single_chunk"]
