"""Searches the corpus for each query: does the search find the evidence, and which other passages does it find?"""

from collections.abc import Mapping, Sequence

from ragset.evaluation.metrics.layout import place_of
from ragset.evaluation.metrics.qrels import is_relevant
from ragset.generation.checks import CheckSettings
from ragset.generation.copies import find_copies
from ragset.generation.unlabelled import unlabelled_candidates
from ragset.models import Candidate, Chunk, Reject, Span
from ragset.retrieval.search import Search
from ragset.text.passages import text_of

STAGE = "find"
METADATA = "round_trip"


def search_for_evidence(
    candidates: Sequence[Candidate], search: Search, checks: CheckSettings
) -> list[Candidate | Reject]:
    """Each candidate with the rank of its evidence in `metadata["round_trip"]`, and as `found` the passages to judge.

    A chunk that says the evidence word for word elsewhere counts as the evidence, as in a benchmark. A candidate whose
    evidence is not among the first `round_trip_k` is a Reject if `checks` filter; with `holes`, `update_rank` decides
    that later. Passages to judge are found with `holes`, and for unanswerable candidates, where the chunk that they
    nearly ask about comes first. All candidates are searched for together.

    Raises:
        StoreError, ProviderError: from the search.
    """
    ranked = _ranked_chunks(candidates, search, checks)
    copies = _copies(candidates, ranked, search)
    passages = _passages_to_judge(candidates, search, checks)
    outcomes: list[Candidate | Reject] = []
    for place, candidate in enumerate(candidates):
        outcome: Candidate | Reject = candidate.model_copy(update={"found": passages.get(place, candidate.found)})
        if place in ranked:
            outcome = outcome.model_copy(update={"copies": copies[place]})
            outcome = _with_rank(outcome, ranked[place], checks, None if checks.holes else STAGE)
            if isinstance(outcome, Candidate):
                waiting = {"ranked": ranked[place]} if checks.holes else {"ranked": None, "copies": ()}
                outcome = outcome.model_copy(update=waiting)
        outcomes.append(outcome)
    return outcomes


def update_rank(candidate: Candidate, checks: CheckSettings, stage: str) -> Candidate | Reject:
    """The candidate with its rank among what the search found, now that its equivalents are known.

    A Reject of `stage` where neither evidence nor an equivalent was found, and `checks` filter.
    """
    if candidate.ranked is None:
        return candidate
    outcome = _with_rank(candidate, candidate.ranked, checks, stage)
    return outcome.model_copy(update={"ranked": None, "copies": ()}) if isinstance(outcome, Candidate) else outcome


def first_relevant(ids: Sequence[str], evidence: Sequence[Span]) -> int | None:
    """The rank, from 1, of the first chunk that is relevant to a span of the evidence; None where none is."""
    for rank, chunk_id in enumerate(ids, start=1):
        chunk = place_of(chunk_id)
        if any(span.doc_id == chunk.doc_id and is_relevant(chunk.start, chunk.end, span) for span in evidence):
            return rank
    return None


def _with_rank(
    candidate: Candidate, ids: Sequence[str], checks: CheckSettings, filters: str | None
) -> Candidate | Reject:
    """The candidate with its label; a Reject of the stage `filters` where nothing relevant was found."""
    rank = first_relevant(ids, (*candidate.evidence, *candidate.equivalents, *candidate.copies))
    k, by = checks.round_trip_k, checks.round_trip_by
    if rank is None and checks.round_trip == "filter" and filters is not None:
        detail = f"no chunk that answers it is among the first {k} of {by}"
        return candidate.rejected(filters, "not_found_again", detail)
    metadata = {**candidate.metadata, METADATA: {"rank": rank, "k": k, "by": by}}
    return candidate.model_copy(update={"metadata": metadata})


def _ranked_chunks(
    candidates: Sequence[Candidate], search: Search, checks: CheckSettings
) -> dict[int, tuple[str, ...]]:
    """Ids of the chunks found, by the place of the candidate; unanswerable ones have no evidence to find."""
    places = [place for place, one in enumerate(candidates) if not one.unanswerable and checks.round_trip != "off"]
    queries = [candidates[place].query for place in places]
    found = search.ranked(queries, checks.round_trip_by, checks.round_trip_k) if places else []
    return {place: tuple(ids) for place, ids in zip(places, found, strict=True)}


def _copies(
    candidates: Sequence[Candidate], ranked: Mapping[int, Sequence[str]], search: Search
) -> dict[int, tuple[Span, ...]]:
    """By the place of the candidate, where chunks that rank before its own say its evidence word for word."""
    before: dict[int, Sequence[str]] = {}
    for place, ids in ranked.items():
        own = first_relevant(ids, candidates[place].evidence)
        before[place] = ids if own is None else ids[: own - 1]
    wanted = sorted({key for ids in before.values() for key in ids})
    chunks = dict(zip(wanted, search.chunks(wanted), strict=True)) if wanted else {}
    found: dict[int, tuple[Span, ...]] = {}
    for place, ids in before.items():
        candidate, others = candidates[place], [chunks[key] for key in ids]
        said = [text_of(span, candidate.chunks) for span in candidate.evidence]
        found[place] = tuple(copy for one in said for copy in find_copies(one, others, search.passage))
    return found


def _passages_to_judge(
    candidates: Sequence[Candidate], search: Search, checks: CheckSettings
) -> dict[int, tuple[Chunk, ...]]:
    """By the place of the candidate, the passages that nobody has labelled yet."""
    places = [place for place, one in enumerate(candidates) if checks.holes or one.unanswerable]
    if not places:
        return {}
    queries = [candidates[place].query for place in places]
    by_words = search.ranked(queries, "bm25", checks.pool)
    by_meaning = search.ranked(queries, "dense", checks.pool)
    passages: dict[int, tuple[Chunk, ...]] = {}
    for place, *rankings in zip(places, by_words, by_meaning, strict=True):
        candidate = candidates[place]
        first = candidate.chunks if candidate.unanswerable else ()
        labelled = () if candidate.unanswerable else candidate.evidence
        others = unlabelled_candidates(rankings, labelled, [chunk.span for chunk in first])
        passages[place] = (*first, *search.chunks(others))
    return passages
