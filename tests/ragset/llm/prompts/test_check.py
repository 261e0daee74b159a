from pathlib import Path

from ragset.llm.prompts import builtin_folder, check_prompts


def test_the_built_in_prompts_have_no_problems() -> None:
    assert check_prompts() == []
    assert check_prompts(builtin_folder()) == []


def test_every_bad_file_is_a_line_and_the_good_ones_none(tmp_path: Path) -> None:
    good = (builtin_folder() / "judge_chunk.md").read_text(encoding="utf-8")
    (tmp_path / "judge_chunk.md").write_text(good, encoding="utf-8")
    (tmp_path / "judge_chunks.md").write_text(good, encoding="utf-8")
    (tmp_path / "Judge.md").write_text(good, encoding="utf-8")
    (tmp_path / "answer_query.md").write_text("no head", encoding="utf-8")
    (tmp_path / "README.md").write_text("About", encoding="utf-8")
    problems = check_prompts(tmp_path)
    assert [problem.split(": ")[0] for problem in problems] == [
        str(tmp_path / name) for name in ("Judge.md", "answer_query.md", "judge_chunks.md")
    ]


def test_a_folder_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert check_prompts(tmp_path / "none") == [f"{tmp_path / 'none'}: no such folder"]
