"""Groups of goldens that have something in common: a label, an overlap with the evidence, a document."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ragset.dataset.labels import labels_of
from ragset.documents.corpus import Corpus
from ragset.models import Golden

Groups = Mapping[str, Sequence[str]]
"""By golden id, the names of its groups."""

ORDER = {
    "hardness": ("easy", "medium", "hard"),
    "split": ("train", "validation", "test"),
    "overlap": ("low", "middle", "high"),
}
"""By the first word of a group's name; other groups go by size."""


def members_of(groups: Groups, title: str = "") -> dict[str, list[str]]:
    """The goldens of each group: in the `ORDER` of the property of that title, else the largest first."""
    members: dict[str, list[str]] = {}
    for golden, names in groups.items():
        for name in names:
            members.setdefault(name, []).append(golden)
    order = {value: place for place, value in enumerate(ORDER.get(title, ()))}

    def place(name: str) -> tuple[int, int, str]:
        return order.get(name.partition(",")[0], len(order)), -len(members[name]), name

    return {name: members[name] for name in sorted(members, key=place)}


def by_label(goldens: Sequence[Golden], label: Callable[[Golden], str]) -> Groups:
    """By a label; without goldens that have none."""
    return {golden.id: (value,) for golden in goldens if (value := label(golden))}


def by_overlap(goldens: Sequence[Golden]) -> Groups:
    """By the share of the query's words that stand in the evidence: about a third of the goldens in each."""
    shares = {golden.id: share for golden in goldens if (share := labels_of(golden).overlap) is not None}
    if not shares:
        return {}
    order = sorted(shares.values())
    third = (len(order) - 1) // 3
    low, high = order[third], order[-1 - third]
    if low == high:
        # More than a third have one share: then there are those, and the ones apart from them.
        low, high = order[0], order[-1]

    def part(share: float) -> str:
        return f"low, to {low:.0%}" if share <= low else f"high, from {high:.0%}" if share >= high else "middle"

    return {golden: (part(share),) for golden, share in shares.items()}


def by_document(goldens: Sequence[Golden], corpus: Corpus) -> Groups:
    """The documents of each golden; where two have one title, their sources tell them apart."""
    ids = {span.doc_id for golden in goldens for span in golden.evidence}
    documents = {id_: corpus[id_] for id_ in sorted(ids) if id_ in corpus}
    seen = Counter(document.title for document in documents.values())

    def name(doc_id: str) -> str:
        if doc_id not in documents:
            return doc_id
        title, source = documents[doc_id].title, documents[doc_id].sources[0]
        return source if not title else title if seen[title] == 1 else f"{title} ({source})"

    return {golden.id: tuple(dict.fromkeys(name(span.doc_id) for span in golden.evidence)) for golden in goldens}
