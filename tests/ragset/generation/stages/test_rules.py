from ragset.generation.stages.judge_chunk import drop_chunks_by_rules
from ragset.models import Candidate, Chunk, Reject
from tests.samples import TRAMS, candidate


def test_free_rules_let_prose_through() -> None:
    assert drop_chunks_by_rules(candidate()) == candidate()


def test_free_rules_name_what_they_refuse() -> None:
    text = "\n".join(
        f"{n}. Smith, J. ({1980 + n}). Clocks of the world. Oxford University Press, pp. 1-{n}." for n in range(1, 9)
    )
    found = drop_chunks_by_rules(candidate(chunk=Chunk(doc_id="d", start=0, end=len(text), text=text)))
    assert isinstance(found, Reject)
    assert (found.stage, found.reason, found.chunks) == ("rules", "references", (f"d:0-{len(text)}",))


LIST = "References\n" + "\n".join(f"{n}. Smith, J. (19{n}). Clocks. Vol. {n}, pp. {n}-{n + 9}." for n in range(20, 40))


def test_rules_take_lists_out_of_a_context_and_refuse_one_of_which_too_little_is_left() -> None:
    listed = Chunk(doc_id="c" * 16, start=0, end=len(LIST), text=LIST)
    mixed = drop_chunks_by_rules(Candidate(chunks=(TRAMS[0], listed, TRAMS[1])), min_chunks=2)
    assert isinstance(mixed, Candidate)
    assert mixed.chunks == TRAMS[:2]
    few = drop_chunks_by_rules(Candidate(chunks=(TRAMS[0], listed)), min_chunks=2)
    assert isinstance(few, Reject)
    assert (few.stage, few.reason) == ("rules", "too_few_chunks")
    first = drop_chunks_by_rules(Candidate(chunks=(listed, *TRAMS)), min_chunks=2)
    assert isinstance(first, Candidate)
    assert first.chunks == TRAMS
