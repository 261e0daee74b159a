from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.evaluation.results.report.labels import label_points


def test_a_number_stands_beside_its_point() -> None:
    [label] = label_points([(100, 100)], ["7"], 350, 350, 4)
    # 11 pixels away to the upper right, clear of a dot of 4: 11 / √2 = 7.8 each way
    assert label == (107.8, 92.2, False)


def test_a_number_stays_in_the_field() -> None:
    [label] = label_points([(350, 0)], ["12"], 350, 350, 4.5)
    assert 7 <= label.x <= 343
    assert 5.5 <= label.y <= 344.5


def test_points_in_one_place_have_numbers_apart_with_lines_to_the_far_ones() -> None:
    labels = label_points([(100, 100)] * 8, [str(number) for number in range(10, 18)], 350, 350, 4.5)
    # two digits are 14 pixels wide and 11 high
    assert all(abs(a.x - b.x) >= 16.9 or abs(a.y - b.y) >= 10.9 for a, b in combinations(labels, 2))
    assert not labels[0].lead
    assert labels[-1].lead


@given(st.lists(st.tuples(st.floats(0, 350), st.floats(0, 350)), min_size=4, max_size=40))
def test_numbers_never_cover_each_other(points: list[tuple[float, float]]) -> None:
    labels = label_points(points, [str(number) for number in range(1, len(points) + 1)], 350, 350, 4.5)
    assert all(abs(a.x - b.x) >= 6.8 or abs(a.y - b.y) >= 10.8 for a, b in combinations(labels, 2))


def test_a_field_without_room_still_has_all_numbers() -> None:
    labels = label_points([(5, 5)] * 3, ["1", "2", "3"], 10, 10, 4.5)
    assert [(label.x, label.y) for label in labels] == [(pytest.approx(5), pytest.approx(5))] * 3
