from ragset.chunking import drop_poor
from ragset.models import Chunk


def chunk(text: str, start: int = 0) -> Chunk:
    return Chunk(doc_id="d", start=start, end=start + len(text), text=text)


SENTENCE = "Green tea turns bitter above 80 degrees."


def test_good_chunks_stay_as_they_are_and_in_order() -> None:
    chunks = [chunk(SENTENCE), chunk("Black tea takes boiling water.", 50)]
    assert drop_poor(chunks) == (chunks, [])


def test_a_chunk_with_fewer_than_20_letters_and_digits_is_near_empty() -> None:
    # 19 letters: seven and twelve
    kept, (reject,) = drop_poor([chunk("Chapter * * * (((abcdefghijkl)))")])
    assert kept == []
    assert (reject.stage, reject.reason, reject.chunks) == ("chunk", "near_empty", ("d:0-32",))


def test_twenty_letters_are_enough() -> None:
    assert len(drop_poor([chunk("a" * 20)])[0]) == 1


def test_a_chinese_character_counts_for_three_letters() -> None:
    # 7 * 3 = 21, 6 * 3 = 18
    kept, rejects = drop_poor([chunk("绿茶八十度苦。涩"), chunk("绿茶八十度苦。", 20)])
    assert [len(kept), len(rejects)] == [1, 1]


def test_a_repeated_chunk_names_the_first_one() -> None:
    kept, (reject,) = drop_poor([chunk(SENTENCE), chunk(SENTENCE, 100)])
    assert [one.start for one in kept] == [0]
    assert (reject.reason, reject.chunks) == ("repeated", ("d:100-140",))
    assert "d:0-40" in reject.detail


def test_white_space_does_not_make_a_repetition_new() -> None:
    kept, rejects = drop_poor([chunk(SENTENCE), chunk(SENTENCE.replace(" ", "\n "), 100)])
    assert [len(kept), len(rejects)] == [1, 1]


def test_capitals_make_a_chunk_a_different_one() -> None:
    assert len(drop_poor([chunk(SENTENCE), chunk(SENTENCE.upper(), 100)])[0]) == 2
