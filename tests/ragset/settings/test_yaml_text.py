from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.settings.yaml_text import read_yaml

FILE = Path("run.yaml")
LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))


def test_anchors_and_merges_are_read_as_usual() -> None:
    text = "base: &base {n: 1, m: &m [2]}\nother: {<<: *base, n: 3}\nlist: *m\n"
    assert read_yaml(text, FILE) == {"base": {"n": 1, "m": [2]}, "other": {"n": 3, "m": [2]}, "list": [2]}


def test_fifty_levels_are_read_and_one_more_is_refused() -> None:
    value = read_yaml("[" * 50 + "]" * 50, FILE)
    for _ in range(49):
        (value,) = value
    assert value == []
    with pytest.raises(InputError, match=r"^run\.yaml: .* nested more than 50 levels deep \(line 2 of the YAML\)$"):
        read_yaml("a:\n " + "[" * 50 + "]" * 50, FILE)


@pytest.mark.parametrize("text", ["[" * 5_000, "- " * 5_000, "{a: " * 5_000, "? " * 5_000, "[" * 100_000])
def test_yaml_nested_thousands_of_levels_deep_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="nested more than 50 levels deep"):
        read_yaml(text, FILE)


def test_aliases_that_grow_without_bounds_are_refused() -> None:
    # 2 ** 40 values
    with pytest.raises(InputError, match=r"more than 100,000 values, aliases written out \(line 1\d of the YAML\)"):
        read_yaml(LAUGHS, FILE)


def test_an_alias_inside_of_what_it_names_is_refused() -> None:
    with pytest.raises(InputError, match=r"\*a stands inside of what it names \(line 1 "):
        read_yaml("a: &a [1, *a]", FILE)


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
