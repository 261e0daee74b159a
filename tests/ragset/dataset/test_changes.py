from pathlib import Path

from ragset.dataset.changes import (
    ChangeLog,
    DocumentChange,
    GoldenChange,
    change_files,
    document_changes,
    golden_changes,
    render_changes,
)
from ragset.dataset.realign import Anchor, Anchored
from ragset.models import Document, Span
from tests.small_dataset import TEA, corpus_of, golden_of


def anchor(text: str = "Green tea turns bitter above 80 °C.", *, gone: bool = False, likeness: float = 1.0) -> Anchor:
    return Anchor(
        before=Span(doc_id="a" * 16, start=0, end=35),
        after=None if gone else Span(doc_id="b" * 16, start=10, end=45),
        text=text,
        sources=("tea.md",),
        likeness=likeness,
        same_paragraph=likeness == 1.0,
        why="text_gone" if gone else "",
    )


def log(*goldens: GoldenChange, documents: tuple[DocumentChange, ...] = (), wanted: int = 2) -> ChangeLog:
    return ChangeLog(before="teas", after="teas-v2", wanted=wanted, goldens=goldens, documents=documents)


def change(kind: str = "moved", query: str = "How hot?", *anchors: Anchor) -> GoldenChange:
    why = "text_gone" if kind == "stale" else ""
    return GoldenChange.model_validate(
        {"id": f"g-{kind}", "change": kind, "query": query, "why": why, "evidence": anchors, "sources": ("new.md",)}
    )


def test_each_golden_has_a_line_old_ones_first(tmp_path: Path) -> None:
    old, new = golden_of(), golden_of("Another?")
    lines = golden_changes(
        [Anchored(golden=old, fate="stale", anchors=(), why="text_gone")], [new], corpus_of(tmp_path)
    )
    assert [(line.id, line.change, line.why) for line in lines] == [
        (old.id, "stale", "text_gone"),
        (new.id, "added", ""),
    ]
    assert lines[1].sources == ("tea.md",)


def test_documents_are_paired_by_text_and_then_by_source(tmp_path: Path) -> None:
    def doc(text: str, source: str) -> Document:
        return Document.of(text, source=source)

    before = corpus_of(tmp_path / "1", TEA, doc("one", "a.md"), doc("two", "b.md"), doc("three", "c.md"))
    after = corpus_of(tmp_path / "2", TEA, doc("one", "z.md"), doc("two, changed", "b.md"), doc("four", "d.md"))
    found = [(one.change, one.sources, one.sources_before) for one in document_changes(before, after)]
    assert found == [
        ("changed", ("b.md",), ()),
        ("removed", ("c.md",), ()),
        ("added", ("d.md",), ()),
        ("renamed", ("z.md",), ("a.md",)),
    ]


def test_the_log_says_what_to_look_at_first() -> None:
    text = render_changes(
        log(
            change("valid", "A?", anchor()),
            change("moved", "B?", anchor()),
            change("moved", "C?", anchor(likeness=0.4)),
            change("stale", "D?", anchor(gone=True)),
            change("added", "E?"),
            documents=(DocumentChange(change="renamed", sources=("z.md",), sources_before=("a.md",)),),
            wanted=5,
        )
    )
    assert "4 goldens of 5, 1 fewer than wanted. 1 valid, 2 moved, 1 stale, 1 added." in text
    places = [text.index(part) for part in ("**D?** (g-stale): the text is gone", "**C?**", "**B?**", "**E?**")]
    assert places == sorted(places)
    assert text.count("read it again") == 1
    assert "  - gone, was in tea.md: “Green tea turns bitter above 80 °C.”" in text
    assert "tea.md, from characters 0–35 to 10–45" in text
    assert "- renamed: z.md (was a.md)" in text


def test_evidence_at_the_same_characters_of_a_changed_document_is_not_said_to_have_gone_elsewhere() -> None:
    span, now = Span(doc_id="a", start=0, end=35), Span(doc_id="b", start=0, end=35)
    text = render_changes(log(change("moved", "B?", anchor().model_copy(update={"before": span, "after": now}))))
    assert "tea.md, characters 0–35 as before, of a document that has changed: “Green tea" in text
    assert "from characters" not in text


def test_texts_are_shown_as_text_and_never_as_markup() -> None:
    text = render_changes(log(change("stale", "Is it <b>\n# x [y](z)?", anchor("`a`\n\n| <script>", gone=True))))
    assert r"**Is it \<b\> \# x \[y\](z)?**" in text
    assert r"“\`a\` \| \<script\>”" in text


def test_long_lists_are_cut_and_say_so() -> None:
    text = render_changes(log(*(change("added") for _ in range(130))))
    assert text.count("- **How hot?**") == 100
    assert "… and 30 more, all in changes.jsonl." in text


def test_each_change_is_a_line() -> None:
    removed = DocumentChange(change="removed", sources=("ü.md",), before="a" * 16)
    written = log(change("moved", "Wie heiß?", anchor()), documents=(removed,))
    files = change_files(written)
    assert set(files) == {"CHANGES.md", "changes.jsonl"}
    golden, document = files["changes.jsonl"].splitlines()
    assert GoldenChange.model_validate_json(golden) == written.goldens[0]
    assert DocumentChange.model_validate_json(document) == removed


def test_a_changed_sentence_and_a_passage_that_stands_in_are_to_be_read_again() -> None:
    changed = anchor().model_copy(update={"same_sentence": False})
    instead = anchor().model_copy(update={"promoted": True})
    goldens = [change("moved", "A?", anchor()), change("moved", "B?", changed), change("moved", "C?", instead)]
    text = render_changes(log(*goldens))
    assert [text.index(part) for part in ("**B?**", "**C?**", "**A?**")] == sorted(
        text.index(part) for part in ("**A?**", "**B?**", "**C?**")
    )
    assert "to 10–45; **its sentence has changed, so read it again**" in text
    assert "**it is gone, and an equivalent passage stands in for it, so read it again**" in text
    assert text.count("read it again") == 2
