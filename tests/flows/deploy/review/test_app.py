"""The server of the review page as a browser asks it, and as others might."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import flows.deploy.review
from flows.deploy.review.app import review_app
from flows.deploy.review.session import Sessions
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import change_plan
from ragset.models import Document, Span
from tests.small_dataset import TEA, corpus_of, golden_of, in_conversation, write_small

PAGE = Path(flows.deploy.review.__file__).parent / "page"
TOKEN = "ragset:secret"
ELSE = Document.of("Green tea: 80 °C at most. Black tea: boiling.", source="else.md", title="Elsewhere")
Ask = Callable[..., Any]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    goldens = [golden_of(f"How hot may tea {number} be?") for number in range(6)]
    equal = goldens[0].model_copy(update={"equivalents": (Span(doc_id=ELSE.id, start=0, end=24),)})
    write_small(tmp_path / "teas", corpus_of(tmp_path, TEA, ELSE), [equal, *goldens[1:]])
    change_plan(tmp_path / "teas", sample=4, shared=0.5)
    return tmp_path / "teas"


def client_of(folder: Path, leases: Path) -> TestClient:
    app = review_app(lambda name: folder / name.strip("/") if ".." not in name else None, Sessions(leases), TOKEN)
    return TestClient(app, headers={"authorization": f"Bearer {TOKEN}"})


@pytest.fixture
def client(folder: Path) -> TestClient:
    return client_of(folder, folder.parent / "leases")


@pytest.fixture
def ask(client: TestClient) -> Ask:
    def asked(call: str, **fields: Any) -> Any:
        answer = client.post(f"/api/{call}", json=fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return asked


def judgement(item: str, reviewer: str = "Anna", as_: str = "a-judgement", **said: Any) -> dict[str, Any]:
    fields = {"id": as_, "reviewer": reviewer, "item": item, "kind": "golden", "guideline": "golden@1"}
    return {**fields, "verdict": "good", **said}


def test_the_page_holds_nothing_and_may_load_and_ask_only_its_own_server(client: TestClient) -> None:
    client.headers.pop("authorization")
    page = client.get("/")
    assert "tea" not in page.text.lower()
    policy = page.headers["content-security-policy"]
    assert {"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"} <= set(
        policy.split("; ")
    )
    assert "unsafe" not in policy
    loaded = re.findall(r'"(static/[^"]+)"', page.text)
    assert {file.name for file in PAGE.glob("*.*s")} == {Path(name).name for name in loaded} - {"report.css"}
    assert all(client.get(f"/{name}").status_code == 200 for name in loaded)
    assert client.get("/static/review.js").headers["content-type"].startswith("text/javascript")
    assert client.get("/static/app.py").status_code == 404
    assert "Starlette" not in client.get("/static/..%2f..%2fapp.py").text


@pytest.mark.parametrize("header", ["", "Bearer ", "Bearer ragset:other", TOKEN, f"Basic {TOKEN}"])
def test_nothing_is_answered_without_the_token(client: TestClient, folder: Path, header: str) -> None:
    client.headers["authorization"] = header
    for call in ("start", "next", "reviews"):
        assert client.post(f"/api/{call}", json={"reviewer": "Anna"}).status_code == 401
    assert not read_reviews(folder).lines


def test_a_form_of_another_site_cannot_send_what_is_asked_for(client: TestClient) -> None:
    # A form sends neither this type nor the header; a script of another site would have to ask first, and is told nothing.
    assert client.post("/api/start", content="{}", headers={"content-type": "text/plain"}).status_code == 404
    asked = {"origin": "http://evil.example", "access-control-request-method": "POST"}
    assert "access-control-allow-origin" not in client.options("/api/start", headers=asked).headers


@pytest.mark.parametrize(
    ("call", "body", "told"),
    [
        ("start", "[]", "an object"),
        ("start", "{", "Invalid JSON"),
        ("start", '{"reviewer": "", "self": 1}', "self"),
        ("reviews", '{"self": 1}', "self"),
        ("next", '{"reviewer": "Anna", "other": 1}', "other"),
        ("next", '{"reviewer": ""}', "reviewer"),
        ("next", '{"reviewer": "A\\u0000"}', "reviewer"),
        ("item", '{"reviewer": "Anna", "item": "g-nothing"}', "is no item"),
        ("text", '{"doc": "nothing", "start": 0, "end": 5}', "no document"),
        ("text", '{"doc": "nothing", "start": 5, "end": 5}', "empty"),
        ("reviews", json.dumps(judgement("g-nothing")), "is no item"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_reason(client: TestClient, call: str, body: str, told: str) -> None:
    answer = client.post(f"/api/{call}", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert told in answer.json()["detail"]


def test_a_body_that_is_too_long_is_refused(client: TestClient) -> None:
    assert client.post("/api/start", json={"reviewer": "A" * 1_100_000}).status_code == 413


def test_the_critic_is_silent_until_the_item_is_judged(ask: Ask) -> None:
    view = ask("next", reviewer="Anna")["view"]
    assert "groundedness" not in json.dumps(view)
    item = view["item"]
    assert ask("item", reviewer="Anna", item=item)["critic"] is None
    saved = ask("reviews", **judgement(item))
    assert {"name": "groundedness", "value": "5 of 5"} in saved["critic"]
    assert ask("item", reviewer="Anna", item=item)["critic"] == saved["critic"]
    assert ask("item", reviewer="Ben", item=item)["critic"] is None


def test_a_judgement_that_is_sent_twice_is_kept_once(ask: Ask, folder: Path) -> None:
    item = ask("next", reviewer="Anna")["view"]["item"]
    for _ in range(3):
        ask("reviews", **judgement(item))
    (kept,) = read_reviews(folder).lines
    assert (kept.reviewer, kept.item, kept.verdict) == ("Anna", item, "good")


def test_spans_that_are_in_no_document_are_refused_and_nothing_is_kept(client: TestClient, folder: Path) -> None:
    item = client.post("/api/next", json={"reviewer": "Anna"}).json()["view"]["item"]
    beyond = {"doc_id": ELSE.id, "start": 10, "end": 1000}
    answer = client.post("/api/reviews", json=judgement(item, edit={"evidence": [beyond]}))
    assert (answer.status_code, "ends before" in answer.json()["detail"]) == (422, True)
    unknown = client.post("/api/reviews", json=judgement(item, verdict="bad", reasons=["boring"]))
    assert (unknown.status_code, "boring" in unknown.json()["detail"]) == (422, True)
    assert not read_reviews(folder).lines


def test_what_cannot_be_written_now_is_not_refused_for_good(client: TestClient, folder: Path) -> None:
    (folder / "reviews.jsonl").mkdir()
    item = json.loads((folder / "goldens.jsonl").read_text().splitlines()[0])["id"]
    answer = client.post("/api/reviews", json=judgement(item))
    assert (answer.status_code, "reviews.jsonl" in answer.json()["detail"]) == (503, True)


def test_everybody_gets_other_items_but_for_those_that_two_should_judge(ask: Ask) -> None:
    """Of 6 goldens 4 are the random sample, and 2 of them want two people: 8 judgements in all."""
    given: dict[str, list[str]] = {}
    people = ("Anna", "Ben", "Cleo")
    number = 0
    while True:
        views = {reviewer: ask("next", reviewer=reviewer)["view"] for reviewer in people}
        open_now = [view["item"] for view in views.values() if view]
        if not open_now:
            break
        for reviewer, view in views.items():
            if view:
                number += 1
                given.setdefault(view["item"], []).append(reviewer)
                ask("reviews", **judgement(view["item"], reviewer, as_=f"judgement-{number}"))
    assert sorted(map(len, given.values())) == [1, 1, 1, 1, 2, 2]
    assert all(len(set(reviewers)) == len(reviewers) for reviewers in given.values())
    progress = ask("start", reviewer="Anna")["progress"]
    assert (progress["judged"], progress["items"], progress["sample"], progress["sampled"]) == (6, 6, 4, 4)
    assert ask("next", reviewer="Dan") == {
        "view": None,
        "waiting": 0,
        "skipped": 0,
        "progress": {**progress, "mine": 0},
    }


def test_an_item_that_is_open_elsewhere_is_waited_for_and_a_skipped_one_comes_again_when_asked(ask: Ask) -> None:
    items: list[str] = []
    while (view := ask("next", reviewer="Anna", without=items)["view"]) is not None:
        items.append(view["item"])
    assert len(items) == 6
    shared = [ask("next", reviewer="Ben")["view"]["item"]]
    shared.append(ask("next", reviewer="Ben", without=shared)["view"]["item"])  # these two want two people
    assert ask("next", reviewer="Ben", without=shared)["waiting"] == 4
    for number, item in enumerate(items):
        said = {"verdict": None} if item == items[0] else {}
        ask("reviews", **judgement(item, as_=f"judgement-{number}", **said))
    assert {name: ask("next", reviewer="Anna")[name] for name in ("waiting", "skipped")} == {"waiting": 0, "skipped": 1}
    assert ask("next", reviewer="Anna", again=True)["view"]["item"] == items[0]


def test_after_an_undo_the_item_is_to_be_judged_again(ask: Ask, folder: Path) -> None:
    item = ask("next", reviewer="Anna")["view"]["item"]
    ask("reviews", **judgement(item))
    ask("reviews", **judgement(item, as_="an-undoing", verdict=None, undoes="a-judgement"))
    assert len(read_reviews(folder).lines) == 2
    assert ask("start", reviewer="Anna")["mine"] == []
    assert ask("next", reviewer="Anna")["view"]["item"] == item


def test_leases_and_judgements_outlive_the_server(ask: Ask, folder: Path) -> None:
    first = ask("next", reviewer="Anna")["view"]["item"]
    judged = ask("next", reviewer="Anna", without=[first])["view"]["item"]
    ask("reviews", **judgement(judged))
    again = client_of(folder, folder.parent / "leases")
    found = again.post("/api/start", json={"reviewer": "Anna"}).json()
    assert [one["item"] for one in found["mine"]] == [judged]
    assert again.post("/api/next", json={"reviewer": "Anna"}).json()["view"]["item"] == first
    # Ben gets the second of the sample, which wants two people, and not the first, which Anna has open.
    assert again.post("/api/next", json={"reviewer": "Ben"}).json()["view"]["item"] == judged


def test_a_dataset_that_is_replaced_is_read_again(ask: Ask, folder: Path) -> None:
    assert ask("start", reviewer="Anna")["progress"]["items"] == 6
    write_small(folder, corpus_of(folder.parent), [golden_of("How long is tea steeped?")])
    assert ask("start", reviewer="Anna")["progress"]["items"] == 1


def test_a_folder_of_datasets_says_which_there_are(folder: Path) -> None:
    client = client_of(folder.parent, folder.parent / "leases")
    (folder.parent / ".hidden").mkdir()
    (folder.parent / ".hidden" / "manifest.json").touch()
    assert client.post("/api/start", json={"reviewer": ""}).json() == {"folders": ["teas"]}
    assert client.post("/teas/api/start", json={"reviewer": ""}).json()["progress"]["items"] == 6
    assert client.post("/other/api/start", json={"reviewer": ""}).status_code == 422
    assert client.get("/teas", follow_redirects=False).headers["location"] == "./teas/"


def test_earlier_turns_are_shown_with_their_evidence_and_the_last_question(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path, TEA), [in_conversation(golden_of())])
    client = client_of(tmp_path / "teas", tmp_path / "leases")
    view = client.post("/api/next", json={"reviewer": "Anna"}).json()["view"]
    before, last = view["parts"]
    assert before["text"] == "How long is green tea steeped?\nTwo minutes."
    (span,) = before["evidence"]
    (window,) = view["passages"]
    assert window["start"] <= span["start"] < span["end"] <= window["end"]
    assert (last["text"], last["evidence"]) == ("And how hot?", [])


def test_near_passages_and_text_around_come_when_asked_for(ask: Ask) -> None:
    view = ask("next", reviewer="Anna")["view"]
    (near, *_) = ask("near", item=view["item"], query="black tea boiling")["passages"]
    assert near["doc"] == ELSE.id
    assert ask("text", doc=ELSE.id, start=6, end=9)["text"] == "tea"
