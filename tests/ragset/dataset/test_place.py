"""Where passages stand, as people look them up."""

from pathlib import Path

from ragset.dataset.place import Places
from ragset.documents.corpus import Corpus
from ragset.documents.pages import METADATA
from ragset.models import Document, Span

TEXT = """# Tea

Tea is a plant.

## Brewing

Water makes tea.

### Heat

Boiling water makes it bitter.
"""


def test_pages_and_headings_of_passages(tmp_path: Path) -> None:
    second, third = TEXT.index("Water"), TEXT.index("### Heat")
    pages = {METADATA: [0, second, third]}
    book = Document.of(TEXT, source="tea.pdf", title="Tea", metadata=pages)
    plain = Document.of("Coffee is a bean.", source="coffee.txt", title="Coffee")
    places = Places(Corpus.write(tmp_path / "corpus.jsonl", [book, plain]))

    def found(start: str, end: str) -> str:
        return str(places.of(Span(doc_id=book.id, start=TEXT.index(start), end=TEXT.index(end) + len(end))))

    assert found("Tea is", "a plant.") == "tea.pdf · page 1"
    assert found("Water makes", "tea.\n\n###") == "tea.pdf · pages 2–3 · Brewing"
    assert found("Boiling", "bitter.") == "tea.pdf · page 3 · Brewing > Heat"
    assert found("Tea is", "bitter.") == "tea.pdf · pages 1–3"
    assert str(places.of(Span(doc_id=plain.id, start=0, end=6))) == "coffee.txt"
