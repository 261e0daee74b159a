from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.chunking.markdown import outline


def headings(text: str) -> list[tuple[str, ...]]:
    return [section.headings for section in outline(text).sections]


def blocks(text: str) -> list[str]:
    return [text[start:end] for start, end in outline(text).blocks]


def test_a_section_knows_the_headings_above_it() -> None:
    text = "Intro\n# A\na\n## B\nb\n### C\nc\n## D\nd\n# E\ne"
    assert headings(text) == [(), ("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_headings_of_wikis_count() -> None:
    text = "= The mill =\na\n==  Wheel\t==\nb\n= = Race = =\nc\n= = = Weir = = =\nd\n= Next =\nx = y =\n"
    levels = ("The mill",)
    assert headings(text) == [levels, (*levels, "Wheel"), (*levels, "Race"), (*levels, "Race", "Weir"), ("Next",)]


def test_sections_are_the_text_from_heading_to_heading() -> None:
    text = "Intro\n# A\na\n## B\nb"
    assert [text[section.start : section.end] for section in outline(text).sections] == [
        "Intro\n",
        "# A\na\n",
        "## B\nb",
    ]


def test_a_heading_with_nothing_under_it_belongs_to_the_next_section() -> None:
    text = "# A\n\n## B\nb"
    (section,) = outline(text).sections
    assert (section.start, section.headings) == (0, ("A", "B"))


def test_a_heading_at_the_very_end_is_a_section() -> None:
    assert headings("# A\na\n# B") == [("A",), ("B",)]


@pytest.mark.parametrize(
    ("line", "title"),
    [("# A #", "A"), ("#  A  ", "A"), ("### C#", "C#"), ("   # A", "A"), ("## *A* `b`", "*A* `b`"), ("#\tA", "A")],
)
def test_marks_around_a_title_are_no_part_of_it(line: str, title: str) -> None:
    assert headings(f"{line}\ntext") == [(title,)]


@pytest.mark.parametrize("line", ["#hashtag", "####### seven", "    # code", "\\# escaped", "- # item", "#!/bin/sh"])
def test_what_only_looks_like_a_heading_is_none(line: str) -> None:
    assert headings(f"{line}\ntext") == [()]


def test_underlined_lines_are_headings() -> None:
    assert headings("A\n===\na\n\nB\n---\nb") == [("A",), ("A", "B")]


@pytest.mark.parametrize(
    "text",
    [
        "a paragraph\nof two lines\n---\nb",
        "a\n\n---\nb",
        "- item\n---\nb",
        "> quoted\n---\nb",
        "a | b\n---|---\n1 | 2",
        "***\n---\nb",
    ],
)
def test_a_rule_or_a_table_makes_no_heading(text: str) -> None:
    assert headings(text) == [()]


def test_front_matter_is_no_heading() -> None:
    assert headings("---\ntitle: Tea\n---\n# A\na") == [(), ("A",)]


@pytest.mark.parametrize(
    "code",
    [
        "```python\n# x\n```",
        "~~~\n# x\n```\n# y\n~~~",
        "````\n```\n# x\n```\n````",
        "<pre>\n# x\n</pre>",
        "<!--\n# x\n-->",
        "```\n# never closed",
    ],
)
def test_code_and_comments_hold_no_headings(code: str) -> None:
    assert headings(f"# A\n{code}") == [("A",)]
    assert blocks(f"# A\n{code}") == [code]


def test_a_heading_behind_closed_code_is_one() -> None:
    assert headings("# A\n```\n# x\n```\n# B\nb") == [("A",), ("B",)]


def test_backticks_within_a_line_open_no_code() -> None:
    assert headings("``` x ``` is inline\n# A\na") == [(), ("A",)]


def test_a_table_is_a_block_with_its_head() -> None:
    text = "Years:\n\n| Clock | Year |\n|---|:-:|\n| H4 | 1759 |\n| H5 | 1772 |\n\nAnd on."
    assert blocks(text) == ["| Clock | Year |\n|---|:-:|\n| H4 | 1759 |\n| H5 | 1772 |"]


def test_a_table_at_the_end_of_the_text_is_whole() -> None:
    assert blocks("a | b\n--|--\n1 | 2") == ["a | b\n--|--\n1 | 2"]


def test_a_table_ends_at_a_heading() -> None:
    assert headings("a | b\n--|--\n1 | 2\n# A\na") == [(), ("A",)]


def test_lines_end_at_line_feeds_alone() -> None:
    assert headings("text\u2028# x\x0b# y\x85# z") == [()]


@pytest.mark.parametrize("text", ["", " \n "])
def test_an_empty_text_has_no_section(text: str) -> None:
    assert outline(text).sections == []


LINES = ["# A", "## B", "text", "---", "===", "```", "~~~", "| a |", "|---|", "<!--", "-->", "", "  ", "- x", "    y"]


@given(st.lists(st.sampled_from(LINES), max_size=20).map("\n".join) | st.text(max_size=100))
def test_sections_and_blocks_follow_one_another_and_no_section_cuts_a_block(text: str) -> None:
    found = outline(text)
    covered = 0
    for section in found.sections:
        assert section.start >= covered
        assert not text[covered : section.start].strip()
        covered = section.end
    assert not text[covered:].strip()
    assert all(a[1] <= b[0] for a, b in pairwise(found.blocks))
    for start, end in found.blocks:
        assert text[start:end] == text[start:end].strip() != ""
        assert any(section.start <= start and end <= section.end for section in found.sections)


def test_a_wiki_heading_with_a_rule_under_it_has_no_marks_in_its_title() -> None:
    assert headings("== History ==\n----\n\nThe well.") == [("History",)]
