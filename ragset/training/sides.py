"""The goldens of a split dataset by side, and what training data must not hold of the validation and test sides."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self

from ragset.dataset.relevance.qrels import Gold, Layout, places_of
from ragset.errors import InputError
from ragset.models import Golden
from ragset.settings.command_line import command

Side = Literal["train", "validation", "test"]
SIDES: tuple[Side, ...] = ("train", "validation", "test")


class Sides(NamedTuple):
    """Goldens by side."""

    train: tuple[Golden, ...]
    validation: tuple[Golden, ...]
    test: tuple[Golden, ...]

    @property
    def held_out(self) -> tuple[Golden, ...]:
        """What no training data may come from."""
        return self.validation + self.test


def sides_of(goldens: Iterable[Golden], dataset: str, needed: Sequence[Side] = ("train", "test")) -> Sides:
    """The goldens by side.

    Raises:
        InputError: a side that is `needed` has no golden with evidence, or a golden is of a side of another name.
    """
    found: dict[str, list[Golden]] = {side: [] for side in SIDES}
    for golden in goldens:
        if golden.split not in found:
            raise InputError(f"{dataset}: {golden.id} has the split {golden.split!r}; use {', '.join(SIDES)}")
        found[golden.split].append(golden)
    evident = {side: sum(bool(golden.evidence) for golden in of) for side, of in found.items()}
    if missing := [side for side in needed if not evident[side]]:
        there = ", ".join(f"{number} for {side}" for side, number in evident.items())
        raise InputError(
            f"{dataset}: has no goldens with evidence for {' and '.join(missing)} ({there}). Make it again with a split; no model is asked "
            f"twice: repeat the command that made it with --split-by document added ({command('single-chunk')} … "
            "--split-by document)"
        )
    return Sides(*(tuple(found[side]) for side in SIDES))


By = Literal["document", "evidence"]


@dataclass(frozen=True)
class HeldOut:
    """The passages of goldens that nothing is trained on.

    Where goldens were split by document, none of their documents; otherwise none that shares a character with their evidence, a copy
    of it, or an equivalent.
    """

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
