import pytest

from ragset.evaluation.results.report.charts import axis_of_changes, axis_over


def test_an_axis_has_round_ticks_around_its_values() -> None:
    axis = axis_over([0.42, 0.83])
    assert [tick.text for tick in axis.ticks] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    assert [tick.at for tick in axis.ticks] == [0, 20, 40, 60, 80, 100]
    assert axis.at(0.42) == 42
    assert axis.place(None) is None
    assert axis.place(float("nan")) is None


def test_an_axis_of_differences_has_zero_and_a_minus_sign() -> None:
    axis = axis_over([-0.3, 0.1])
    assert [tick.text for tick in axis.ticks] == ["−0.3", "−0.2", "−0.1", "0.0", "0.1"]
    assert axis.at(0) == 75


@pytest.mark.parametrize("values", [[], [0.0], [0.5], [float("nan")], [1e-6], [250.0, 3000.0]])
def test_any_values_have_an_axis(values: list[float]) -> None:
    axis = axis_over(values, zero=False)
    assert axis.low < axis.high
    assert 2 <= len(axis.ticks) <= 8
    assert len({tick.text for tick in axis.ticks}) == len(axis.ticks)


def test_where_nothing_changed_zero_stands_in_the_middle() -> None:
    axis = axis_of_changes([0.0, None, 0.0])
    assert axis.at(0) == 50
    assert axis == axis_over([-0.1, 0.1])


def test_an_axis_of_equal_means_does_not_go_beyond_one() -> None:
    assert axis_over([0.96, 0.96], zero=False).high == 1
    assert axis_over([1.0], zero=False).high == 1
