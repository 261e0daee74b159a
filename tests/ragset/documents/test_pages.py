"""Where pages begin."""

from hypothesis import given
from hypothesis import strategies as st

from ragset.documents.cleaning import clean_text
from ragset.documents.pages import METADATA, join_pages, page_of, take_page_marks
from ragset.models import Document


@given(st.lists(st.text(st.sampled_from("ab-\n é ́"), max_size=20), min_size=1, max_size=8))
def test_marks_change_nothing_and_every_page_is_found(pages: list[str]) -> None:
    text, starts = take_page_marks(clean_text(join_pages(pages)))
    assert text == clean_text(text)
    assert "".join(text.split()) == "".join(clean_text("\n\n".join(pages)).split())
    assert len(starts) == len(pages)
    assert starts == sorted(starts)
    document = Document(id="d", text=text, sources=("a.pdf",), metadata={METADATA: starts})
    for number, page in enumerate(pages, start=1):
        if first := clean_text(page):
            assert text[starts[number - 1] :].lstrip().startswith(first[0])
            assert page_of(document, starts[number - 1]) == number


def test_pages_that_cleaning_removes_are_counted() -> None:
    marked = join_pages(["One.", "Two.", "Three."])
    text, starts = take_page_marks(clean_text(marked.replace(marked.split("\n\n")[2] + "\n\nTwo.\n\n", "")))
    assert (text, starts) == ("One.\n\nThree.", [0, 6, 6])
    document = Document(id="d", text=text, sources=("a.pdf",), metadata={METADATA: starts})
    assert [page_of(document, place) for place in (0, 5, 6, 11)] == [1, 1, 3, 3]


def test_a_text_without_pages_has_none() -> None:
    assert take_page_marks("One.\n\nTwo.") == ("One.\n\nTwo.", [])
    for found in (None, 12, "12", [], ["a"]):
        document = Document(id="d", text="One.", sources=("rows.csv:2",), metadata={METADATA: found})
        assert page_of(document, 0) is None
