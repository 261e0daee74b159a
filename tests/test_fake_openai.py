import asyncio
import json
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import pytest

from ragset.generation.checks import CheckSettings
from ragset.generation.stage import Case, Models, Setup, Stage
from ragset.generation.stages.draft import draft_near_miss
from ragset.llm.ask import Complaint, Unfit, ask
from ragset.llm.client import OpenAIClient
from ragset.llm.prompts import Prompt, load_prompt
from ragset.llm.replies import (
    AnswersCompared,
    AnswerVerdict,
    ChunkVerdict,
    Claims,
    ClosedBookAnswer,
    ContextAnswer,
    ContextDraft,
    ContextDrafts,
    EvolvedQuery,
    GroundedAnswer,
    KeyphraseDraft,
    NearMiss,
    QueryDraft,
    QuerySplit,
    QueryVerdict,
    Ranking,
    ReaderAnswer,
    Reply,
    SameQuery,
    Supports,
    Translation,
)
from ragset.llm.request_format import Mode
from ragset.models import Candidate, Chunk, Reject
from ragset.settings import WritingSettings
from ragset.text.quotes import locate
from ragset.text.rules.conjoined import conjoined
from ragset.text.rules.passage_references import leans
from tests.clients import client_of, request_of
from tests.fake_openai import Fake, fake_openai
from tests.samples import outcome_of, prompts

R = TypeVar("R", bound=Reply)

PROMPTS = sorted(path.stem for path in (Path(__file__).parents[1] / "prompts").glob("*.md") if "." not in path.stem)
CHUNK = (
    "The text above says that gyokuro is shaded. In little light the leaves keep </chunk> theanine, as the "
    "following table shows. Growers in Uji brew it at 60 °C!\n\nIt needs two minutes."
)
HOJICHA = (
    "Which leaves become hojicha? Growers roast bancha over charcoal until </chunk> caffeine leaves it. It is brown."
)
MATCHA = "Matcha is tencha ground between granite stones, and whisked into water with bamboo. Serve it at once!"
CHUNKS = (CHUNK, HOJICHA, MATCHA)
INPUTS: dict[str, Any] = {
    "chunk": CHUNK,
    "chunks": CHUNKS,
    "second": HOJICHA,
    "query": "Why is gyokuro shaded?",
    "evolved": "In detail: Why is gyokuro shaded?",
    "feedback": "Name the plant.",
    "reference": "Little light keeps its theanine.",
    "answer": "For theanine.",
    "claims": ("Little light keeps its theanine.", "It is shaded."),
    "said": ("For theanine.",),
    "partial": "For its taste.",
    "questions": ("How long is gyokuro shaded?",),
    "answers": ("Three weeks.",),
    "last": "Why?",
    "count": "2 to 4",
    "spread": "2",
    "documents": ("AB", "CD", "EF"),  # of a claim or passage its letters, of a quote one of them
    "assertions": ("Little light keeps theanine.", "Gyokuro is shaded."),
    "support": (("Little light keeps its theanine.", "It is shaded."), ("Gyokuro is shaded.",)),
    "audience": "tea drinkers",
    "quotes": ("Gyokuro is shaded.", "Little light keeps its theanine."),
    "language": "Dutch",
    "fixed": ("query",),
    "texts": ("Steep it twice.", "Tea"),
}
WHOLE = "How does gyokuro work, and how does hojicha differ from it?"


_servers: list[Fake] = []


@pytest.fixture(scope="module", autouse=True)
def _one_server() -> Generator[None]:
    with fake_openai() as server:
        _servers.append(server)
        yield
        _servers.clear()


@contextmanager
def served(**options: Any) -> Generator[Fake]:
    """The server of this file as if it had just been started, with these options."""
    (server,) = _servers
    server.reset()
    server.set(**options)
    yield server


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
async def test_every_prompt_is_answered_in_every_form(mode: Mode) -> None:
    with served() as fake:
        async with client_of(fake) as client:
            client.form = client.form._replace(mode=mode)
            for name in PROMPTS:
                prompt = load_prompt(name)
                reply = await ask(client, prompt, prompt.reply_type, INPUTS, stage="test")
                assert not isinstance(reply, Unfit), (name, reply)
                match reply:
                    case (
                        QueryDraft(query=query)
                        | KeyphraseDraft(query=query)
                        | ContextDrafts(drafts=(ContextDraft(query=query),))
                    ):
                        assert query
                        assert leans(query) is None
                    case EvolvedQuery(query=query):
                        assert query != INPUTS["query"]
                    case GroundedAnswer(quotes=quotes):
                        assert all(locate(quote, chunk_of(CHUNK)) for quote in quotes)
                    case ReaderAnswer(answer=answer, chunks=chunks):
                        assert chunks == (1,)
                        assert answer
                        assert locate(answer, chunk_of(CHUNK))
                    case Ranking(order=order):
                        assert order == (1, 2, 3)
                    case AnswerVerdict(feedback=feedback):
                        assert feedback == "By the hash of their texts."
                    case Claims(claims=claims):
                        assert [(claim.claim, claim.supported) for claim in claims] == [("For theanine.", 0)]
                    case Supports(passages=passages):
                        assert [(one.passage, one.verdict) for one in passages] == [(n, "none") for n in (1, 2, 3)]
                    case NearMiss(query=query, missing=missing):
                        assert query
                        assert missing
                        assert leans(query) is None
                    case Translation(texts=texts):
                        assert [text.text for text in texts] == ["Steep het twice.", "Tea"]
                    case _:
                        pass


def chunk_of(text: str) -> Chunk:
    return Chunk(doc_id="d", start=0, end=len(text), text=text)


async def test_faults_strike_the_same_requests_in_every_order() -> None:
    struck: list[set[str]] = []
    with fake_openai(errors=0.3, seed=7) as fake:
        for order in (1, -1):
            fake.reset()
            async with client_of(fake, max_retries=20) as client:
                cases = [request_of(f"Case {number}") for number in range(30)][::order]
                await asyncio.gather(*map(client.complete, cases))
            struck.append({entry["digest"] for entry in fake.log() if entry["status"] == 500})
    assert struck[0] == struck[1]
    assert 3 <= len(struck[0]) <= 20


async def test_lost_quote_is_found_when_asked_for_again() -> None:
    prompt = load_prompt("answer_query")
    turns = list(prompt.render(INPUTS))
    with served(lost_quotes=1.0) as fake:
        async with client_of(fake) as client:
            request = request_of().model_copy(update={"reply": GroundedAnswer, "messages": tuple(turns)})
            lost = GroundedAnswer.model_validate_json((await client.complete(request)).text)
            again = turns[-1].model_copy(update={"content": "Not in the passage. Copy it."})
            request = request.model_copy(update={"messages": (*turns, again)})
            found = GroundedAnswer.model_validate_json((await client.complete(request)).text)
    assert lost.quotes[0] not in CHUNK
    assert found.quotes[0] in CHUNK


async def test_share_of_chunks_is_rejected() -> None:
    with served(reject_share=0.3) as fake:
        async with client_of(fake) as client:
            replies = await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(100)))
    verdicts = [ChunkVerdict.model_validate_json(reply.text).self_containment for reply in replies]
    assert 15 <= verdicts.count(0) <= 45


async def test_hostile_queries_reach_the_caller_as_they_are() -> None:
    prompt = load_prompt("draft_open_query")
    with served(hostile=1.0) as fake:
        async with client_of(fake) as client:
            reply = await ask(client, prompt, QueryDraft, INPUTS, stage="test")
    assert isinstance(reply, QueryDraft)
    assert reply.query
    assert reply.query.startswith("=HYPERLINK(")
    assert "<script>" in reply.query
    assert "</chunk>" in reply.query
    assert leans(reply.query) is None


async def test_log_on_disk_has_every_request(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with fake_openai(log=path) as fake:
        async with client_of(fake) as client:
            await client.complete(request_of("One"))
            await client.complete(request_of("One"))
        shown = fake.log()
    assert list(map(json.loads, path.read_text().splitlines())) == shown
    assert len(shown) == 2
    assert shown[0]["digest"] == shown[1]["digest"]


@pytest.mark.parametrize(
    ("fault", "sizes"), [("", [16, 16]), ("nan", [16, 16]), ("short", [16, 15]), ("missing", [16])]
)
def test_embeddings_are_of_the_size_asked_for_or_faulty_to_order(fault: str, sizes: list[int]) -> None:
    with served(embedding_fault=fault) as fake:
        asked = {"model": "e", "input": ["green tea", "tea, green"], "dimensions": 16}
        response = httpx2.post(f"{fake.url}/embeddings", json=asked)
    vectors = [item["embedding"] for item in json.loads(response.text)["data"]]
    assert list(map(len, vectors)) == sizes
    if not fault:
        assert vectors[0] == vectors[1]
        assert sum(value * value for value in vectors[0]) == pytest.approx(1)


def probe(reply: type[Reply], inputs: tuple[str, ...], user: str) -> Prompt:
    fields = {"name": "probe", "version": 1, "purpose": "A test.", "inputs": inputs, "reply": reply.__name__}
    return Prompt.model_validate({**fields, "system": "Read the passages.", "user": user})


PASSAGES = '{% for chunk in chunks %}<chunk n="{{ loop.index }}">\n{{ chunk }}\n</chunk>\n{% endfor %}'
DRAFT = probe(ContextDrafts, ("chunks",), PASSAGES)
SPLIT, ANSWER = (
    probe(reply, ("chunks", "query"), PASSAGES + "<query>{{ query }}</query>") for reply in (QuerySplit, ContextAnswer)
)
COMPARE = probe(AnswersCompared, ("query", "partial"), "<query>{{ query }}</query>\n<partial>{{ partial }}</partial>")
EVOLVE = probe(
    EvolvedQuery,
    ("chunk", "second", "query"),
    "<chunk>\n{{ chunk }}\n</chunk>\n<second>\n{{ second }}\n</second>\n<query>{{ query }}</query>",
)
CONJOINED = re.compile(r"How does ([^\W\d_]{5,}) work, and how does ([^\W\d_]{5,}) differ from it\?")
COMPARED = re.compile(r"How do ([^\W\d_]{5,}) and ([^\W\d_]{5,}) compare \([0-9a-f]{8}\)\?")


async def reply_to(client: OpenAIClient, prompt: Prompt, reply: type[R], **inputs: Any) -> R:
    found = await ask(client, prompt, reply, {**INPUTS, **inputs}, stage="test")
    assert not isinstance(found, Unfit), found
    return found


async def draft_of(client: OpenAIClient, *chunks: str) -> str:
    (drafted,) = (await reply_to(client, DRAFT, ContextDrafts, chunks=chunks)).drafts
    assert drafted.query
    assert drafted.shape == "comparison"
    return drafted.query


async def split_of(client: OpenAIClient, query: str = WHOLE) -> list[tuple[str, tuple[int, ...]]]:
    reply = await reply_to(client, SPLIT, QuerySplit, query=query)
    return [(part.query, part.chunks) for part in reply.parts]


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
async def test_every_reply_about_several_chunks_is_known_in_every_form(mode: Mode) -> None:
    with served() as fake:
        async with client_of(fake) as client:
            client.form = client.form._replace(mode=mode)
            for prompt in (DRAFT, SPLIT, COMPARE, ANSWER, EVOLVE):
                await reply_to(client, prompt, prompt.reply_type)
        names = [entry["reply"] for entry in fake.log()]
    assert names == ["ContextDrafts", "QuerySplit", "AnswersCompared", "ContextAnswer", "EvolvedQuery"]


async def test_draft_about_several_chunks_is_one_question_with_a_word_of_each_of_two() -> None:
    with served() as fake:
        async with client_of(fake) as client:
            query = await draft_of(client, *CHUNKS)
    words = COMPARED.fullmatch(query)
    assert words
    assert words[1] in CHUNK
    assert words[1] not in HOJICHA
    assert words[2] in HOJICHA
    assert words[2] not in CHUNK
    assert leans(query) is None
    assert conjoined(query) is None


async def test_drafts_differ_from_one_set_of_chunks_to_the_next() -> None:
    sets = [(CHUNK, HOJICHA), (CHUNK, MATCHA), (HOJICHA, MATCHA), CHUNKS]
    with served() as fake:
        async with client_of(fake) as client:
            queries = [await draft_of(client, *chunks) for chunks in sets]
    assert len(set(queries)) == 4


async def test_words_that_ask_or_name_nothing_are_not_asked_about() -> None:
    chunks = (
        "Where would which whose gyokuro before itself?",
        "Which where whether could should hojicha between others?",
    )
    with served() as fake:
        async with client_of(fake) as client:
            query = await draft_of(client, *chunks)
    assert query.startswith("How do gyokuro and hojicha compare")


async def test_share_of_drafts_is_conjoined() -> None:
    with served(conjoined=0.3) as fake:
        async with client_of(fake) as client:
            cases = [(f"{CHUNK} {number}", HOJICHA) for number in range(100)]
            queries = await asyncio.gather(*(draft_of(client, *chunks) for chunks in cases))
    assert all(CONJOINED.fullmatch(query) or COMPARED.fullmatch(query) for query in queries)
    assert 15 <= sum(CONJOINED.fullmatch(query) is not None for query in queries) <= 45


async def test_conjoined_query_is_split_into_what_needs_one_chunk_and_what_needs_two() -> None:
    with served(conjoined=1.0) as fake:
        async with client_of(fake) as client:
            whole = await draft_of(client, *CHUNKS)
            parts = await split_of(client, whole)
    words = CONJOINED.fullmatch(whole)
    assert words
    assert conjoined(whole)
    assert parts == [
        (f"How does {words[1]} work?", (1,)),
        (f"How does {words[2]} differ from {words[1]}?", (1, 2)),
    ]
    assert not any(leans(query) or conjoined(query) for query, _ in parts)


async def test_query_that_is_one_question_stays_whole() -> None:
    with served() as fake:
        async with client_of(fake) as client:
            whole = await draft_of(client, *CHUNKS)
            parts = await split_of(client, whole)
    assert parts == [(whole, (1, 2, 3))]


async def test_query_drafted_elsewhere_is_split_by_its_own_words() -> None:
    with served() as fake:
        async with client_of(fake) as client:
            parts = await split_of(client, "Why is hojicha brown, and how is gyokuro shaded?")
    assert parts == [("How does hojicha work?", (1,)), ("How does gyokuro differ from hojicha?", (1, 2))]


def wholes(count: int) -> list[str]:
    """As many conjoined queries."""
    return [
        WHOLE.replace("hojicha", f"hojicha{chr(97 + number // 26)}{chr(97 + number % 26)}") for number in range(count)
    ]


def mistake_in(parts: list[tuple[str, tuple[int, ...]]]) -> str:
    (_, _), (query, chunks) = parts
    if parts[0] == parts[1]:
        return "repeated"
    if not chunks:
        return "no chunk"
    if max(chunks) > len(CHUNKS):
        return "unknown chunk"
    if conjoined(query):
        return "conjoined"
    return "leaning" if leans(query) else ""


async def test_bad_splits_are_bad_in_five_ways_and_good_when_asked_for_again() -> None:
    refused: list[str] = []

    def refuse(reply: QuerySplit) -> Complaint | None:
        mistake = mistake_in([(part.query, part.chunks) for part in reply.parts])
        refused.extend([mistake] if mistake else [])
        return Complaint(reason="bad_split", message="Split it again.") if mistake else None

    with served(bad_splits=1.0) as fake:
        async with client_of(fake) as client:
            for whole in wholes(40):
                reply = await ask(client, SPLIT, QuerySplit, {**INPUTS, "query": whole}, stage="test", check=refuse)
                assert not isinstance(reply, Unfit)
    assert len(refused) == 40
    assert set(refused) == {"repeated", "no chunk", "unknown chunk", "conjoined", "leaning"}


async def test_share_of_first_splits_is_bad() -> None:
    with served(bad_splits=0.3) as fake:
        async with client_of(fake) as client:
            splits = await asyncio.gather(*(split_of(client, whole) for whole in wholes(100)))
    assert 15 <= sum(bool(mistake_in(parts)) for parts in splits) <= 45


async def test_hopeless_split_stays_bad_however_often_it_is_asked_for() -> None:
    def refuse(reply: QuerySplit) -> Complaint | None:
        assert mistake_in([(part.query, part.chunks) for part in reply.parts])
        return Complaint(reason="bad_split", message="Split it again.")

    with served(hopeless_splits=1.0) as fake:
        async with client_of(fake) as client:
            reply = await ask(client, SPLIT, QuerySplit, {**INPUTS, "query": WHOLE}, stage="test", check=refuse)
        assert len(fake.log()) == 2
    assert reply == Unfit(reason="bad_split", detail="Split it again.")


@pytest.mark.parametrize(
    ("unneeded", "chunks", "needed"),
    [(0.0, CHUNKS, (1, 2, 3)), (1.0, CHUNKS, (1, 2)), (1.0, CHUNKS[:2], (1, 2))],
)
async def test_last_of_three_chunks_is_not_quoted_to_order(
    unneeded: float, chunks: tuple[str, ...], needed: tuple[int, ...]
) -> None:
    with served(unneeded=unneeded) as fake:
        async with client_of(fake) as client:
            reply = await reply_to(client, ANSWER, ContextAnswer, chunks=chunks)
    assert tuple(quote.chunk for quote in reply.quotes) == needed


async def test_share_of_answers_from_fewer_chunks_is_the_same() -> None:
    with served(sufficient=0.3) as fake:
        async with client_of(fake) as client:
            cases = [f"Why is gyokuro {number} shaded?" for number in range(100)]
            replies = await asyncio.gather(
                *(reply_to(client, COMPARE, AnswersCompared, query=query) for query in cases)
            )
    verdicts = [reply.verdict for reply in replies]
    assert 15 <= verdicts.count("same") <= 45
    assert set(verdicts) == {"same", "lesser"}


async def test_answer_from_several_chunks_quotes_each() -> None:
    with served() as fake:
        async with client_of(fake) as client:
            reply = await reply_to(client, ANSWER, ContextAnswer)
    assert reply.verdict == "answered"
    assert reply.answer
    assert [quote.chunk for quote in reply.quotes] == [1, 2, 3]
    assert all(quote.quote in chunk for quote, chunk in zip(reply.quotes, CHUNKS, strict=True))
    assert all(quote.quote.rstrip(".!?") in reply.answer for quote in reply.quotes)
    assert re.fullmatch(r"[^.!?]+\.", reply.answer)


async def test_lost_quotes_of_several_chunks_are_found_when_asked_for_again() -> None:
    lost: list[str] = []

    def refuse(reply: ContextAnswer) -> Complaint | None:
        missing = [said.quote for said, chunk in zip(reply.quotes, CHUNKS, strict=True) if said.quote not in chunk]
        lost.extend(missing)
        return Complaint(reason="quote_not_found", message="Copy them.") if missing else None

    with served(lost_quotes=1.0) as fake:
        async with client_of(fake) as client:
            reply = await ask(client, ANSWER, ContextAnswer, INPUTS, stage="test", check=refuse)
    assert isinstance(reply, ContextAnswer)
    assert len(lost) == 3


async def test_query_evolved_to_need_a_second_chunk_has_a_word_of_each() -> None:
    with served() as fake:
        async with client_of(fake) as client:
            query = (await reply_to(client, EVOLVE, EvolvedQuery)).query
    assert query
    words = re.fullmatch(r"How does (\w+) bear on (\w+) \([0-9a-f]{8}\)\?", query)
    assert words
    assert words[1] in CHUNK
    assert words[2] in HOJICHA
    assert leans(query) is None
    assert conjoined(query) is None


async def test_hostile_query_about_several_chunks_is_still_split_in_two() -> None:
    with served(hostile=1.0, conjoined=1.0) as fake:
        async with client_of(fake) as client:
            whole = await draft_of(client, *CHUNKS)
            parts = await split_of(client, whole)
    assert whole.startswith("=HYPERLINK(")
    words = CONJOINED.search(whole)
    assert words
    assert [query for query, _ in parts] == [
        f"How does {words[1]} work?",
        f"How does {words[2]} differ from {words[1]}?",
    ]


async def test_shares_by_text_are_the_same_from_one_server_to_the_next() -> None:
    cases = [(f"{CHUNK} {number}", HOJICHA, MATCHA) for number in range(12)]
    seen: list[list[Reply]] = []
    for _ in range(2):
        with fake_openai(conjoined=0.5, hopeless_splits=0.5, unneeded=0.5, sufficient=0.5) as fake:
            async with client_of(fake) as client:
                seen.append(
                    [
                        await reply_to(client, prompt, prompt.reply_type, chunks=chunks, query=f"{WHOLE} {chunks[0]}")
                        for chunks in cases
                        for prompt in (DRAFT, SPLIT, ANSWER, COMPARE)
                    ]
                )
    assert seen[0] == seen[1]


async def test_reader_abstains_where_no_passage_shares_a_word_with_the_query() -> None:
    with served() as fake:
        async with client_of(fake) as client:
            prompt = load_prompt("read_passages")
            reply = await reply_to(client, prompt, ReaderAnswer, query="Whither walks Aldmoor's tramway?")
    assert (reply.verdict, reply.answer, reply.chunks) == ("abstained", None, ())


async def test_answer_that_is_the_reference_is_graded_best_and_others_by_chance() -> None:
    prompt = load_prompt("judge_answer")
    with served() as fake:
        async with client_of(fake) as client:
            best = await reply_to(client, prompt, AnswerVerdict, reference="For theanine.")
            cases = [reply_to(client, prompt, AnswerVerdict, answer=f"For {number}.") for number in range(60)]
            others = await asyncio.gather(*cases)
    assert (best.correctness, best.completeness) == (5, 1)
    assert {reply.correctness for reply in others} == {1, 2, 3, 4, 5}
    assert {reply.completeness for reply in others} == {0, 0.5, 1}


async def test_claim_that_a_passage_states_to_the_letter_is_supported() -> None:
    answer = "Growers in Uji brew it at 60 °C! Growers in Kyoto brew it at 90 °C!"
    with served() as fake:
        async with client_of(fake) as client:
            reply = await reply_to(client, load_prompt("judge_faithfulness"), Claims, answer=answer)
    assert [claim.supported for claim in reply.claims] == [1, 0]


async def _asked(name: str, inputs: dict[str, Any], **options: Any) -> Any:
    with served(**options) as fake:
        async with client_of(fake) as client:
            prompt = load_prompt(name)
            return await ask(client, prompt, prompt.reply_type, inputs, stage="test")


@pytest.mark.parametrize(("share", "grade"), [(0.0, 3), (1.0, 1)])
async def test_chunks_are_graded_highest_or_lowest(share: float, grade: int) -> None:
    scores = await _asked("score_chunk", {"chunk": CHUNK}, low_scores=share)
    assert {scores.clarity, scores.depth, scores.structure, scores.relevance} == {grade}


@pytest.mark.parametrize(("option", "after"), [("unclear_queries", 1), ("hopeless_queries", 0)])
async def test_a_refused_query_passes_when_it_is_rewritten_unless_it_is_hopeless(option: str, after: int) -> None:
    query = INPUTS["query"]
    assert (await _asked("judge_query", {"query": query})).verdict == 1
    options: dict[str, Any] = {option: 1.0}
    with served(**options) as fake:
        async with client_of(fake) as client:

            async def judged(query: str | None) -> QueryVerdict:
                said = await ask(client, load_prompt("judge_query"), QueryVerdict, {"query": query}, stage="test")
                assert isinstance(said, QueryVerdict)
                return said

            refused = await judged(query)
            assert (refused.verdict, refused.independent) == (0, 0)
            inputs = {"chunk": CHUNK, "query": query, "feedback": refused.feedback}
            better = await ask(client, load_prompt("rewrite_query"), EvolvedQuery, inputs, stage="test")
            assert isinstance(better, EvolvedQuery)
            assert better.query != query
            assert (await judged(better.query)).verdict == after


@pytest.mark.parametrize(("option", "verdicts"), [("same_queries", [1, 0]), ("hopeless_same", [1, 1])])
async def test_the_first_evolution_is_the_old_query_and_the_second_unless_it_is_hopeless(
    option: str, verdicts: list[int]
) -> None:
    same: list[int] = []
    options: dict[str, Any] = {option: 1.0}
    with served(**options) as fake:
        async with client_of(fake) as client:

            async def check(evolved: EvolvedQuery) -> Complaint | None:
                inputs = {"query": INPUTS["query"], "evolved": evolved.query}
                said = await ask(client, load_prompt("same_query"), SameQuery, inputs, stage="test")
                assert isinstance(said, SameQuery)
                same.append(said.same)
                return Complaint(reason="same", message="Again.") if len(same) == 1 else None

            for name in ("evolve_reasoning", "evolve_multi_context"):
                same.clear()
                await ask(client, load_prompt(name), EvolvedQuery, INPUTS, stage="test", check=check)
                assert same == verdicts
    assert (await _asked("same_query", INPUTS)).same == 0


@pytest.mark.parametrize(
    ("options", "bits"),
    [({}, (1, 1)), ({"hopeless_evolutions": 1.0}, (0, 1)), ({"unanswerable_evolutions": 1.0}, (1, 0))],
)
async def test_an_evolution_falls_by_its_wording_or_by_its_passages(
    options: dict[str, float], bits: tuple[int, int]
) -> None:
    said = await _asked("judge_evolution", INPUTS, **options)
    assert (said.standalone, said.answerable) == bits


@pytest.mark.parametrize(("share", "verdict"), [(0.0, "abstained"), (1.0, "answered")])
async def test_share_of_queries_is_answered_by_heart(share: float, verdict: str) -> None:
    with served(by_heart=share) as fake:
        async with client_of(fake) as client:
            reply = await reply_to(client, load_prompt("answer_closed_book"), ClosedBookAnswer)
    assert (reply.verdict, bool(reply.answer)) == (verdict, share == 1.0)


ALIKE = tuple(
    Chunk(doc_id=f"d{place}", start=0, end=len(text), text=text)
    for place, text in enumerate(f"{text} It was told in {year}." for text in CHUNKS for year in range(1900, 1910))
)


NEAR_MISSES = Setup(WritingSettings(unanswerable=1), CheckSettings(holes=True))


async def supported(candidate: Candidate, **options: Any) -> Candidate | Reject:
    with served(**options) as fake:
        async with client_of(fake) as client:
            return await outcome_of("support", candidate, client, NEAR_MISSES)


async def test_passages_support_a_query_or_do_not_or_cannot_be_read() -> None:
    golden = Candidate(chunks=ALIKE[:1], query="Why is gyokuro shaded?", answer="For theanine.", found=ALIKE)
    counts: list[dict[str, int]] = []
    kinds: tuple[dict[str, Any], ...] = ({}, {"supported": 0.3}, {"hopeless_supports": 0.3}, {"malformed": 1.0})
    for options in kinds:
        outcome = await supported(golden, **options)
        assert isinstance(outcome, Candidate)
        counts.append(outcome.metadata["holes"])
        assert len(outcome.equivalents) == outcome.metadata["holes"]["full"]
    none, some, lost, malformed = counts
    assert none == {"judged": 30, "full": 0, "unread": 0}
    # 30 passages at 0.3 are 9; three standard deviations are 7.5
    assert 1 <= some["full"] <= 17
    assert some["judged"] == 30
    assert 1 <= lost["unread"] <= 17
    assert lost["full"] == 0
    assert malformed == {"judged": 0, "full": 0, "unread": 30}


async def test_quotes_that_are_lost_at_first_are_found_again() -> None:
    golden = Candidate(chunks=ALIKE[:1], query="Why is gyokuro shaded?", answer="For theanine.", found=ALIKE)
    outcome = await supported(golden, supported=1.0, lost_quotes=1.0)
    assert isinstance(outcome, Candidate)
    assert outcome.metadata["holes"] == {"judged": 30, "full": 30, "unread": 0}


async def test_near_misses_are_drafted_and_kept_where_nothing_supports_them() -> None:
    fates: list[str] = []
    kinds: tuple[dict[str, Any], ...] = ({}, {"nothing_near": 1.0}, {"supported": 1.0}, {"malformed": 1.0})
    for options in kinds:
        with served(**options) as fake:
            async with client_of(fake) as client:
                case = Case(NEAR_MISSES, prompts("draft_unanswerable"), Models(client, client, client))
                (outcome,) = await Stage("draft", draft_near_miss).run(Candidate(chunks=ALIKE[:1]), case)
                if isinstance(outcome, Candidate):
                    found = outcome.model_copy(update={"found": ALIKE[:3]})
                    outcome = await outcome_of("support", found, client, NEAR_MISSES)
        fates.append(outcome.kind if isinstance(outcome, Candidate) else f"{outcome.stage}: {outcome.reason}")
    assert fates == ["unanswerable", "draft: nothing_to_ask", "support: answerable_after_all", "draft: malformed_reply"]
