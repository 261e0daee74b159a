import time

from ragset.dataset.importers.questions import find_contexts
from ragset.models import Document

TEA = Document.of("Green tea turns bitter above 80 °C. Steep it for two minutes.", source="tea.md")
CLOCK = Document.of("A turret clock strikes the hours.\n\nIts weights are wound up once a week.", source="clock.md")


def texts(context: str, *documents: Document) -> list[str]:
    held = {document.id: document.text for document in documents}
    return [held[span.doc_id][span.start : span.end] for span in find_contexts([context], documents)[context].spans]


def test_a_context_is_found_exactly() -> None:
    spans = find_contexts(["Steep it for two minutes."], [CLOCK, TEA])["Steep it for two minutes."].spans
    # "Green tea turns bitter above 80 °C. " has 36 characters
    assert [span.id for span in spans] == [f"{TEA.id}:36-61"]


def test_a_context_may_be_a_whole_document() -> None:
    assert texts(TEA.text, TEA, CLOCK) == [TEA.text]


def test_white_space_may_differ() -> None:
    assert texts("strikes  the hours. Its weights", TEA, CLOCK) == ["strikes the hours.\n\nIts weights"]


def test_a_context_that_nearly_stands_there_is_found() -> None:
    assert texts("Its weight is wound up once a week.", TEA, CLOCK) == ["Its weights are wound up once a week."]


def test_a_context_shorter_than_a_run_is_found() -> None:
    assert texts("80 °C", TEA, CLOCK) == ["80 °C"]


def test_a_context_without_letters_is_found_exactly_or_not_at_all() -> None:
    assert texts("°", TEA, CLOCK) == ["°"]
    assert texts("§§", TEA, CLOCK) == []


def test_what_stands_nowhere_is_told() -> None:
    lookup = find_contexts(["Coffee is made of beans."], [TEA])["Coffee is made of beans."]
    assert lookup == ((), "the context does not stand in the documents")


def test_another_number_is_another_context() -> None:
    assert texts("Green tea turns bitter above 90 °C.", TEA) == []


def test_between_two_passages_that_only_resemble_it_nothing_is_guessed() -> None:
    text = "The office in the {} wing opens early on Mondays and on Tuesdays, and closes late."
    first, second = (Document.of(text.format(wing), source=wing) for wing in ("north", "south"))
    context = text.format("east")
    lookup = find_contexts([context], [first, second])[context]
    assert lookup.spans == ()
    assert lookup.reason.startswith("the context resembles several passages")


def test_a_passage_that_has_it_word_for_word_goes_before_one_that_resembles_it() -> None:
    near = [Document.of(f"The office no. {n} opens early on Mondays and on Tuesdays.", source="n") for n in range(80)]
    assert texts("no. 77 opens early on Mondays and", *near) == ["no. 77 opens early on Mondays and"]


def test_runs_that_stand_everywhere_hide_no_exact_place() -> None:
    copies = [Document.of(f"{n} opens early on Mondays and on Tuesdays", source="n") for n in range(1, 200)]
    exact = Document.of("000 opens early, on Mondays and on Tuesdays", source="n")
    assert texts("opens early, on Mondays and on Tuesdays", *copies, exact) == [
        "opens early, on Mondays and on Tuesdays"
    ]


def test_pieces_around_an_ellipsis_may_stand_far_apart() -> None:
    far = Document.of(
        "The first bell is cast in bronze. " + "Filler goes here. " * 60 + "It was hung in May.", source="f"
    )
    assert texts("The first bell is cast in bronze. … It was hung in May.", far, TEA) == [
        "The first bell is cast in bronze.",
        "It was hung in May.",
    ]


def test_a_million_letters_are_searched_in_linear_time() -> None:
    long = Document.of(" ".join(f"word{n}" for n in range(100_000)), source="long")
    context = long.text[200_000:800_000].strip().replace(" word50000 ", "\nword50000\n")
    before = time.process_time()
    [span] = find_contexts([context], [long])[context].spans
    assert time.process_time() - before < 6
    assert long.text[span.start : span.end].split() == context.split()
