"""The texts that a golden's answer rests on, as formats have them that name no relevance: a list of contexts with their ids."""

from collections.abc import Mapping
from typing import NamedTuple

from ragset.dataset.exporters.export_set import ExportSet
from ragset.models import Golden


class Context(NamedTuple):
    """One text that an answer needs."""

    id: str
    text: str


def contexts_of(given: ExportSet) -> Mapping[str, tuple[Context, ...]]:
    """By golden, a context for each span of its evidence: the span, or if a chunking was asked for, the chunk that has it.

    With a chunking, a span of which no chunk has half gives no context, and two spans in one chunk give one.
    """
    if given.chunks is None:
        return {golden.id: _spans(given, golden) for golden in given.goldens}
    texts = {chunk.id: chunk.text for chunk in given.chunks}
    # The first of the chunks that have a span is at the span's own place.
    first = {golden.id: dict.fromkeys(ids[0] for ids in given.needed(golden) if ids) for golden in given.goldens}
    return {id_: tuple(Context(chunk, texts[chunk]) for chunk in chunks) for id_, chunks in first.items()}


def _spans(given: ExportSet, golden: Golden) -> tuple[Context, ...]:
    texts = given.texts(golden.evidence)
    return tuple(Context(span.id, text) for span, text in zip(golden.evidence, texts, strict=True))
