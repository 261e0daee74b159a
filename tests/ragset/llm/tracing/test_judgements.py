import json

import pytest

from ragset.llm.ask import ask
from ragset.llm.prompts import load_prompt
from ragset.llm.replies import AnswersCompared, AnswerVerdict, Claim, Claims, QueryDraft
from tests.otlp_receiver import Receiver
from tests.scripted import Scripted

VERDICT = AnswerVerdict(feedback="Names no temperature.", correctness=4, completeness=0.5, conciseness=1)
ASKED = {"query": "How hot?", "reference": "Up to 80 °C.", "answer": "Not too hot."}


async def test_a_judgement_shows_each_verdict(receiver: Receiver) -> None:
    llm = Scripted({"judge_answer": [VERDICT]})
    await ask(llm, load_prompt("judge_answer"), AnswerVerdict, ASKED, stage="judge_answer")
    (found,) = receiver.of("EVALUATOR")
    assert (found.name, found.attributes["ragset.stage"], found.failed) == ("judge_answer", "judge_answer", False)
    assert [(one["gen_ai.evaluation.name"], one["gen_ai.evaluation.score.value"]) for one in found.events] == [
        ("correctness", 4),
        ("completeness", 0.5),
        ("conciseness", 1.0),
    ]
    assert json.loads(found.attributes["output.value"]) == {"correctness": 4, "completeness": 0.5, "conciseness": 1.0}
    assert not receiver.holds("temperature")


async def test_words_and_replies_within_a_reply_are_verdicts_too(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    claims = Claims(claims=(Claim(claim="It is hot.", reason="Said so.", supported=1),))
    compared = AnswersCompared(reason="One says less.", verdict="lesser")
    llm = Scripted({"judge_faithfulness": [claims], "compare_answers": [compared]})
    asked = {"chunks": ("Tea is hot.",), "query": "How hot?", "answer": "It is hot."}
    await ask(llm, load_prompt("judge_faithfulness"), Claims, asked, stage="s")
    prompt = load_prompt("compare_answers")
    await ask(llm, prompt, AnswersCompared, dict.fromkeys(prompt.inputs, "x"), stage="s")
    first, second = (one.events[0] for one in receiver.of("EVALUATOR"))
    assert first["gen_ai.evaluation.name"] == "claims.0.supported"
    assert first["gen_ai.evaluation.explanation"] == "Said so."
    assert (second["gen_ai.evaluation.name"], second["gen_ai.evaluation.score.label"]) == ("verdict", "lesser")


async def test_a_judgement_that_cannot_be_read_says_so_and_a_draft_is_no_judgement(receiver: Receiver) -> None:
    llm = Scripted({"judge_answer": ["no"], "draft_open_query": [QueryDraft(reason="r", query="Why?")]})
    await ask(llm, load_prompt("judge_answer"), AnswerVerdict, ASKED, stage="judge_answer")
    draft = load_prompt("draft_open_query")
    await ask(llm, draft, QueryDraft, dict.fromkeys(draft.inputs, "x"), stage="draft")
    (found,) = receiver.of("EVALUATOR")
    assert (found.failed, found.attributes["error.type"]) == (True, "malformed_reply")
