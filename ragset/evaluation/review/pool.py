"""What people are asked of a benchmark: the answers and the first passages that its systems gave for a random part of the goldens.

An answer or passage that several systems gave is asked once, and nothing about it tells which systems those are.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ragset.dataset.exporters.results import read_answers, read_run, read_runs
from ragset.dataset.read import read_lines
from ragset.dataset.relevance.qrels import places_of
from ragset.dataset.review.order import Queued, ReviewPlan, queue
from ragset.dataset.review.records import Kind
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.evaluation.results.folder import CORPUS, GOLDENS
from ragset.models import UNANSWERABLE, Golden, Span

DEPTH = 5
"""As many passages of each ranking are judged."""


class Item(NamedTuple):
    """An answer or a passage."""

    kind: Kind
    golden: str
    answer: str
    """Empty for a passage."""
    passage: str
    """The id of the hit; empty for an answer."""
    spans: tuple[Span, ...]
    """Where the passage stands."""


class Pool(NamedTuple):
    """The items of a benchmark."""

    corpus: Corpus
    goldens: Mapping[str, Golden]
    items: Mapping[str, Item]
    order: tuple[Queued, ...]
    """The answers and then the passages, golden by golden, in random order."""
    drawn: Mapping[Kind, tuple[str, ...]]
    """The goldens of which answers or passages are asked, in the order in which they were drawn."""
    asked: Mapping[Kind, Mapping[tuple[str, str], tuple[str | None, ...]]]
    """By configuration and golden the items of what it gave, best first; None for a passage that is in no document."""


def read_pool(folder: Path, plan: ReviewPlan) -> Pool:
    """The items of a folder of results; the sample of the plan counts goldens."""
    for name in (GOLDENS, CORPUS):
        if not (folder / name).is_file():
            raise InputError(f"{folder}: has no {name}, so there is nothing to show; run the benchmark again")
    corpus = Corpus.open(folder / CORPUS)
    goldens = {golden.id: golden for golden in read_lines(folder / GOLDENS, Golden)}
    answered = [id_ for id_, one in goldens.items() if (one.answer or "").strip() and one.kind != UNANSWERABLE]
    drawn: dict[Kind, list[Queued]] = {
        "answer": _drawn(answered, plan),
        "relevance": _drawn([id_ for id_, golden in goldens.items() if golden.evidence], plan),
    }
    given: dict[Kind, dict[tuple[str, str], list[Item | None]]] = {
        "answer": _answers(folder, {one.item for one in drawn["answer"]}),
        "relevance": _passages(folder, corpus, {one.item for one in drawn["relevance"]}),
    }
    items: dict[str, Item] = {}
    asked: dict[Kind, dict[tuple[str, str], tuple[str | None, ...]]] = {"answer": {}, "relevance": {}}
    for kind, of in given.items():
        for key, found in of.items():
            ids = tuple(one and _id(one, goldens[one.golden]) for one in found)
            for id_, one in zip(ids, found, strict=True):
                if id_ and one:
                    items.setdefault(id_, one)
            asked[kind][key] = ids
    order = _ordered(items, drawn, plan)
    return Pool(
        corpus, goldens, items, order, {kind: tuple(one.item for one in of) for kind, of in drawn.items()}, asked
    )


def _drawn(goldens: Sequence[str], plan: ReviewPlan) -> list[Queued]:
    return [one for one in queue(goldens, plan) if one.part == "sample"]


def _answers(folder: Path, drawn: set[str]) -> dict[tuple[str, str], list[Item | None]]:
    return {
        (name, golden): [Item("answer", golden, answer.strip(), "", ())]
        for name, answers in read_answers(folder).items()
        for golden, answer in answers.items()
        if golden in drawn and answer.strip()
    }


def _passages(folder: Path, corpus: Corpus, drawn: set[str]) -> dict[tuple[str, str], list[Item | None]]:
    found: dict[tuple[str, str], list[Item | None]] = {}
    for system, path in read_runs(folder, corpus.hash):
        for golden, lines in groupby(read_run(path, system), key=lambda line: line.golden):
            if golden in drawn:
                first = [line.passage for line, _ in zip(lines, range(DEPTH), strict=False)]
                found[system.name, golden] = [_passage(golden, passage, corpus) for passage in first]
    return found


def _passage(golden: str, id_: str, corpus: Corpus) -> Item | None:
    try:
        spans = tuple(place.span for place in places_of(id_) if place.doc_id in corpus)
    except InputError:
        return None
    return Item("relevance", golden, "", id_, spans) if spans else None


def _id(item: Item, golden: Golden) -> str:
    """The same for the same query, reference, and answer or place: a judgement holds as long as what was judged."""
    judged = [golden.query, golden.answer, item.kind, re.sub(r"\s+", " ", item.answer), item.passage]
    return f"{item.golden}:{hashlib.sha256(json.dumps(judged).encode()).hexdigest()[:12]}"


def _ordered(items: Mapping[str, Item], drawn: Mapping[Kind, Sequence[Queued]], plan: ReviewPlan) -> tuple[Queued, ...]:
    turn = {(kind, one.item): place for kind, of in drawn.items() for place, one in enumerate(of)}
    people = {(kind, one.item): one.people for kind, of in drawn.items() for one in of}

    def place(id_: str) -> tuple[str, int, bytes]:
        kind, golden = items[id_].kind, items[id_].golden
        return kind, turn[kind, golden], hashlib.sha256(f"{plan.seed}\n{id_}".encode()).digest()

    return tuple(Queued(id_, "sample", people[items[id_].kind, items[id_].golden]) for id_ in sorted(items, key=place))
