"""The languages of a run."""

from typing import TypeVar

from flows.parameters.models import AnyMaking
from ragset.errors import InputError
from ragset.generation.rule_languages import settle_languages
from ragset.settings import OFFLINE
from tasks.run.logs import warn

P = TypeVar("P", bound=AnyMaking)


def settled(asked: P, detected: str) -> P:
    """The parameters with the languages filled in where they were left to the corpus; notices are logged and shown."""
    documents, queries, notices = settle_languages(detected, asked.chunking.language, asked.writing.language)
    if documents != queries and OFFLINE in {asked.generator.model, (asked.critic or asked.generator).model}:
        raise InputError(
            f"writing.language (--language): the offline rules do not translate, and the documents are in "
            f"{documents}; name a model, or leave the language out (if they are in {queries} after all, set "
            "chunking.language)"
        )
    for line in notices:
        warn(line)
    known = detected or asked.chunking.language or asked.writing.language
    chunking = asked.chunking.model_copy(update={"language": documents})
    writing = asked.writing.model_copy(update={"language": queries if known else ""})
    return asked.model_copy(update={"chunking": chunking, "writing": writing})
