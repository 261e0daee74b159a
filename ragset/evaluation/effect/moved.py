"""The queries whose score changed most, in both directions, with what was retrieved first."""

from collections.abc import Sequence
from math import isnan
from typing import Any, NamedTuple

from ragset.dataset.relevance.qrels import places_of
from ragset.documents.corpus import Corpus
from ragset.evaluation.effect.model import MovedQuery, TopPassage
from ragset.evaluation.metrics.paired import SAME
from ragset.models import Golden
from ragset.retrieval.fusion import Hit

_MOST = 10
_LONGEST = 600
"""Characters of a passage that are shown."""


class Retrieved(NamedTuple):
    """What was retrieved for one golden, before or after."""

    hits: Sequence[Hit]
    score: float
    rank: float
    """Of the first relevant chunk, from 1; NaN where none was retrieved."""

    @property
    def place(self) -> int | None:
        """The rank as a number, if there is one."""
        return None if isnan(self.rank) else int(self.rank)


def moved_queries(
    goldens: Sequence[Golden], corpus: Corpus, before: Sequence[Retrieved], after: Sequence[Retrieved]
) -> dict[str, Any]:
    """The queries that gained and lost most, as `Effect` has them; of equal differences those whose rank changed most first."""
    rows = list(zip(goldens, before, after, strict=True))

    def told(golden: Golden, first: Retrieved, then: Retrieved) -> MovedQuery:
        return MovedQuery(
            golden=golden.id,
            query=golden.query,
            evidence=_shortened(" … ".join(corpus.text(span) for span in golden.evidence)),
            before=first.score,
            after=then.score,
            rank_before=first.place,
            rank_after=then.place,
            top_before=_top(first, corpus),
            top_after=_top(then, corpus),
        )

    def gain(row: tuple[Golden, Retrieved, Retrieved]) -> tuple[float, float]:
        _, first, then = row
        return then.score - first.score, 1 / (then.place or 1e6) - 1 / (first.place or 1e6)

    gained = sorted((row for row in rows if gain(row)[0] > SAME), key=gain, reverse=True)
    lost = sorted((row for row in rows if gain(row)[0] < -SAME), key=gain)
    first = {name: tuple(told(*row) for row in of[:_MOST]) for name, of in (("gained", gained), ("lost", lost))}
    return {**first, "gained_count": len(gained), "lost_count": len(lost)}


def _top(retrieved: Retrieved, corpus: Corpus) -> TopPassage | None:
    if not retrieved.hits:
        return None
    text = " … ".join(corpus.text(place.span) for place in places_of(retrieved.hits[0].id) if place.doc_id in corpus)
    return TopPassage(text=_shortened(text), relevant=retrieved.place == 1)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
