import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from ragset.dataset.review.estimates import share_of
from ragset.settings import ReviewSettings


@given(st.integers(1, 400), st.sampled_from((0.5, 0.8, 0.9, 0.95, 0.99)))
@example(73, 0.95)  # 73 / (73 + 1.96²) = 0.95001
@example(72, 0.95)  # 72 / (72 + 1.96²) = 0.9493
def test_a_lower_end_is_refused_where_not_even_a_sample_without_a_bad_one_reaches_it(sample: int, good: float) -> None:
    asked = {"sample": sample, "good": good, "by": "lower end"}
    if share_of([1.0] * sample).low >= good:
        assert ReviewSettings.model_validate(asked).sample == sample
    else:
        with pytest.raises(ValidationError, match="judge at least"):
            ReviewSettings.model_validate(asked)
    assert ReviewSettings(sample=sample, good=good).by == "share"


def test_the_least_sample_is_named() -> None:
    with pytest.raises(ValidationError, match="judge at least 73"):
        ReviewSettings(sample=50, good=0.95, by="lower end")
