"""The goldens of a dataset as items to judge."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.deploy.review.passages import Passages
from ragset.dataset import read_dataset
from ragset.dataset.labels import labels_of, spans_shown
from ragset.dataset.review.guidelines import Guideline, load_guideline
from ragset.dataset.review.order import queue_goldens, read_plan
from ragset.dataset.review.records import Kind
from ragset.models import Golden, Span
from ragset.settings import Environment

if TYPE_CHECKING:
    from flows.deploy.review.near import NearPassages

GOLDEN: Kind = "golden"


class Goldens:
    """The goldens of the dataset in a folder."""

    def __init__(self, folder: Path) -> None:
        dataset = read_dataset(folder)
        self.name = dataset.manifest.corpus.name
        self.corpus = dataset.corpus
        self.guidelines: dict[Kind, Guideline] = {GOLDEN: load_guideline(GOLDEN, Environment().ragset_prompts)}
        self._goldens = {golden.id: golden for golden in dataset.goldens}
        self.order = queue_goldens(dataset.goldens, read_plan(folder))
        self.kinds: dict[str, Kind] = dict.fromkeys(self._goldens, GOLDEN)
        self._passages = Passages(self.corpus)

    def view(self, item: str) -> dict[str, Any]:
        """The query and its answer, and windows of the documents around what is marked.

        A corpus-wide query has assertions in their place, whose evidence nobody can change.
        """
        golden = self._goldens[item]
        reference = {
            "answer": golden.answer,
            "evidence": [span.model_dump() for span in golden.evidence],
            "equivalents": [span.model_dump() for span in golden.equivalents],
            "near": True,
        }
        return {
            "query": golden.query,
            **({"near": False} if golden.assertions else reference),
            "parts": _parts(golden),
            "tags": [golden.kind],
            "passages": self._passages.around(spans_shown(golden)),
        }

    def critic(self, item: str) -> Sequence[tuple[str, str]]:
        """The critic's scores, and the labels that searches and readers gave."""
        golden = self._goldens[item]
        labels = labels_of(golden)
        trip = labels.round_trip
        known = {
            **{name.replace("_", " "): f"{score} of 5" for name, score in sorted(golden.scores.items())},
            "hardness": labels.hardness,
            "without the passage": labels.closed_book,
            "found by a search": "" if trip is None else f"at rank {trip.rank}" if trip.rank else f"not among {trip.k}",
        }
        return [(name, value) for name, value in known.items() if value]

    def near(self, item: str, query: str) -> Sequence[Span]:
        """What a search finds for the query, beside what is marked."""
        golden = self._goldens[item]
        return self._search.search(query, (*golden.evidence, *golden.equivalents))

    @cached_property
    def _search(self) -> "NearPassages":
        from flows.deploy.review.near import NearPassages  # seconds of imports that the first item does not wait for

        return NearPassages(self.corpus)


def _parts(golden: Golden) -> list[dict[str, Any]]:
    """What has evidence of its own: the earlier turns of a conversation and its last question, or assertions."""
    said = golden.conversation
    turns = [
        ("Asked before" if number == 0 else "Then", f"{turn.question}\n{turn.answer}", turn.evidence)
        for number, turn in enumerate(said.turns if said else ())
    ]
    last = [("Asked last; the query is this question rewritten to stand alone", said.question, ())] if said else []
    assertions = [
        (
            f"Assertion {number}, by {len(one.documents)} {'document' if len(one.documents) == 1 else 'documents'}",
            one.statement,
            one.evidence,
        )
        for number, one in enumerate(golden.assertions, start=1)
    ]
    return [
        {"label": label, "text": text, "evidence": [span.model_dump() for span in spans]}
        for label, text, spans in (*turns, *last, *assertions)
    ]
