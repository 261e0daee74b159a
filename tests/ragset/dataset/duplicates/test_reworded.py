import numpy as np
import pytest

from ragset.dataset.duplicates.reworded import Close, Verdict, close_pairs, judge_pairs, least_close
from ragset.errors import BudgetSpent
from ragset.generation.selection import UNDECIDED, drop_reworded
from ragset.llm.prompts import load_prompt
from ragset.llm.protocol import Completion, Request
from ragset.llm.replies import SameQuery
from ragset.models import Candidate, Chunk, Golden
from tests.scripted import Scripted

TEXT = "A worker is whoever performs services for another under his direction in return for pay."
DEFINES = "How does the Court define a worker?"
MEANT = "What is meant by a worker in the Court's rulings?"
PAID = "What does a worker get for services?"

SAME = SameQuery(reason="Both ask for the meaning of worker.", same=1)
OTHER = SameQuery(reason="One asks for pay.", same=0)


def grown(query: str, start: int = 0, score: int = 4, answer: str = "") -> Candidate:
    chunk = Chunk(doc_id="d", start=start, end=start + len(TEXT), text=TEXT)
    return Candidate(chunks=(chunk,), query=query, answer=answer, evidence=(chunk.span,), scores={"clarity": score})


def vectors(*cosines: float) -> np.ndarray:
    """The first row is (1, 0); the others have these cosines with it."""
    rows = [(1.0, 0.0), *((cosine, (1 - cosine**2) ** 0.5) for cosine in cosines)]
    return np.array(rows, dtype=np.float32)


def test_only_close_queries_with_evidence_in_common_are_compared() -> None:
    asked = [grown(DEFINES), grown(MEANT), grown(PAID), grown(MEANT, start=500)]
    pairs = close_pairs(asked, vectors(0.7, 0.1, 0.7), least=0.35)
    # PAID is as far from DEFINES as 0.1; its cosine with MEANT is 0.07 + 0.99 * 0.71 = 0.78
    assert [(pair.place, pair.of) for pair in pairs] == [(1, 0), (2, 1)]


def test_close_queries_with_the_same_answer_are_compared_wherever_their_evidence_is() -> None:
    answers = "By earning wages.", "Earning wages under direction.", "Wages."
    asked = [grown(query, 500 * place, answer=answers[place]) for place, query in enumerate((DEFINES, MEANT, PAID))]
    asked.append(grown(MEANT, 1_500, answer="A listed person."))
    pairs = close_pairs(asked, vectors(0.7, 0.1, 0.7), least=0.35)
    assert [(pair.place, pair.of) for pair in pairs] == [(2, 1), (1, 0)]  # the closest first


def test_queries_of_different_names_are_not_compared_because_of_their_answers() -> None:
    asked = [grown("Who won in Oslo?", 0, answer="Ida Moen."), grown("Who won in Bergen?", 500, answer="Ida Moen.")]
    assert close_pairs(asked, vectors(0.9), least=0.35) == []
    again = [*asked[:1], grown("Whose was the victory won in Oslo?", 500, answer="Ida Moen.")]
    assert [(pair.place, pair.of) for pair in close_pairs(again, vectors(0.9), least=0.35)] == [(1, 0)]


def test_of_pairs_with_the_same_answer_alone_there_are_no_more_than_queries() -> None:
    asked = [grown(DEFINES, 500 * place, answer="Earning wages.") for place in range(20)]
    assert len(close_pairs(asked, np.ones((20, 2), dtype=np.float32), least=0.35)) == 20


def test_earlier_goldens_are_compared_with_new_queries_and_not_with_each_other() -> None:
    earlier = [Golden.of(grown(PAID)), Golden.of(grown(DEFINES))]
    pairs = close_pairs([grown(MEANT)], vectors(), least=0.5, earlier=earlier, earlier_vectors=vectors(0.9))
    assert [(pair.place, pair.of) for pair in pairs] == [(0, earlier[0].id), (0, earlier[1].id)]


def test_the_offline_embedding_has_a_level_of_its_own() -> None:
    assert least_close("offline-2-512") < least_close("text-embedding-3-small")


async def test_the_critic_is_asked_once_about_each_pair_and_the_same_whichever_query_came_first() -> None:
    llm, prompt = Scripted({"same_query": [SAME]}), load_prompt("same_query")
    one, other = (
        close_pairs(asked, vectors(0.7), least=0.35)
        for asked in ([grown(DEFINES), grown(MEANT)], [grown(MEANT), grown(DEFINES)])
    )
    verdicts = await judge_pairs(one, {}, prompt, llm, stage="keep")
    assert await judge_pairs(other, verdicts, prompt, llm, stage="keep") == verdicts
    assert list(verdicts.values()) == [Verdict(queries=(DEFINES, MEANT), same=True, reason=SAME.reason)]
    assert len(llm.requests) == 1


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_that_the_critic_calls_the_same_the_better_stays_and_the_other_names_it(turned: bool) -> None:
    better, worse = grown(DEFINES, score=5), grown(MEANT, score=4)
    asked = [worse, better] if turned else [better, worse]
    pairs = close_pairs(asked, vectors(0.7), least=0.35)
    verdicts = {(DEFINES, MEANT): Verdict(queries=(DEFINES, MEANT), same=True, reason="Same.")}
    kept, (reject,) = drop_reworded(asked, pairs, verdicts)
    assert [one.query for one in kept] == [DEFINES]
    assert (reject.stage, reject.reason, reject.query) == ("keep", "repeats", MEANT)
    assert reject.detail == f"{Golden.of(better).id}: {DEFINES} (Same.)"


async def test_where_no_reply_can_be_read_both_stay_and_are_labelled() -> None:
    asked = [grown(DEFINES), grown(MEANT), grown(PAID)]
    pairs = [Close(1, 0, (DEFINES, MEANT), 0.7)]
    prompt = load_prompt("same_query")
    verdicts = await judge_pairs(pairs, {}, prompt, Scripted({"same_query": ["It depends."]}), stage="keep")
    kept, rejects = drop_reworded(asked, pairs, verdicts)
    assert [one.metadata.get(UNDECIDED) for one in kept] == [MEANT, DEFINES, None]
    assert rejects == []
    # a later word takes the label away again
    known = {(DEFINES, MEANT): Verdict(queries=(DEFINES, MEANT), same=False)}
    assert [one.metadata for one in drop_reworded(kept, pairs, known)[0]] == [{}, {}, {}]


async def test_a_spent_budget_leaves_a_pair_undecided() -> None:
    class Spent:
        model = "spent"

        async def complete(self, request: Request) -> Completion:
            raise BudgetSpent

    pairs = [Close(1, 0, (DEFINES, MEANT), 0.7)]
    (verdict,) = (await judge_pairs(pairs, {}, load_prompt("same_query"), Spent(), stage="keep")).values()
    assert verdict.same is None


async def test_what_the_critic_tells_apart_stays() -> None:
    asked = [grown(DEFINES), grown(PAID)]
    pairs = close_pairs(asked, vectors(0.5), least=0.35)
    verdicts = await judge_pairs(pairs, {}, load_prompt("same_query"), Scripted({"same_query": [OTHER]}), stage="keep")
    assert drop_reworded(asked, pairs, verdicts) == (asked, [])
