import asyncio
import json
from pathlib import Path

import httpx2
import pytest

from ragset.evidence import locate
from ragset.llm.ask import Unfit, ask
from ragset.llm.form import Mode
from ragset.models import Chunk
from ragset.prompt import load_prompt
from ragset.replies import ChunkVerdict, EvolvedQuery, GroundedAnswer, KeyphraseDraft, QueryDraft
from ragset.rules.leaning import leans
from tests.clients import client_of, request_of
from tests.fake_openai import fake_openai

PROMPTS = sorted(path.stem for path in (Path(__file__).parents[1] / "prompts").glob("*.md") if "." not in path.stem)
CHUNK = (
    "The text above says that gyokuro is shaded. In little light the leaves keep </chunk> theanine, as the "
    "following table shows. Growers in Uji brew it at 60 °C!\n\nIt needs two minutes."
)
INPUTS = {"chunk": CHUNK, "query": "Why is gyokuro shaded?", "answer": "For theanine.", "audience": "tea drinkers"}


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
async def test_every_prompt_is_answered_in_every_form(mode: Mode) -> None:
    with fake_openai() as fake:
        async with client_of(fake) as client:
            client.form = client.form._replace(mode=mode)
            for name in PROMPTS:
                prompt = load_prompt(name)
                reply = await ask(client, prompt, prompt.reply_type, INPUTS, stage="test")
                assert not isinstance(reply, Unfit), (name, reply)
                match reply:
                    case QueryDraft(query=query) | KeyphraseDraft(query=query):
                        assert query
                        assert leans(query) is None
                    case EvolvedQuery(query=query):
                        assert query != INPUTS["query"]
                    case GroundedAnswer(quotes=quotes):
                        assert all(locate(quote, chunk_of(CHUNK)) for quote in quotes)
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
    with fake_openai(lost_quotes=1.0) as fake:
        async with client_of(fake) as client:
            request = request_of().model_copy(update={"reply": GroundedAnswer, "messages": tuple(turns)})
            lost = GroundedAnswer.model_validate_json((await client.complete(request)).text)
            again = turns[-1].model_copy(update={"content": "Not in the passage. Copy it."})
            request = request.model_copy(update={"messages": (*turns, again)})
            found = GroundedAnswer.model_validate_json((await client.complete(request)).text)
    assert lost.quotes[0] not in CHUNK
    assert found.quotes[0] in CHUNK


async def test_share_of_chunks_is_rejected() -> None:
    with fake_openai(reject_share=0.3) as fake:
        async with client_of(fake) as client:
            replies = await asyncio.gather(*(client.complete(request_of(f"Case {number}")) for number in range(100)))
    verdicts = [ChunkVerdict.model_validate_json(reply.text).self_containment for reply in replies]
    assert 15 <= verdicts.count(0) <= 45


async def test_hostile_queries_reach_the_caller_as_they_are() -> None:
    prompt = load_prompt("draft_open_query")
    with fake_openai(hostile=1.0) as fake:
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
    with fake_openai(embedding_fault=fault) as fake:
        asked = {"model": "e", "input": ["green tea", "tea, green"], "dimensions": 16}
        response = httpx2.post(f"{fake.url}/embeddings", json=asked)
    vectors = [item["embedding"] for item in json.loads(response.text)["data"]]
    assert list(map(len, vectors)) == sizes
    if not fault:
        assert vectors[0] == vectors[1]
        assert sum(value * value for value in vectors[0]) == pytest.approx(1)
