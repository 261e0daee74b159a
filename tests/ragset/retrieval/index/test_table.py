from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from ragset.models import Chunk
from ragset.retrieval.index.table import GROUP, read_chunks, read_keys, read_rows, write_chunks


def chunk(document: str, start: int, text: str = "tea", **fields: object) -> Chunk:
    return Chunk.model_validate({"doc_id": document, "start": start, "end": start + len(text), "text": text, **fields})


def test_keys_identify_the_rows_without_their_texts(tmp_path: Path) -> None:
    keys = write_chunks(tmp_path / "c", [chunk("a", 0), chunk("b", 7, "water")])
    assert keys.ids == ["a:0-3", "b:7-12"]
    assert keys.doc_ids == ["a", "b"]
    assert (keys.starts.tolist(), keys.ends.tolist()) == ([0, 7], [3, 12])
    assert read_keys(tmp_path / "c").digest == keys.digest


def test_places_sort_as_numbers(tmp_path: Path) -> None:
    keys = write_chunks(tmp_path / "c", [chunk("b", 0), chunk("a", 100), chunk("a", 20)])
    assert keys.ids == ["a:20-23", "a:100-103", "b:0-3"]


def test_the_order_of_arrival_leaves_no_trace_in_the_file(tmp_path: Path) -> None:
    chunks = [chunk("a", place) for place in range(GROUP + 5)]
    write_chunks(tmp_path / "one", chunks)
    write_chunks(tmp_path / "two", chunks[::-1])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_rows_are_found_across_row_groups(tmp_path: Path) -> None:
    chunks = [chunk("a", place) for place in range(3 * GROUP + 1)]
    write_chunks(tmp_path / "c", chunks)
    rows = [3 * GROUP, 0, GROUP, GROUP - 1, GROUP]
    assert read_rows(tmp_path / "c", rows) == [chunks[row] for row in rows]


def test_no_rows_are_no_chunks(tmp_path: Path) -> None:
    write_chunks(tmp_path / "c", [chunk("a", 0)])
    assert read_rows(tmp_path / "c", []) == []


def test_the_digest_follows_ids_titles_and_headings(tmp_path: Path) -> None:
    variants = [
        [chunk("a", 0)],
        [chunk("a", 1)],
        [chunk("a", 0, title="T")],
        [chunk("a", 0, headings=("T",))],
        [chunk("a", 0), chunk("a", 1)],
    ]
    assert len({write_chunks(tmp_path / "c", variant).digest for variant in variants}) == len(variants)


@given(
    st.lists(
        st.builds(
            chunk,
            st.sampled_from("abc"),
            st.integers(0, 1_000),
            st.text(st.characters(codec="utf-8"), min_size=1),
            title=st.text(st.characters(codec="utf-8")),
            headings=st.lists(st.text(st.characters(codec="utf-8")), max_size=3).map(tuple),
        ),
        unique_by=lambda item: item.id,
        max_size=10,
    )
)
def test_any_chunks_come_back_as_they_were(tmp_path_factory: object, chunks: list[Chunk]) -> None:
    path = Path(tmp_path_factory.getbasetemp()) / "any"  # type: ignore[attr-defined]
    write_chunks(path, chunks)
    assert list(read_chunks(path)) == sorted(chunks, key=lambda item: (item.doc_id, item.start, item.end))
