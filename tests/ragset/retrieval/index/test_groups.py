import io
import uuid
from pathlib import Path

import numpy as np
import pytest

from ragset.errors import StoreError
from ragset.retrieval.index.groups import Group, parse_prepared, prepare_groups, write_prepared
from ragset.retrieval.index.shared import NewChunks
from ragset.retrieval.index.table import GROUP, slabs, write_chunks
from tests.homes import other_home
from tests.ragset.retrieval.index.test_build import Counting, chunk

CHUNKS = [chunk("a", place) for place in range(GROUP + 3)]
LAST = CHUNKS[-1].id


def groups_of(ids: list[str], known: set[str]) -> list[Group]:
    return [Group.of(number, some, known) for number, some in enumerate(slabs(ids))]


@pytest.fixture
def chunks(tmp_path: Path) -> NewChunks:
    (tmp_path / "collections" / "tea").mkdir(parents=True)
    path = tmp_path / "collections" / "tea" / "chunks.partial"
    return NewChunks(path, write_chunks(path, CHUNKS).digest)


def test_what_is_known_is_not_embedded_and_what_was_prepared_is_read_again(chunks: NewChunks, tmp_path: Path) -> None:
    groups = groups_of([one.id for one in CHUNKS], {one.id for one in CHUNKS} - {LAST})
    embedder = Counting()
    prepared = [*prepare_groups(chunks, groups, embedder, tmp_path)]
    assert embedder.seen == [CHUNKS[-1].text]
    assert [len(one.vectors) for one in prepared] == [0, 1]
    assert [one.statistics.count for one in prepared] == [0, 1]
    file = io.BytesIO()
    write_prepared(file, prepared)
    file.seek(0)
    for one, other in zip(parse_prepared(file, 2), prepared, strict=True):
        assert np.array_equal(one.vectors, other.vectors)
        assert one.statistics == other.statistics


def test_a_file_with_other_chunks_is_an_error(chunks: NewChunks, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="other chunks"):
        next(prepare_groups(chunks, groups_of(["a:0-9"], set()), Counting(), tmp_path))


def test_another_machine_reads_the_chunks_that_were_shared(chunks: NewChunks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_STORAGE", f"memory://shared-{uuid.uuid4().hex}/ragset")
    chunks.share()
    chunks.path.unlink()
    with other_home() as home:
        (last,) = prepare_groups(chunks, groups_of([one.id for one in CHUNKS], set())[1:], Counting(), home.path)
    assert len(last.vectors) == 3
