"""Which chunks stay: those without which a query has no answer, or another than from all."""

from collections.abc import Mapping

from ragset.generation.stage import Setup
from ragset.llm.protocol import Completion, Request
from ragset.llm.replies import AnswersCompared, ContextAnswer, Critique, GroundedAnswer, Quote
from ragset.models import Candidate, Reject, Span
from ragset.settings import ContextWritingSettings
from tests.samples import TRAMS, outcome_of
from tests.scripted import Scripted

SETUP = Setup(ContextWritingSettings(), min_chunks=2)
QUERY = "Had Brill an electric tramway when the tramway of Aldmoor opened?"
WHOLE = "Yes, three years before."
EVIDENCE = tuple(chunk.span for chunk in TRAMS)
PLACES = {chunk.text: place for place, chunk in enumerate(TRAMS)}


class Answers:
    """Answers from some of the chunks, named by their places in TRAMS, and says of each answer whether it is the whole one."""

    model = "answers"

    def __init__(self, answers: Mapping[tuple[int, ...], str], verdicts: Mapping[str, str]) -> None:
        self.answers, self.verdicts = answers, verdicts
        self.shown: list[tuple[int, ...]] = []
        self.compared: list[str] = []
        self.scored: list[str] = []

    async def complete(self, request: Request) -> Completion:
        inputs = request.inputs
        if request.prompt == "critique_golden":
            self.scored.append(inputs["answer"])
            good = {"reason": "So.", "score": 5}
            needed = list(range(1, len(inputs["quotes"]) + 1))
            reply = {"groundedness": {**good, "needed": needed}, "relevance": good, "clarity": good}
            return self._completion(Critique.model_validate(reply).model_dump_json())
        if request.prompt == "compare_answers":
            assert (inputs["query"], inputs["answer"]) == (QUERY, WHOLE)
            self.compared.append(inputs["partial"])
            fields = {"reason": "As it seems.", "verdict": self.verdicts[inputs["partial"]]}
            return self._completion(AnswersCompared.model_validate(fields).model_dump_json())
        texts = [inputs["chunk"]] if request.prompt == "answer_query" else inputs["chunks"]
        places = tuple(PLACES[text] for text in texts)
        self.shown.append(places)
        answer = self.answers.get(places)
        if request.prompt == "answer_query":
            verdict, quotes = ("answered", texts) if answer else ("not_in_passage", [])
            return self._completion(
                GroundedAnswer.model_validate(
                    {"reason": "So.", "verdict": verdict, "answer": answer, "quotes": quotes}
                ).model_dump_json()
            )
        said = [Quote(chunk=number, quote=text) for number, text in enumerate(texts, start=1)] if answer else []
        reply = {"reason": "So.", "verdict": "answered" if answer else "not_in_passages", "answer": answer}
        return self._completion(ContextAnswer.model_validate({**reply, "quotes": said}).model_dump_json())

    def _completion(self, text: str) -> Completion:
        return Completion(text=text, model=self.model, prompt_tokens=1, completion_tokens=1)


async def left(
    answers: Mapping[tuple[int, ...], str], chunks: int = 3, setup: Setup = SETUP, **verdicts: str
) -> tuple[Candidate | Reject, Answers]:
    llm = Answers(answers, {name.replace("_", " "): verdict for name, verdict in verdicts.items()})
    given = Candidate(chunks=TRAMS[:chunks], query=QUERY, answer=WHOLE, evidence=EVIDENCE[:chunks])
    return await outcome_of("necessity", given, llm, setup), llm


async def test_chunks_without_which_there_is_no_answer_all_stay_and_nothing_is_compared() -> None:
    outcome, llm = await left({}, chunks=2)
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.answer, outcome.evidence) == (TRAMS[:2], WHOLE, EVIDENCE[:2])
    assert (llm.shown, llm.compared, llm.scored) == ([(1,), (0,)], [], [])
    assert outcome.lineage[-1].kind == "2 of 2"


async def test_a_chunk_without_which_the_answer_is_lesser_or_another_stays() -> None:
    outcome, llm = await left({(1,): "part", (0,): "no"}, chunks=2, part="lesser", no="other")
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.answer) == (TRAMS[:2], WHOLE)
    assert sorted(llm.compared) == ["no", "part"]


async def test_a_chunk_without_which_the_answer_is_the_same_goes_with_its_evidence() -> None:
    outcome, llm = await left({(0, 1): "Yes"}, Yes="same")
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.spare) == (TRAMS[:2], TRAMS[2:])
    # 0-58 and 40-85: the spans of the two chunks that are left
    assert outcome.evidence == tuple(Span(doc_id=one.doc_id, start=one.start, end=one.end) for one in TRAMS[:2])
    assert outcome.answer == "Yes"
    assert outcome.metadata["left_out"] == [
        {"chunk": TRAMS[2].id, "stage": "necessity", "reason": "answered without it: As it seems."}
    ]
    asked = [step.prompt.partition("@")[0] for step in outcome.lineage]
    assert asked == ["answer_multi_query", "compare_answers", "critique_golden"]
    assert (llm.scored, outcome.scores["groundedness"]) == (["Yes"], 5)
    # without each of three, then without each of the two that are left
    assert llm.shown == [(1, 2), (0, 2), (0, 1), (1,), (0,)]


async def test_of_two_that_say_the_same_only_the_later_goes() -> None:
    outcome, _ = await left({(0, 2): "Yes", (0, 1): "Yes"}, Yes="same")
    assert isinstance(outcome, Candidate)
    assert outcome.chunks == TRAMS[:2]


async def test_what_one_chunk_answers_is_rejected_or_kept_with_that_chunk_alone() -> None:
    outcome, _ = await left({(0,): "Yes"}, chunks=2, Yes="same")
    assert isinstance(outcome, Reject)
    assert outcome.reason == "needs_too_few_chunks"
    keeping = Setup(ContextWritingSettings(single="keep"), min_chunks=2)
    outcome, _ = await left({(0,): "Yes"}, chunks=2, setup=keeping, Yes="same")
    assert isinstance(outcome, Candidate)
    assert (outcome.chunks, outcome.evidence, outcome.kind) == (TRAMS[:1], EVIDENCE[:1], "single-chunk")


async def test_one_chunk_is_not_asked_about() -> None:
    single = Candidate(chunks=TRAMS[:1], query=QUERY)
    assert await outcome_of("necessity", single, Scripted({}), Setup(ContextWritingSettings())) == single
