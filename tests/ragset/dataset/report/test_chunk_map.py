import numpy as np
import pytest

from ragset.dataset.report.chunk_map import MOST, make_chunk_map


def named(count: int) -> tuple[list[str], list[str]]:
    ids = [f"d{number % 3}:{number}-{number + 1}" for number in range(count)]
    return [id_.partition(":")[0] for id_ in ids], ids


def test_points_keep_their_distances_along_the_axes_of_most_variance() -> None:
    # 8 apart along the first axis, 4 along the third, nothing along the second: fitted into [0, 1] each
    vectors = np.array([[0, 1, 0], [8, 1, 0], [0, 1, 4], [8, 1, 4]], dtype=np.float32)
    drawn = make_chunk_map(vectors, *named(4), [])
    assert drawn.x == (0.0, 1.0, 0.0, 1.0)
    assert drawn.y == (0.0, 0.0, 1.0, 1.0)
    assert drawn.explained == 1.0


def test_the_share_of_variance_is_that_of_two_axes() -> None:
    # deviations of 3, 2 and 1 on three axes: (9 + 4) / (9 + 4 + 1)
    vectors = np.vstack([np.diag([3.0, 2.0, 1.0]), -np.diag([3.0, 2.0, 1.0])]).astype(np.float32)
    assert make_chunk_map(vectors, *named(6), []).explained == pytest.approx(13 / 14, abs=5e-4)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_chunks_for_a_plane_stand_in_the_middle(count: int) -> None:
    drawn = make_chunk_map(np.eye(count, 4, dtype=np.float32), *named(count), [])
    assert drawn.x == drawn.y == (0.5,) * count


def test_chunks_that_are_all_alike_stand_in_the_middle() -> None:
    drawn = make_chunk_map(np.ones((5, 4), dtype=np.float32), *named(5), [])
    assert drawn.x == drawn.y == (0.5,) * 5
    assert drawn.explained == 0.0


def test_a_large_index_is_thinned_evenly_and_keeps_what_goldens_were_drawn_from() -> None:
    size = 3 * MOST
    vectors = np.random.default_rng(0).normal(size=(size, 4)).astype(np.float32)
    doc_ids, ids = named(size)
    drawn = make_chunk_map(vectors, doc_ids, ids, [ids[1], ids[4]])
    assert {ids[0], ids[1], ids[4], ids[-1]} <= set(drawn.ids)
    assert MOST <= len(drawn.ids) <= MOST + 2
    assert drawn.total == size


def test_a_golden_for_every_chunk_does_not_make_the_map_any_larger_than_twice_its_size() -> None:
    size = 3 * MOST
    doc_ids, ids = named(size)
    assert len(make_chunk_map(np.ones((size, 2), dtype=np.float32), doc_ids, ids, ids).ids) <= 2 * MOST


def test_the_same_vectors_give_the_same_map() -> None:
    vectors = np.random.default_rng(0).normal(size=(50, 16)).astype(np.float32)
    assert make_chunk_map(vectors, *named(50), []) == make_chunk_map(vectors.copy(), *named(50), [])


def test_a_passage_is_shown_by_the_chunk_that_has_most_of_it() -> None:
    ids = ["d:0-10", "d:10-20", "d:20-30", "e:0-10"]
    # d:8-25 shares 2, 10 and 5 characters with the three chunks of its document; nothing holds f:0-5
    found = make_chunk_map(np.eye(4, dtype=np.float32), ["d", "d", "d", "e"], ids, ["d:8-25", "e:0-10", "f:0-5"])
    assert {id_: found.ids[dot] for id_, dot in found.drawn.items()} == {"d:8-25": "d:10-20", "e:0-10": "e:0-10"}
