"""What training data must not hold: passages of the validation and test sides.

Where goldens were split by document, no passage of a held-out golden's documents may be trained on; otherwise none that
shares a character with its evidence, a copy of it, or an equivalent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

from ragset.dataset.relevance.qrels import Gold, Layout, places_of
from ragset.models import Golden

By = Literal["document", "evidence"]


@dataclass(frozen=True)
class HeldOut:
    """The passages of goldens that nothing is trained on."""

    evidence: Layout
    documents: frozenset[str]

    @classmethod
    def of(cls, goldens: Iterable[Golden], gold: Gold, by: By) -> Self:
        """Of the goldens of the validation and test sides; `gold` has them all."""
        goldens = tuple(goldens)
        spans = [span for golden in goldens for pieces in gold[golden.id] for places in pieces for span in places]
        documents = {span.doc_id for span in spans}
        documents |= {place.doc_id for golden in goldens for chunk in golden.chunks for place in places_of(chunk)}
        return cls(Layout(span.id for span in spans), frozenset(documents if by == "document" else ()))

    def holds(self, chunk: str) -> bool:
        """Whether the chunk of that id must not be trained on."""
        return any(place.doc_id in self.documents or self.evidence.overlapping(place) for place in places_of(chunk))
