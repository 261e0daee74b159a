"""Searches the corpus for each query: does the search find the evidence, and which other passages does it find?"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from ragset.dataset.relevance.qrels import is_relevant
from ragset.dataset.relevance.repeats import SHORTEST
from ragset.generation.checks import CheckSettings
from ragset.models import Candidate, Chunk, Reject, Span
from ragset.retrieval.search import IndexSearch
from ragset.text.context_window import text_of
from ragset.text.words import writes_without_spaces

STAGE = "find"
METADATA = "round_trip"


def search_for_evidence(
    candidates: Sequence[Candidate], search: IndexSearch, checks: CheckSettings
) -> list[Candidate | Reject]:
    """Each candidate with the rank of its evidence in `metadata["round_trip"]`, and as `found` the passages to judge.

    A chunk that says the evidence word for word elsewhere counts as the evidence. A candidate whose evidence is not
    among the first `round_trip_k` is a Reject if `checks` filter; with `holes`, `update_rank` decides that later.
    Passages to judge are found with `holes`, and for unanswerable candidates, after the chunk that they nearly ask about.

    Raises:
        StoreError, ProviderError: from the search.
    """
    outcomes: list[Candidate | Reject] = list(candidates)
    answerable = [place for place, one in enumerate(candidates) if not one.unanswerable and checks.round_trip != "off"]
    queries = [candidates[place].query for place in answerable]
    ranked = search.ranked(queries, checks.round_trip_by, checks.round_trip_k) if queries else []
    before_own = [_before_own(candidates[place], ids) for place, ids in zip(answerable, ranked, strict=True)]
    for place, ids, before in zip(answerable, ranked, _read_together(before_own, search), strict=True):
        known = {"ranked": tuple(ids), "copies": tuple(_copies(candidates[place], before))}
        candidate = candidates[place].model_copy(update=known)
        outcomes[place] = _labelled(candidate, checks) if checks.holes else update_rank(candidate, checks, STAGE)
    judged = [(place, one) for place, one in enumerate(outcomes) if isinstance(one, Candidate)]
    judged = [(place, one) for place, one in judged if checks.holes or one.unanswerable]
    queries = [one.query for _, one in judged]
    rankings = [search.ranked(queries, mode, checks.pool) for mode in ("bm25", "dense")] if queries else [[], []]
    firsts = [one.chunks if one.unanswerable else () for _, one in judged]
    others = [
        unlabelled_passages(found, one.evidence, [chunk.span for chunk in first])
        for (_, one), first, *found in zip(judged, firsts, *rankings, strict=True)
    ]
    for (place, one), first, found in zip(judged, firsts, _read_together(others, search), strict=True):
        outcomes[place] = one.model_copy(update={"found": (*first, *found)})
    return outcomes


def update_rank(candidate: Candidate, checks: CheckSettings, stage: str) -> Candidate | Reject:
    """The candidate with its rank among what was found; a Reject of `stage` if it has none and `checks` filter."""
    if candidate.ranked is None:
        return candidate
    labelled = _labelled(candidate, checks)
    if labelled.metadata[METADATA]["rank"] is None and checks.round_trip == "filter":
        detail = f"no chunk that answers it is among the first {checks.round_trip_k} of {checks.round_trip_by}"
        return candidate.rejected(stage, "not_found_again", detail)
    return labelled.model_copy(update={"ranked": None, "copies": ()})


def _labelled(candidate: Candidate, checks: CheckSettings) -> Candidate:
    rank = first_relevant(candidate.ranked or (), (*candidate.evidence, *candidate.equivalents, *candidate.copies))
    label = {"rank": rank, "k": checks.round_trip_k, "by": checks.round_trip_by}
    return candidate.model_copy(update={"metadata": {**candidate.metadata, METADATA: label}})


def first_relevant(ids: Sequence[str], evidence: Sequence[Span]) -> int | None:
    """The rank, from 1, of the first chunk that is relevant to a span of the evidence; None where none is."""
    for rank, chunk in enumerate(map(Span.of_id, ids), start=1):
        if any(span.doc_id == chunk.doc_id and is_relevant(chunk.start, chunk.end, span) for span in evidence):
            return rank
    return None


def unlabelled_passages(
    rankings: Sequence[Sequence[str]], labelled: Sequence[Span], first: Sequence[Span] = ()
) -> list[str]:
    """The chunk ids of all rankings, each once: the best of each, then the second of each, and so on.

    Left out is a chunk that shares a character with a labelled span, or half of the shorter of the two with one before
    it or one of the `first`. Test collections are judged so since TREC (Spärck Jones and van Rijsbergen, 1975).
    """
    taken = list(first)
    found: list[str] = []
    for chunk_id in (one for level in zip_longest(*rankings) for one in level if one is not None):
        place = Span.of_id(chunk_id)
        repeats = (is_relevant(place.start, place.end, other) for other in taken if other.doc_id == place.doc_id)
        if not any(map(place.overlap, labelled)) and not any(repeats):
            taken.append(place)
            found.append(chunk_id)
    return found


def _before_own(candidate: Candidate, ids: Sequence[str]) -> Sequence[str]:
    """The chunks that rank before the candidate's own."""
    own = first_relevant(ids, candidate.evidence)
    return ids if own is None else ids[: own - 1]


def _read_together(lists: Sequence[Sequence[str]], search: IndexSearch) -> list[list[Chunk]]:
    """The chunks of each list of ids; all are read at once, since each reading takes a whole part of the file."""
    wanted = list(dict.fromkeys(chain.from_iterable(lists)))
    chunks = dict(zip(wanted, search.chunks(wanted), strict=True)) if wanted else {}
    return [[chunks[key] for key in ids] for ids in lists]


def _copies(candidate: Candidate, before: Sequence[Chunk]) -> Iterator[Span]:
    """Where chunks say the evidence of the candidate word for word, whatever the white space."""
    for span in candidate.evidence:
        words = text_of(span, candidate.chunks).split()
        said = " ".join(words)
        # Few chunks hold it: to compile the pattern takes longer than all else of a search.
        for chunk in before if len(said) >= SHORTEST else ():
            for match in _pattern(words).finditer(chunk.text) if said in " ".join(chunk.text.split()) else ():
                start, end = (chunk.start + place for place in match.span())
                yield Span(doc_id=chunk.doc_id, start=start, end=end)


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    first, last = words[0][0], words[-1][-1]
    begins = r"(?<![^\W_])" if first.isalnum() and not writes_without_spaces(first) else ""
    ends = r"(?![^\W_])" if last.isalnum() and not writes_without_spaces(last) else ""
    return re.compile(begins + r"\s+".join(map(re.escape, words)) + ends)
