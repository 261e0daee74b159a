"""The tutorial of the docs: what a reader types, line by line, in a folder of documents."""

import shutil
from pathlib import Path

from tests.docs.commands import ROOT, blocks, typed
from tests.fake_openai import Fake
from tests.integration.conftest import Command, url

PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def test_every_command_of_the_tutorial_does_what_the_page_says(command: Command, tmp_path: Path, fake: Fake) -> None:
    (tmp_path / "docs").mkdir()
    for document in ("hourglasses.txt", "marine-chronometer.md", "quartz.pdf", "tower-clocks.html", "water-clocks.md"):
        shutil.copy(ROOT / "examples" / "corpus" / document, tmp_path / "docs")
    for _, text in (one for one in blocks(PAGE) if one[0] == "yaml"):
        name = text.splitlines()[0].removeprefix("# ")
        (tmp_path / name).write_text(text)
    in_blocks = [words for language, text in blocks(PAGE) if language == "" for words in typed(f"```\n{text}```\n")]
    assert len(in_blocks) >= 10
    for program, *words in in_blocks:
        assert program == "ragset"
        ended = command.run(*words, cwd=tmp_path, CI="1", **url(fake))
        assert ended.code == 0, (words, ended.out, ended.err)
    made = (
        "ragset.yaml",
        "out/demo/report.html",
        "out/docs/report.html",
        "out/before/report.html",
        "out/after/report.html",
    )
    assert [one for one in made if not (tmp_path / one).is_file()] == []
