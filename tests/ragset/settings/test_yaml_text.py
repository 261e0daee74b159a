from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.settings.yaml_text import read_yaml

FILE = Path("run.yaml")


def test_anchors_and_merges_are_read_as_usual() -> None:
    text = "base: &base {n: 1, m: &m [2]}\nother: {<<: *base, n: 3}\nlist: *m\n"
    assert read_yaml(text, FILE) == {"base": {"n": 1, "m": [2]}, "other": {"n": 3, "m": [2]}, "list": [2]}


def test_yaml_nested_thousands_of_levels_deep_is_refused() -> None:
    with pytest.raises(InputError, match=r"^run\.yaml: is nested too deeply"):
        read_yaml("[" * 5_000, FILE)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n: 1\nn: 2", r"n is there twice \(line 2 "),
        ("when: 2024-13-01", "a value cannot be read"),
        ("n: " + "9" * 5_000, "a value cannot be read"),
        ("a: !!python/object:os.system {}", "could not determine a constructor"),
        ("a: \x00", "characters that YAML does not allow"),
        ("a: *b", "found undefined alias"),
        ("[", "line 1 "),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_name_of_the_file(text: str, said: str) -> None:
    with pytest.raises(InputError, match=rf"^run\.yaml: .*{said}"):
        read_yaml(text, FILE)
