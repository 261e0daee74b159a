"""The recipe that parameters ask for."""

from flows.parameters.models import MultiChunkParameters, SingleChunkParameters
from tasks.batches import Recipe


def recipe_of(asked: SingleChunkParameters | MultiChunkParameters) -> Recipe:
    """With its prompts.

    Raises:
        InputError: a style, a shape or an evolution that there is none of.
        PromptError: a prompt file breaks a rule.
    """
    return Recipe.load(
        asked.writing,
        asked.generator,
        asked.critic or asked.generator,
        asked.seed,
        min_chunks=asked.contexts.min_chunks if isinstance(asked, MultiChunkParameters) else 1,
        checks=asked.checking,
        documents=asked.chunking.language,
    )
