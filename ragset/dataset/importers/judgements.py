"""Judgements of passages by query, as goldens: a passage judged above 0 is evidence, with its grade."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ragset.dataset.importers.imported import SetBuilder
from ragset.models import Span
from ragset.text.quotes import merge


class Judgement(NamedTuple):
    """One line of a file of judgements."""

    where: str
    query: str
    document: str
    grade: int


Find = Callable[[str], Span | str]
"""The span that the name of a document stands for, or why there is none."""


def add_judged(
    builder: SetBuilder,
    judgements: Iterable[Judgement],
    queries: Mapping[str, str],
    find: Find,
    *,
    split: str,
    told: str,
) -> None:
    """Add each query that was judged, with all of its relevant passages; `told` is the file of the queries."""
    by_query: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        by_query[judgement.query].append(judgement)
    for id_, judged in by_query.items():
        where, query = judged[0].where, queries.get(id_)
        relevant = [judgement for judgement in judged if judgement.grade > 0]
        if query is None:
            builder.report(where, f"{told} has no query {id_}")
            continue
        if not relevant:
            builder.report(where, f"no document is judged relevant to query {id_}", query)
        grades: dict[Span, int] = {}
        for judgement in relevant:
            found = find(judgement.document)
            if isinstance(found, str):
                builder.report(judgement.where, found, query)
            else:
                grades[found] = max(judgement.grade, grades.get(found, 0))
        # Passages that touch are one piece of evidence.
        whole = {span: max(grade for one, grade in grades.items() if span.overlap(one)) for span in merge(grades)}
        if whole:
            builder.add_golden(query, "", whole, where=where, source=id_, split=split, grades=whole)
