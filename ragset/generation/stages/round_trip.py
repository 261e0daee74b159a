"""The way back: does a search by the query find the evidence, and what else does it find?"""

from collections.abc import Mapping, Sequence

from ragset.evaluation.metrics.layout import place_of
from ragset.evaluation.metrics.qrels import is_relevant
from ragset.generation.checks import CheckSettings
from ragset.generation.copies import find_copies
from ragset.generation.unlabelled import pooled
from ragset.models import Candidate, Chunk, Reject, Span
from ragset.retrieval.search import Search
from ragset.text.passages import text_of

STAGE = "find"
METADATA = "round_trip"


def find_again(candidates: Sequence[Candidate], search: Search, checks: CheckSettings) -> list[Candidate | Reject]:
    """Each candidate with the rank of its evidence in `metadata["round_trip"]`, and with the passages to judge as `found`.

    A chunk that says the evidence word for word in another place counts as the evidence's own, as it does in a benchmark.
    A candidate whose evidence is not among the first `round_trip_k` is a Reject where `checks` filter; where they look for
    holes, that is decided when these are known (`rank_again`). Passages are
    pooled for unanswerable candidates, which begin with the chunk they nearly ask about, and for others where `checks`
    look for holes. No model is asked; all candidates are searched for together.

    Raises:
        StoreError, ProviderError: from the search.
    """
    ranks = _ranks(candidates, search, checks)
    copies = _copies(candidates, ranks, search)
    pools = _pools(candidates, search, checks)
    outcomes: list[Candidate | Reject] = []
    for place, candidate in enumerate(candidates):
        changes: dict[str, object] = {}
        if place in ranks:
            copied = candidate.model_copy(update={"copies": copies[place]})
            outcome = _ranked(copied, ranks[place], checks, None if checks.holes else STAGE)
            if isinstance(outcome, Reject):
                outcomes.append(outcome)
                continue
            candidate = outcome
            changes |= {} if checks.holes else {"copies": ()}
            changes["ranked"] = ranks[place] if checks.holes else None
        if place in pools:
            changes["found"] = pools[place]
        outcomes.append(candidate.model_copy(update=changes))
    return outcomes


def rank_again(candidate: Candidate, checks: CheckSettings, stage: str) -> Candidate | Reject:
    """The candidate with its rank among what was found for it, now that its equivalents are known.

    A Reject of `stage` where neither evidence nor an equivalent was found, and `checks` filter.
    """
    if candidate.ranked is None:
        return candidate
    outcome = _ranked(candidate, candidate.ranked, checks, stage)
    return outcome.model_copy(update={"ranked": None, "copies": ()}) if isinstance(outcome, Candidate) else outcome


def _ranked(candidate: Candidate, ids: Sequence[str], checks: CheckSettings, stage: str | None) -> Candidate | Reject:
    """With the label; a Reject of the stage, if there is one that filters."""
    rank = first_relevant(ids, (*candidate.evidence, *candidate.equivalents, *candidate.copies))
    k, by = checks.round_trip_k, checks.round_trip_by
    if rank is None and checks.round_trip == "filter" and stage is not None:
        detail = f"no chunk that answers it is among the first {k} of {by}"
        return candidate.rejected(stage, "not_found_again", detail)
    metadata = {**candidate.metadata, METADATA: {"rank": rank, "k": k, "by": by}}
    return candidate.model_copy(update={"metadata": metadata})


def first_relevant(ids: Sequence[str], evidence: Sequence[Span]) -> int | None:
    """The rank, from 1, of the first chunk that is relevant to a span of the evidence; None where none is."""
    for rank, chunk_id in enumerate(ids, start=1):
        chunk = place_of(chunk_id)
        if any(span.doc_id == chunk.doc_id and is_relevant(chunk.start, chunk.end, span) for span in evidence):
            return rank
    return None


def _ranks(candidates: Sequence[Candidate], search: Search, checks: CheckSettings) -> dict[int, tuple[str, ...]]:
    """Ids of what is found, by the place of the candidate; the unanswerable ones have nothing to find again."""
    places = [place for place, one in enumerate(candidates) if not one.unanswerable and checks.round_trip != "off"]
    queries = [candidates[place].query for place in places]
    found = search.ranked(queries, checks.round_trip_by, checks.round_trip_k) if places else []
    return {place: tuple(ids) for place, ids in zip(places, found, strict=True)}


def _copies(
    candidates: Sequence[Candidate], ranks: Mapping[int, Sequence[str]], search: Search
) -> dict[int, tuple[Span, ...]]:
    """By the place of the candidate, where the chunks that are ranked before its own say its evidence word for word."""
    before: dict[int, Sequence[str]] = {}
    for place, ids in ranks.items():
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
        labelled = () if candidate.unanswerable else candidate.evidence
        pools[place] = (*first, *search.chunks(pooled(ranked, labelled, [chunk.span for chunk in first])))
    return pools
