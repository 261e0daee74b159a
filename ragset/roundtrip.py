"""The way back: does a search by the query find the evidence, and what else does it find?"""

from collections.abc import Sequence

from ragset.checks import CheckSettings
from ragset.metrics.layout import place_of
from ragset.metrics.qrels import is_relevant
from ragset.models import Candidate, Chunk, Reject, Span
from ragset.pool import pooled
from ragset.search import Search

STAGE = "find"
METADATA = "round_trip"


def find_again(candidates: Sequence[Candidate], search: Search, checks: CheckSettings) -> list[Candidate | Reject]:
    """Each candidate with the rank of its evidence in `metadata["round_trip"]`, and with the passages to judge as `found`.

    A candidate whose evidence is not among the first `round_trip_k` is a Reject where `checks` filter. Passages are
    pooled for unanswerable candidates, which begin with the chunk they nearly ask about, and for others where `checks`
    look for holes. No model is asked; all candidates are searched for together.

    Raises:
        StoreError, ProviderError: from the search.
    """
    ranks = _ranks(candidates, search, checks)
    pools = _pools(candidates, search, checks)
    outcomes: list[Candidate | Reject] = []
    for place, candidate in enumerate(candidates):
        changes: dict[str, object] = {}
        if place in ranks:
            rank, k, by = ranks[place], checks.round_trip_k, checks.round_trip_by
            if rank is None and checks.round_trip == "filter":
                detail = f"no chunk with its evidence is among the first {k} of {by}"
                outcomes.append(candidate.rejected(STAGE, "not_found_again", detail))
                continue
            changes["metadata"] = {**candidate.metadata, METADATA: {"rank": rank, "k": k, "by": by}}
        if place in pools:
            changes["found"] = pools[place]
        outcomes.append(candidate.model_copy(update=changes))
    return outcomes


def first_relevant(ids: Sequence[str], evidence: Sequence[Span]) -> int | None:
    """The rank, from 1, of the first chunk that is relevant to a span of the evidence; None where none is."""
    for rank, chunk_id in enumerate(ids, start=1):
        chunk = place_of(chunk_id)
        if any(span.doc_id == chunk.doc_id and is_relevant(chunk.start, chunk.end, span) for span in evidence):
            return rank
    return None


def _ranks(candidates: Sequence[Candidate], search: Search, checks: CheckSettings) -> dict[int, int | None]:
    """By the place of the candidate; the unanswerable ones have nothing to find again."""
    places = [place for place, one in enumerate(candidates) if not one.unanswerable and checks.round_trip != "off"]
    queries = [candidates[place].query for place in places]
    found = search.ranked(queries, checks.round_trip_by, checks.round_trip_k) if places else []
    return {place: first_relevant(ids, candidates[place].evidence) for place, ids in zip(places, found, strict=True)}


def _pools(candidates: Sequence[Candidate], search: Search, checks: CheckSettings) -> dict[int, tuple[Chunk, ...]]:
    """By the place of the candidate."""
    places = [place for place, one in enumerate(candidates) if checks.holes or one.unanswerable]
    if not places:
        return {}
    queries = [candidates[place].query for place in places]
    rankings = zip(
        search.ranked(queries, "bm25", checks.pool), search.ranked(queries, "dense", checks.pool), strict=True
    )
    pools: dict[int, tuple[Chunk, ...]] = {}
    for place, ranked in zip(places, rankings, strict=True):
        candidate = candidates[place]
        first = candidate.chunks if candidate.unanswerable else ()
        labelled = [chunk.span for chunk in first] or candidate.evidence
        pools[place] = (*first, *search.chunks(pooled(ranked, labelled)))
    return pools
