import pytest

from ragset.errors import InputError
from ragset.training.sides import sides_of
from tests.small_dataset import golden_of


def test_without_a_split_it_is_refused_with_the_command_that_makes_one() -> None:
    with pytest.raises(
        InputError, match=r"^out/set: has no goldens with evidence for train \(0 for train, .* 1 for test\).*--split-by"
    ):
        sides_of([golden_of()], "out/set", ["train", "test"])


def test_goldens_stand_on_their_sides() -> None:
    made = [golden_of(side).model_copy(update={"split": side}) for side in ("train", "validation", "test")]
    sides = sides_of(made, "out/set", ["train", "validation", "test"])
    assert sides == tuple((one,) for one in made)
    assert sides.held_out == tuple(made[1:])
    with pytest.raises(InputError, match="has the split 'dev'"):
        sides_of([made[0].model_copy(update={"split": "dev"})], "out/set")


def test_goldens_without_evidence_make_no_side() -> None:
    made = [golden_of(side).model_copy(update={"split": side}) for side in ("train", "validation", "test")]
    made[1] = made[1].model_copy(update={"evidence": ()})
    with pytest.raises(InputError, match=r"no goldens with evidence for validation \(1 for train, 0 for validation"):
        sides_of(made, "out/set", ["train", "validation", "test"])
