from pathlib import Path

from ragset.dataset.moved import new_text
from ragset.models import Document
from tests.small_dataset import corpus_of


def test_new_text_is_what_no_changed_or_lost_document_had(tmp_path: Path) -> None:
    same = Document.of("One.\nTwo.", source="same.md")
    before = corpus_of(tmp_path / "before", same, Document.of("Three.\n\nFour.\nFive.", source="changed.md"))
    changed = Document.of("Zero.\nThree.\n\n  Four.\nSix.\n\nSeven.\n", source="changed.md")
    added = Document.of("Eight.\nNine.", source="added.md")
    after = corpus_of(tmp_path / "after", same, changed, added)
    found = [(span.doc_id, after.text(span)) for span in new_text(before, after)]
    expected = [(changed.id, "Zero."), (changed.id, "Six.\n\nSeven."), (added.id, "Eight.\nNine.")]
    assert sorted(found) == sorted(expected)


def test_equal_corpora_have_no_new_text(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, Document.of("One.\nTwo.", source="same.md"))
    assert [*new_text(corpus, corpus)] == []
