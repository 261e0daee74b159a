import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragset.dataset.moved import SHORT
from ragset.dataset.realign import Anchored, cover, realign
from ragset.documents.corpus import Corpus
from ragset.models import Candidate, Chunk, Conversation, Document, Golden, Span, Turn

FIRST = "Green tea turns bitter above eighty degrees."
SECOND = "Black tea may be steeped in boiling water for four minutes."
TEA = f"On tea\n\n{FIRST} It is a matter of taste.\n\n{SECOND} Milk is added after."


def corpus(*documents: Document) -> Corpus:
    return Corpus.write(Path(tempfile.mkdtemp()) / "corpus.jsonl", documents)


def doc(text: str, source: str = "tea.md") -> Document:
    return Document.of(text, source=source)


def span(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return Span(doc_id=document.id, start=start, end=start + len(text))


def golden(*parts: tuple[Document, str], kind: str = "single-chunk") -> Golden:
    """A golden whose every piece of evidence is a chunk of its own."""
    spans = [span(document, text) for document, text in parts]
    chunks = tuple(
        Chunk(**one.model_dump(), text=document.text[one.start : one.end])
        for one, (document, _) in zip(spans, parts, strict=True)
    )
    made = Golden.of(Candidate(chunks=chunks, query="?", answer="!", evidence=tuple(spans)))
    return made.model_copy(update={"kind": kind})


def paragraphs(*documents: Document) -> Callable[[Span], Sequence[Span]]:
    """Chunks as the paragraphs of documents."""
    chunks = [
        Span(doc_id=document.id, start=match.start(), end=match.end())
        for document in documents
        for match in re.finditer(r"(?s)\S.*?(?=\n\n|\Z)", document.text)
    ]
    return lambda wanted: [chunk for chunk in chunks if chunk.overlap(wanted)]


def anchored(one: Golden, before: Sequence[Document], after: Sequence[Document]) -> Anchored:
    return realign([one], corpus(*before), corpus(*after), paragraphs(*after))[0]


def texts(found: Anchored, *after: Document) -> list[str]:
    by_id = {document.id: document.text for document in after}
    return [by_id[one.doc_id][one.start : one.end] for one in found.golden.evidence]


def test_in_a_document_of_the_same_text_all_stands_where_it_stood_whatever_the_file_is_called() -> None:
    before, after = doc(TEA), doc(TEA, "renamed.md")
    one = golden((before, FIRST))
    found = anchored(one, [before], [after])
    assert found.fate == "valid"
    assert found.golden.evidence == one.evidence
    assert found.golden.id == one.id
    assert found.golden.metadata["refresh"] == "valid"


def test_a_paragraph_put_in_at_the_top_moves_evidence_and_its_chunk_and_the_id_stays() -> None:
    before, after = doc(TEA), doc("On tea\n\nA new beginning.\n\n" + TEA.removeprefix("On tea\n\n"))
    one = golden((before, FIRST))
    found = anchored(one, [before], [after])
    assert found.fate == "moved"
    assert found.golden.evidence == (span(after, FIRST),)
    # the chunk of the new index is the whole paragraph
    assert found.golden.chunks == (span(after, f"{FIRST} It is a matter of taste.").id,)
    assert (found.golden.id, found.golden.lineage) == (one.id, one.lineage)
    assert found.anchors[0].before == one.evidence[0]
    assert found.anchors[0].same_paragraph


def test_text_that_was_wrapped_anew_has_moved() -> None:
    before, after = doc(TEA), doc(TEA.replace("bitter above", "bitter\nabove") + " More.")
    found = anchored(golden((before, FIRST)), [before], [after])
    assert found.fate == "moved"
    assert texts(found, after) == [FIRST.replace("bitter above", "bitter\nabove")]


def test_a_sentence_that_says_something_else_is_gone() -> None:
    before, after = doc(TEA), doc(TEA.replace("eighty", "ninety"))
    one = golden((before, FIRST))
    found = anchored(one, [before], [after])
    assert (found.fate, found.why) == ("stale", "text_gone")
    assert found.golden == one


def test_an_equivalent_moves_with_its_text_and_goes_with_it() -> None:
    before, other = doc(TEA), doc("Elsewhere it is said that green tea turns bitter in hot water.", "other.md")
    there = span(other, other.text)
    one = golden((before, FIRST)).model_copy(update={"equivalents": (there, span(before, SECOND))})
    after = doc(f"On tea\n\n{FIRST}")
    found = anchored(one, [before, other], [after, other])
    assert found.golden.equivalents == (there,)
    assert found.golden.evidence == (span(after, FIRST),)


def test_that_a_query_has_no_answer_has_to_be_shown_anew_of_another_corpus() -> None:
    before, after = doc(TEA), doc(TEA + " More.")
    one = Golden(id="g-1", query="?", answer=None, kind="unanswerable", evidence=(), chunks=())
    same = anchored(one, [before], [before])
    assert (same.fate, same.golden.evidence, same.golden.chunks) == ("valid", (), ())
    found = anchored(one, [before], [after])
    assert (found.fate, found.why) == ("stale", "unproven")


def test_where_the_file_is_gone_too_the_reason_says_so() -> None:
    before, other = doc(TEA), doc("Of something else.", "other.md")
    assert anchored(golden((before, FIRST)), [before, other], [other]).why == "document_gone"


def test_one_piece_of_evidence_gone_makes_the_golden_stale() -> None:
    before, after = doc(TEA), doc(f"On tea\n\n{SECOND}")
    found = anchored(golden((before, FIRST), (before, SECOND)), [before], [after])
    assert found.fate == "stale"
    assert [anchor.after is None for anchor in found.anchors] == [True, False]


def test_the_same_file_goes_before_surroundings_that_are_more_alike() -> None:
    before = doc(TEA)
    same = doc(f"{SECOND}\n\nQuite another text than the one that stood here at first.\n\n{FIRST}")
    copy = doc(TEA + " ", "copy.md")
    found = anchored(golden((before, FIRST)), [before], [same, copy])
    assert found.golden.evidence == (span(same, FIRST),)


def test_in_one_file_surroundings_go_before_the_nearer_place() -> None:
    before = doc(f"Of green tea it is said: {FIRST} So it is.")
    after = doc(
        f"Nobody believes this: {FIRST} Never.\n\n" + "Filler. " * 40 + f"Of green tea it is said: {FIRST} So it is."
    )
    found = anchored(golden((before, FIRST)), [before], [after])
    assert found.golden.evidence[0].start == after.text.rindex(FIRST)


def test_among_places_with_the_same_surroundings_the_nearest_relative_position_is_taken() -> None:
    block = "Filler of some length stands here, and it is the same everywhere. " * 4
    before = doc(f"{block}{FIRST} {block}{block}{block}")
    after = doc(f"{block}{FIRST} {block}{block}{FIRST} {block}")
    # then at 1/5, now at 1/5 and at 3/5
    found = anchored(golden((before, FIRST)), [before], [after])
    assert found.golden.evidence[0].start == after.text.index(FIRST)


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ("5 grams", "Take 15 grams of it now."),
        ("5 grams", "Take 1.5 grams of it now."),
        ("leaf", "Take a leaflet of it now."),
    ],
)
def test_words_and_numbers_are_not_found_within_others(evidence: str, said: str) -> None:
    before = doc(f"Take a {evidence} of it now.".replace("a 5", "5"))
    assert anchored(golden((before, evidence)), [before], [doc(said)]).fate == "stale"


def test_a_short_text_with_other_surroundings_is_another_passage() -> None:
    before = doc("The tower was finished in 1902 by three smiths from Delft.")
    after = doc("A fire of 1902 burnt the whole of the old town down to the ground.")
    assert anchored(golden((before, "1902")), [before], [after]).fate == "stale"
    later = doc("It is tall. The tower was finished in 1902 by three smiths from Delft.")
    assert anchored(golden((before, "1902")), [before], [later]).fate == "moved"


def test_a_document_that_was_there_all_along_counts_where_it_holds_the_whole_paragraph() -> None:
    before, quoting = doc(TEA), doc(f"Somebody wrote: {FIRST} He was wrong.", "quoting.md")
    one = golden((before, FIRST))
    assert anchored(one, [before, quoting], [quoting]).fate == "stale"
    copy = doc(f"Copied.\n\n{FIRST} It is a matter of taste.", "copy.md")
    found = anchored(one, [before, copy], [copy])
    assert found.golden.evidence == (span(copy, FIRST),)


def test_two_passages_do_not_become_one() -> None:
    one, other = doc(f"Here: {FIRST}", "a.md"), doc(f"There: {FIRST}", "b.md")
    left = doc(f"Anew: {FIRST}", "a.md")
    both = golden((one, FIRST), (other, FIRST), kind="multi-chunk")
    assert anchored(both, [one, other], [left]).fate == "stale"


def test_what_needed_two_chunks_and_stands_in_one_now_is_stale() -> None:
    before, after = doc(f"{FIRST}\n\n{SECOND}"), doc(f"{FIRST} {SECOND}")
    found = anchored(golden((before, FIRST), (before, SECOND), kind="multi-chunk"), [before], [after])
    assert (found.fate, found.why) == ("stale", "one_chunk")


def test_evidence_that_no_chunk_holds_any_more_is_looked_for_where_one_does() -> None:
    kept, copy = doc(TEA), doc(f"A copy.\n\n{TEA.removeprefix('On tea')}".replace("\n\n\n", "\n"), "copy.md")
    one = golden((kept, FIRST))
    after = [kept, copy]
    found = realign([one], corpus(kept), corpus(*after), paragraphs(copy))[0]
    assert found.fate == "moved"
    assert found.golden.evidence == (span(copy, FIRST),)
    # and where none does, it stays
    assert realign([one], corpus(kept), corpus(kept), lambda _: [])[0].golden.evidence == one.evidence


def test_chunks_that_the_metadata_speak_of_are_renamed_and_those_that_are_gone_left_out() -> None:
    before, after = doc(f"{FIRST}\n\n{SECOND}\n\nGone."), doc(f"First of all.\n\n{FIRST}\n\n{SECOND}")
    told = [{"chunk": span(before, text).id, "stage": "split", "reason": "r"} for text in (SECOND, "Gone.")]
    one = golden((before, FIRST))
    one = one.model_copy(update={"metadata": {"left_out": told, "style": "open"}})
    metadata = anchored(one, [before], [after]).golden.metadata
    assert metadata["left_out"] == [{"chunk": span(after, SECOND).id, "stage": "split", "reason": "r"}]
    assert metadata["style"] == "open"


def test_the_fewest_chunks_that_hold_the_evidence_are_chosen() -> None:
    def at(start: int, end: int) -> Span:
        return Span(doc_id="d", start=start, end=end)

    overlapping = [at(0, 60), at(40, 100), at(80, 140)]

    def over(wanted: Span) -> Sequence[Span]:
        return [chunk for chunk in overlapping if chunk.overlap(wanted)]

    assert cover([at(45, 90)], over) == ("d:40-100",)
    assert cover([at(10, 90)], over) == ("d:0-60", "d:40-100")
    assert cover([at(45, 55), at(50, 90)], over) == ("d:0-60", "d:40-100")
    assert cover([at(200, 210)], over) == ()


WORDS = st.lists(
    st.sampled_from(["tea", "Milk,", "80", "°C", "é", "naïve", "(a)", "b.", "日本", "1.5"]), min_size=1, max_size=12
)
GAPS = st.sampled_from([" ", "\n", "  ", "\n\n", " \t"])


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, str, int, int]:
    """A text, the same words with other white space and others around them, and a span of the first."""
    words = draw(WORDS)
    text = "".join(word + draw(GAPS) for word in words).strip()
    front, back = draw(WORDS), draw(WORDS)
    again = "".join(word + draw(GAPS) for word in [*draw(st.sampled_from([front, []])), *words, *back]).strip()
    start = draw(st.integers(0, len(text) - 1))
    return text, again, start, draw(st.integers(start + 1, len(text)))


@given(changed())
def test_new_evidence_says_what_the_old_one_said_up_to_white_space(case: tuple[str, str, int, int]) -> None:
    text, again, start, end = case
    before, after = doc(text), doc(again)
    one = Golden(
        id="g-1",
        query="?",
        answer="!",
        evidence=(Span(doc_id=before.id, start=start, end=end),),
        chunks=(Span(doc_id=before.id, start=0, end=len(text)).id,),
    )
    found = anchored(one, [before], [after])
    if found.fate == "stale":
        assert found.golden == one
        return
    assert texts(found, after)[0].split() == text[start:end].split()
    assert found.golden.chunks
    assert all(chunk.startswith(after.id) for chunk in found.golden.chunks)


@given(changed())
def test_what_is_as_it_was_is_valid_and_once_moved_stays(case: tuple[str, str, int, int]) -> None:
    text, again, start, end = case
    assume(text[start:end].strip())
    before, after = doc(text), doc(again)
    one = golden((before, text))
    assert anchored(one, [before], [before]).golden.evidence == one.evidence
    found = anchored(one, [before], [after])
    if len(" ".join(text.split())) >= SHORT:
        assert found.fate != "stale"
    if found.fate == "moved":
        then = anchored(found.golden, [after], [after])
        assert then.fate == "valid"
        assert then.golden.evidence == found.golden.evidence


def told(part: str, before: str, after: str) -> bool:
    """Whether the sentences of a part say what they said."""
    then, now = doc(before), doc(after)
    (anchor,) = anchored(golden((then, part)), [then], [now]).anchors
    assert anchor.after is not None
    return anchor.same_sentence


@pytest.mark.parametrize(
    ("part", "before", "after"),
    [
        (
            "open from May to October",
            "The baths are open from May to October.",
            "The baths are not open from May to October.",
        ),
        (
            "a deposit of 40 €",
            "Dogs need a deposit of 40 €, and cats need none.",
            "Cats need a deposit of 40 €, and dogs need none.",
        ),
        (
            "| 24 months |",
            "| Part | Warranty |\n|---|---|\n| Pump | 24 months |\n| Hose | 6 months |",
            "| Part | Warranty |\n|---|---|\n| Hose | 24 months |\n| Pump | 36 months |",
        ),
        (
            "must be worn in hall three",
            "Goggles must be worn in hall three. Gloves are optional.",
            "Helmets must be worn in hall three. Gloves are optional.",
        ),
        (
            "report within two days",
            "Staff:\n\n- report within two days\n- keep the slip",
            "Guests:\n\n- report within two days\n- keep the slip",
        ),
        ("wurde 1902 eröffnet", "Die Bahn wurde 1902 eröffnet.", "Die Bahn von Brill wurde 1902 eröffnet."),
    ],
)
def test_a_sentence_that_says_something_else_around_the_same_words_is_told(part: str, before: str, after: str) -> None:
    assert not told(part, before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The baths are open from May to October.", "It is warm.\n\nThe baths are open from May to October."),
        (
            "It is warm. The baths are open from May to October.",
            "It is cold. The baths are open from May to October. So.",
        ),
        ("The baths are open from May to October. Bring soap.", "The baths\nare open from May to October."),
    ],
)
def test_what_changes_around_a_sentence_leaves_it_as_it_was(before: str, after: str) -> None:
    assert told("open from May to October", before, after)


OTHER = "In tea that is green, bitterness begins at eighty degrees."


def with_equivalent(
    *parts: tuple[Document, str], equivalent: tuple[Document, str], kind: str = "single-chunk"
) -> Golden:
    return golden(*parts, kind=kind).model_copy(update={"equivalents": (span(*equivalent),)})


def test_where_a_document_is_gone_an_equivalent_stands_in_for_its_evidence() -> None:
    before, other = doc(TEA), doc(f"Of bitterness. {OTHER}", "other.md")
    one = with_equivalent((before, FIRST), (before, "It is a matter of taste."), equivalent=(other, OTHER))
    found = anchored(one, [before, other], [other])
    assert (found.fate, found.why, found.golden.id) == ("moved", "", one.id)
    assert found.golden.evidence == (span(other, OTHER),)
    assert found.golden.equivalents == ()
    assert found.golden.chunks == (span(other, other.text).id,)
    assert [(anchor.promoted, anchor.same_sentence) for anchor in found.anchors] == [(True, False)] * 2


def test_where_the_document_says_it_no_more_or_several_chunks_are_needed_none_stands_in() -> None:
    before, other, later = doc(TEA), doc(f"Of bitterness. {OTHER}", "other.md"), doc("Tea is a drink.")
    one = with_equivalent((before, FIRST), equivalent=(other, OTHER))
    found = anchored(one, [before, other], [later, other])
    assert (found.fate, found.why) == ("stale", "text_gone")
    both = with_equivalent((before, FIRST), (before, SECOND), equivalent=(other, OTHER), kind="multi-chunk")
    assert anchored(both, [before, other], [other]).fate == "stale"
    # an equivalent that is gone as well
    assert anchored(one, [before, other], [doc("Of bitterness nothing.", "third.md")]).fate == "stale"


@pytest.mark.parametrize("name", ["xyz", "a:b-c", "a:5-3", "", 7, None])
def test_metadata_that_name_no_chunk_are_left_out(name: object) -> None:
    before, after = doc(TEA), doc(f"Anew.\n\n{TEA}")
    metadata = {"contradicted": [{"chunk": name, "reason": "r"}, {"reason": "r"}, "r"], "left_out": None}
    one = golden((before, FIRST)).model_copy(update={"metadata": metadata})
    found = anchored(one, [before], [after])
    assert found.golden.metadata == {"contradicted": [], "left_out": [], "refresh": "moved"}


def passage(one: Golden, document: Document, text: str) -> Golden:
    """The golden drawn from a passage of the document."""
    return one.model_copy(update={"chunks": (span(document, text).id,)})


def realigned_passages(one: Golden, before: Document, after: Document) -> Anchored:
    return realign([one], corpus(before), corpus(after), paragraphs(after), passages=True)[0]


def test_a_passage_stays_as_it_is_where_its_document_does() -> None:
    before, after = doc(TEA), doc(TEA, "renamed.md")
    one = passage(golden((before, FIRST)), before, f"{FIRST} It is a matter")
    assert realigned_passages(one, before, after).golden.chunks == one.chunks


def test_a_passage_moves_with_its_text() -> None:
    before, after = doc(TEA), doc(f"A line is new.\n\n{TEA}")
    said = f"{FIRST} It is a matter of taste.\n\n{SECOND}"
    found = realigned_passages(passage(golden((before, SECOND)), before, said), before, after)
    assert (found.fate, found.golden.chunks) == ("moved", (span(after, said).id,))


def test_of_a_passage_that_has_changed_the_evidence_is_left() -> None:
    before, after = doc(TEA), doc(TEA.replace("a matter of taste", "no matter"))
    one = passage(golden((before, SECOND)), before, f"of taste.\n\n{SECOND}")
    found = realigned_passages(one, before, after)
    assert (found.fate, found.golden.chunks) == ("moved", (span(after, SECOND).id,))


def test_the_evidence_of_earlier_turns_moves_with_its_text_and_makes_stale_when_it_is_gone() -> None:
    before = doc(TEA)
    asked = Turn(question="How long?", answer="Four minutes.", evidence=(span(before, SECOND),))
    said = Conversation(turns=(asked,), question="And how hot?")
    one = golden((before, FIRST)).model_copy(update={"conversation": said})
    moved = doc(f"A new beginning.\n\n{TEA}")
    (turn,) = (anchored(one, [before], [moved]).golden.conversation or said).turns
    assert turn.evidence == (span(moved, SECOND),)
    found = anchored(one, [before], [doc(TEA.replace(SECOND, "Black tea is another matter."))])
    assert (found.fate, found.why) == ("stale", "text_gone")
