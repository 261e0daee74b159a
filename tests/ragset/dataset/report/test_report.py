"""The public face of the package: one page whatever the dataset, in which text stays text."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import html

from ragset.dataset import CorpusFacts, FunnelRow, Manifest, Models, Totals
from ragset.dataset.report import make_chunk_map, render_report
from ragset.dataset.report.chunk_map import ChunkMap
from ragset.documents import Failure
from ragset.documents.corpus import Corpus
from ragset.models import Candidate, Chunk, Document, Golden, Reject, Span, Step, Usage

HOSTILE = (
    "</script><script>alert(1)</script> <!-- <script> --> <img src=x onerror=alert(1)> &amp; \u2028\u2029 "
    "javascript:alert(1) {{ 7*7 }} ${7*7} </style> https://evil.example/a.js 🕛"
)


def corpus_of(folder: Path, count: int = 1, text: str = "") -> Corpus:
    documents = [
        Document.of(
            f"Clock {number} strikes. {text} The end of clock {number}.", source=f"{number}{text[:99]}", title=text
        )
        for number in range(count)
    ]
    return Corpus.write(folder / "corpus.jsonl", documents)


def chunk_of(document: Document) -> Chunk:
    return Chunk(doc_id=document.id, start=0, end=len(document.text), text=document.text)


def golden_of(document: Document, query: str, answer: str = "Yes.") -> Golden:
    end = document.text.index(".") + 1
    step = Step(stage="draft", kind="open", prompt="draft_open_query@1#0", model=query[:200], query=query)
    span = Span(doc_id=document.id, start=0, end=end)
    made = Candidate(chunks=(chunk_of(document),), query=query, answer=answer, evidence=(span,), lineage=(step,))
    return Golden.of(
        made.model_copy(update={"scores": {"clarity": 5}, "metadata": {"style": "open", "evolution": "none"}})
    )


def manifest(kept: int = 1, text: str = "clocks", **more: Any) -> Manifest:
    facts = CorpusFacts(name=text, hash="0" * 16, documents=1, characters=10, chunks=1)
    models = Models(generator=text, critic=text, embedding=text)
    given: dict[str, Any] = {
        "parameters": {"writing": {"audience": text, "styles": {"open": 1.0}}, "n": 3, "none": None, "list": [text]},
        "funnel": (FunnelRow(stage="chunk", entered=9, left=8, rejected={"repeated": 1}),),
        "totals": Totals.of(()),
        **more,
    }
    return Manifest(wanted=kept, kept=kept, seed=0, corpus=facts, models=models, **given)


def map_of(chunks: Sequence[Chunk]) -> ChunkMap:
    vectors = np.random.default_rng(0).standard_normal((len(chunks), 8)).astype(np.float32)
    ids = [chunk.id for chunk in chunks]
    return make_chunk_map(vectors, [chunk.doc_id for chunk in chunks], ids, ids)


def rendered(corpus: Corpus, goldens: Sequence[Golden], rejects: Sequence[Reject] = (), **more: Any) -> str:
    chunk_map = map_of([chunk_of(document) for document in corpus])
    return render_report(goldens, rejects, manifest(len(goldens), **more), chunk_map, corpus)


def hostile(folder: Path) -> tuple[str, Golden, Corpus]:
    corpus = corpus_of(folder, text=HOSTILE)
    (document,) = corpus
    golden = golden_of(document, HOSTILE, HOSTILE)
    reject = Reject(stage="draft", reason=HOSTILE, detail=HOSTILE, chunks=golden.chunks, query=HOSTILE, answer=HOSTILE)
    page = rendered(
        corpus,
        [golden],
        [reject],
        text=HOSTILE,
        prompts=(HOSTILE,),
        unread=(Failure(source=HOSTILE, reason=HOSTILE),),
        versions={HOSTILE: HOSTILE},
        usage=(Usage(stage=HOSTILE, prompt=HOSTILE, model=HOSTILE, calls=1),),
        funnel=(FunnelRow(stage=HOSTILE, entered=2, left=1, rejected={HOSTILE: 1}),),
    )
    return page, golden, corpus


def several(folder: Path, text: str) -> tuple[str, Golden]:
    """A page with one golden of two documents, with `text` wherever a model or a document may speak."""
    corpus = corpus_of(folder, 2, text)
    first, second = (golden_of(document, text, text) for document in corpus)
    spare = chunk_of(next(iter(corpus))).model_copy(update={"end": 9})
    told = {"chunk": spare.id, "stage": text, "reason": text}
    step = Step(stage="split", kind=text, prompt=text, model=text, query=text)
    golden = first.model_copy(
        update={
            "kind": "multi-chunk",
            "chunks": (*first.chunks, *second.chunks),
            "evidence": (*first.evidence, *second.evidence),
            "lineage": (step,),
            "metadata": {"shape": text, "evolution": text, "left_out": [told]},
        }
    )
    return rendered(corpus, [golden], kind="multi-chunk", text=text), golden


def data_of(page: str) -> dict[str, Any]:
    return json.loads(html.document_fromstring(page).xpath("//script[@id='data']")[0].text)


def test_hostile_text_stays_data(tmp_path: Path) -> None:
    page, golden, corpus = hostile(tmp_path)
    tree = html.document_fromstring(page)
    assert len(tree.xpath("//script")) == 2
    assert not tree.xpath("//img | //iframe | //object | //embed | //link | //base | //form")
    assert not [
        name for node in tree.iter() if isinstance(node.tag, str) for name in node.attrib if name.startswith("on")
    ]
    (shown,) = data_of(page)["goldens"]
    assert (shown["query"], shown["answer"]) == (HOSTILE, HOSTILE)
    assert shown["query"] == golden.query
    (document,) = corpus
    assert document.text in {passage["text"] for passage in data_of(page)["passages"]}
    assert "49" not in re.sub(r"<script.*", "", page, flags=re.DOTALL).partition("</style>")[2]


def test_hostile_text_of_several_chunks_stays_data(tmp_path: Path) -> None:
    page, _ = several(tmp_path, HOSTILE)
    tree = html.document_fromstring(page)
    assert len(tree.xpath("//script")) == 2
    assert not tree.xpath("//img | //iframe | //object | //embed | //link | //base | //form")
    [shape] = tree.xpath("//ul[@class='shapes']/li")
    assert "onerror=alert(1)" in shape.text_content()
    [shown] = data_of(page)["goldens"]
    assert (shown["shape"], shown["left_out"][0]["reason"]) == (HOSTILE, HOSTILE)


def test_nothing_is_fetched(tmp_path: Path) -> None:
    page, _, _ = hostile(tmp_path)
    tree = html.document_fromstring(page)
    values = [
        value
        for node in tree.iter()
        if isinstance(node.tag, str)
        for name, value in node.attrib.items()
        if name in {"src", "href", "action", "xlink:href"}
    ]
    assert values
    assert all(value.startswith("#") for value in values)
    style = "".join(node.text for node in tree.xpath("//style"))
    assert not re.search(r"url\((?!#)", style)
    assert "@import" not in style
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")
    script = tree.xpath("//script[not(@id)]")[0].text
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|import|innerHTML|eval|insertAdjacentHTML)\b", script)


def test_the_same_dataset_gives_the_same_page(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, 5)
    goldens = [golden_of(document, f"Does {document.id} strike?") for document in corpus]
    assert rendered(corpus, goldens) == rendered(corpus, goldens)


def test_a_dataset_without_goldens_or_rejects_has_a_page(tmp_path: Path) -> None:
    page = rendered(corpus_of(tmp_path), [])
    assert data_of(page)["goldens"] == []
    assert data_of(page)["rejects"] == []


def test_two_thousand_goldens_fit_on_a_page(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, 2_000)
    goldens = [golden_of(document, f"Does {document.id} strike?") for document in corpus]
    page = rendered(corpus, goldens)
    assert len(data_of(page)["goldens"]) == 2_000
    assert len(page) < 5_000_000


def test_rejects_are_counted_by_reason_and_the_first_shown(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    rejects = [Reject(stage="draft", reason="nothing_to_ask", detail=str(number)) for number in range(500)]
    (group,) = data_of(rendered(corpus, [], rejects))["rejects"]
    assert group["count"] == 500
    assert 0 < len(group["shown"]) < 500
    assert group["shown"][0]["detail"] == "0"


def test_what_rules_made_is_said_to_be_made_by_rules(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    assert "not by a language model" in rendered(corpus, [], text="offline")
    assert "not by a language model" not in rendered(corpus, [], text="gpt")


def test_what_a_person_should_know_stands_on_top_and_a_full_set_did_not_end_early(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    (document,) = corpus
    notices = (f"The mix is not met. {HOSTILE}",)
    page = rendered(corpus, [golden_of(document, "When?")], notices=notices, ended="corpus used up")
    (notice,) = html.fromstring(page).xpath("//header/p[@role='note']")
    assert notice.text_content().startswith("The mix is not met.")
    assert "tried for the mix of hardness" in page
    assert "ended early" not in page


@pytest.mark.parametrize("count", [0, 1, 2, 3, 40])
def test_a_map_of_few_points_lies_in_the_square(count: int) -> None:
    vectors = np.eye(max(count, 1), 8, dtype=np.float32)[:count]
    ids = [str(number) for number in range(count)]
    found = make_chunk_map(vectors, ids, ids, ids)
    assert (found.ids, found.total) == (tuple(ids), count)
    assert len(found.x) == len(found.y) == count
    assert all(0 <= place <= 1 for place in (*found.x, *found.y))
    assert 0 <= found.explained <= 1


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_chunks_that_are_all_alike_have_a_map(value: float) -> None:
    ids = [str(number) for number in range(5)]
    found = make_chunk_map(np.full((5, 8), value, dtype=np.float32), ids, ids, ids)
    assert found.explained == 0
    assert len(set(zip(found.x, found.y, strict=True))) == 1


def test_points_in_a_plane_are_shown_as_they_lie() -> None:
    # a rectangle of 4 by 1 in two of six dimensions: its long side is the first axis, and the plane shows all of it
    vectors = np.zeros((4, 6), dtype=np.float32)
    vectors[:, 2] = [0, 4, 0, 4]
    vectors[:, 5] = [0, 0, 1, 1]
    ids = list("abcd")
    found = make_chunk_map(vectors, ids, ids, [])
    assert found.explained == pytest.approx(1)
    assert found.x in ((0, 1, 0, 1), (1, 0, 1, 0))
    assert found.y in ((0, 0, 1, 1), (1, 1, 0, 0))


def test_a_browser_shows_the_golden_that_a_link_names(shown: Callable[..., str], tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, 3, "🕛 of iron.")
    goldens = [golden_of(document, f"Does clock {place} strike?") for place, document in enumerate(corpus)]
    tree = html.document_fromstring(shown(rendered(corpus, goldens), f"#{goldens[1].id}"))
    shown = " ".join(tree.xpath("//*[@id='golden']")[0].text_content().split())
    assert goldens[1].query in shown
    assert goldens[1].id in shown
    assert goldens[0].query not in shown
    (document,) = [document for document in corpus if document.id == goldens[1].evidence[0].doc_id]
    evidence = document.text[: goldens[1].evidence[0].end]
    assert [mark.text_content() for mark in tree.xpath("//*[@id='golden']//mark")] == [evidence]


def test_a_browser_runs_nothing_of_what_a_document_says(shown: Callable[..., str], tmp_path: Path) -> None:
    page, _, _ = hostile(tmp_path)
    tree = html.document_fromstring(shown(page))
    assert len(tree.xpath("//script")) == 2
    assert not tree.xpath("//img")
    assert "onerror=alert(1)" in tree.xpath("//*[@id='golden']")[0].text_content()


def test_a_browser_runs_nothing_of_what_several_chunks_say(shown: Callable[..., str], tmp_path: Path) -> None:
    page, _ = several(tmp_path, HOSTILE)
    tree = html.document_fromstring(shown(page))
    assert len(tree.xpath("//script")) == 2
    assert not tree.xpath("//img")
    assert len(tree.xpath("//*[@class='column']")) == 2
    assert "onerror=alert(1)" in tree.xpath("//*[@class='left']")[0].text_content()
