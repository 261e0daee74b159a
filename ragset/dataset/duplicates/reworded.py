"""Pairs of queries that are close in meaning and share evidence or an answer; the critic says whether they ask the same."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ragset.dataset.duplicates.alike import Asked, Compared, answers_agree, apart
from ragset.dataset.duplicates.find import cosine_of, joined_rows, overlapping, pairs_above
from ragset.errors import BudgetSpent
from ragset.llm.ask import Unfit, ask
from ragset.llm.gather import gather_all
from ragset.llm.prompts import Prompt
from ragset.llm.protocol import LLM
from ragset.llm.replies import SameQuery
from ragset.models import Golden, Model
from ragset.retrieval.embedding.vectors import Vectors
from ragset.settings import OFFLINE

PROMPT = "same_query"
CLOSE = 0.6  # cosine from which on the critic compares two queries, for models of language
OFFLINE_CLOSE = 0.35  # the same for the offline embedding (docs/checks.md says how it was measured)


class Close(NamedTuple):
    """Two queries that may ask the same."""

    place: int
    of: int | str  # place of the other query, or the id of an earlier dataset's golden
    queries: tuple[str, str]  # in alphabetical order, so that the critic is asked the same whichever came first
    cosine: float


class Verdict(Model):
    """The critic's word on two queries."""

    queries: tuple[str, str]
    same: bool | None  # None: no reply could be read, or the budget was spent
    reason: str = ""


def least_close(embedder: str) -> float:
    """The value of `least` for vectors of this embedder."""
    return OFFLINE_CLOSE if embedder.startswith(OFFLINE) else CLOSE


def close_pairs(
    asked: Sequence[Asked],
    vectors: Vectors,
    *,
    least: float,
    earlier: Sequence[Golden] = (),
    earlier_vectors: Vectors | None = None,
    language: str = "en",
) -> list[Close]:
    """Pairs with a cosine of at least `least` that share a character of evidence, or an answer; no two earlier ones.

    Those that share an answer alone have no different names, and are no more than the queries asked, the closest first.
    """
    first = len(earlier)
    every: list[Asked] = [*earlier, *asked]
    rows = joined_rows(vectors, earlier, earlier_vectors)
    if rows is None:
        return []
    touching = overlapping([query.evidence for query in every])
    compared = Compared.each(every, language)
    found: list[Close] = []
    answered: list[Close] = []
    for one, other in pairs_above(rows, least):
        if other < first:
            continue
        left, right = sorted((every[one].query, every[other].query))
        of = earlier[one].id if one < first else one - first
        pair = Close(other - first, of, (left, right), cosine_of(rows, one, other))
        if (one, other) in touching:
            found.append(pair)
        elif answers_agree(compared[one], compared[other]) and not apart(compared[one], compared[other]):
            answered.append(pair)
    answered.sort(key=lambda pair: (-pair.cosine, pair.queries))
    return found + answered[: len(asked)]


async def judge_pairs(
    pairs: Sequence[Close], known: Mapping[tuple[str, str], Verdict], prompt: Prompt, critic: LLM, *, stage: str
) -> dict[tuple[str, str], Verdict]:
    """A verdict on each pair, by its queries; those that are `known` are not asked about again.

    Raises:
        LLMUnavailable, ProviderRefused: the critic cannot be asked.
    """

    async def judged(queries: tuple[str, str]) -> Verdict:
        try:
            reply = await ask(critic, prompt, SameQuery, {"query": queries[0], "evolved": queries[1]}, stage=stage)
        except BudgetSpent:
            return Verdict(queries=queries, same=None, reason="the budget is spent")
        if isinstance(reply, Unfit):
            return Verdict(queries=queries, same=None, reason=reply.detail)
        same = bool(reply.same)
        return Verdict(queries=queries, same=same, reason=reply.reason)

    new = [queries for queries in dict.fromkeys(pair.queries for pair in pairs) if queries not in known]
    verdicts = await gather_all(*map(judged, new))
    return {**known, **dict(zip(new, verdicts, strict=True))}
