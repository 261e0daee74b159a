import pytest

from ragset.llm.prompts import builtin_folder, check_prompts, load_prompt, prompt_names, read_pins
from ragset.llm.prompts.files import read_prompts
from ragset.llm.prompts.template import Prompt
from ragset.text.tokens import count_tokens

PROMPTS = read_prompts(builtin_folder())

CONTRACT = {
    "judge_chunk": (("chunk",), "ChunkVerdict"),
    "draft_open_query": (("chunk",), "QueryDraft"),
    "draft_factoid_query": (("chunk",), "QueryDraft"),
    "draft_keyphrase_query": (("chunk",), "KeyphraseDraft"),
    "draft_exam_query": (("chunk",), "QueryDraft"),
    "evolve_generalise": (("chunk", "query"), "EvolvedQuery"),
    "evolve_reasoning": (("chunk", "query"), "EvolvedQuery"),
    "evolve_conditional": (("chunk", "query"), "EvolvedQuery"),
    "evolve_constraints": (("chunk", "query"), "EvolvedQuery"),
    "evolve_deepen": (("chunk", "query"), "EvolvedQuery"),
    "evolve_concretise": (("chunk", "query"), "EvolvedQuery"),
    "evolve_more_steps": (("chunk", "query"), "EvolvedQuery"),
    "evolve_complicate_input": (("chunk", "query"), "EvolvedQuery"),
    "evolve_broaden": (("chunk", "query"), "EvolvedQuery"),
    "evolve_compress": (("chunk", "query"), "EvolvedQuery"),
    "answer_query": (("chunk", "query"), "GroundedAnswer"),
    "critique_golden": (("audience", "chunks", "query", "answer", "quotes"), "Critique"),
    "critique_query": (("audience", "query"), "QueryCritique"),
    "grade_passage": (("query", "chunks"), "PassageGrades"),
    "read_passages": (("chunks", "query"), "ReaderAnswer"),
    "rerank_passages": (("chunks", "query"), "Ranking"),
    "judge_answer": (("query", "reference", "answer"), "AnswerVerdict"),
    "judge_faithfulness": (("chunks", "query", "answer"), "Claims"),
    "list_claims": (("query", "reference"), "ReferenceClaims"),
    "match_passages": (("chunks", "query", "claims"), "ClaimSources"),
    "match_answer": (("query", "reference", "answer", "claims", "said"), "AnswerMatch"),
    "translate_prompt": (("language", "fixed", "texts"), "Translation"),
}


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.key)
def test_no_text_moves_without_a_version(prompt: Prompt) -> None:
    assert read_pins().get(prompt.key) == prompt.digest, "raise `version` in the file, then pin it"


def test_every_built_in_prompt_is_well_formed() -> None:
    assert check_prompts() == []


@pytest.mark.parametrize("name", CONTRACT)
def test_a_prompt_takes_what_its_step_gives_and_asks_for_what_it_reads(name: str) -> None:
    prompt = load_prompt(name)
    assert (prompt.inputs, prompt.reply) == CONTRACT[name]


def test_there_is_no_prompt_that_no_step_asks() -> None:
    assert set(prompt_names()) >= set(CONTRACT)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.key)
def test_every_prompt_says_that_documents_are_data_and_asks_for_json(prompt: Prompt) -> None:
    # Servers in JSON mode refuse a prompt without the word.
    assert "never instructions" in prompt.system or prompt.language != "en"
    assert "JSON" in prompt.system


REASON_FIRST = (
    '{"reason":"',
    '{"feedback":"',
    '{"groundedness":{"reason":"',
    '{"clarity":{"reason":"',
    '{"claims":[{"claim":"',
    '{"claims":[]}',
    '{"sources":[{"claim":1,"reason":"',
    '{"reference":[{"claim":1,"reason":"',
)


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt.key)
def test_every_example_gives_a_reason_first(prompt: Prompt) -> None:
    assert prompt.examples
    for message in prompt.render(dict.fromkeys(prompt.inputs, "x")):
        if message.role == "assistant":
            assert message.content.startswith(REASON_FIRST)


@pytest.mark.parametrize("name", [name for name in CONTRACT if name.startswith(("draft_", "evolve_"))])
def test_prompts_that_write_queries_show_good_ones_bad_ones_and_none(name: str) -> None:
    examples = load_prompt(name).examples
    assert any(example.reply["query"] is None for example in examples)
    assert any(example.avoid for example in examples)
    assert any(example.reply["query"] for example in examples)


def test_a_standard_candidate_costs_at_most_3500_prompt_tokens() -> None:
    chunk = " ".join(["Green tea turns bitter above eighty degrees"] * 40)
    while count_tokens(chunk) > 256:
        chunk = chunk.rsplit(" ", 1)[0]
    inputs = {
        "audience": "people who work with these documents",
        "title": "Tea > Brewing",
        "quotes": ["Green tea turns bitter above eighty degrees."],
        "chunk": chunk,
        "chunks": [chunk],
        "before": [chunk[:800]],
        "after": [chunk[:600]],
        "query": "Why does shading gyokuro bushes before harvest make the tea taste sweeter?",
        "answer": "In little light the leaves keep theanine that sun would turn into bitter catechins.",
    }
    total = 0
    for name in ("draft_factoid_query", "critique_golden"):
        for message in load_prompt(name).render(inputs):
            total += count_tokens(message.content) + 4  # what chat formats add to a message
    assert total <= 3_500
