"""Commands that messages and reports name, as a person can paste them into a shell."""

import os
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

PORTABLE = "python -m flows"
"""For files that others read elsewhere, and that are to be the same to the byte wherever they are made."""


class Next(NamedTuple):
    """A command to run next, and what it is for."""

    why: str
    command: str


def command(*words: object) -> str:
    """The command of ragset with these words, quoted, as it can be called where this process was started."""
    return f"{_program()} {shlex.join(map(str, words))}"


@cache
def _program() -> str:
    called = Path(sys.argv[0])
    if (Path(__file__).parents[1] / "program").is_dir():  # installed by pip, also where a worker runs
        called = Path(sys.executable).with_name("ragset")
    if called.stem == "ragset":
        return _callable(called)
    return f"{_callable(Path(sys.executable))} -m flows"


def _callable(file: Path) -> str:
    """The name of a program where the shell finds this one by it; else its path, relative within the working folder."""
    found = shutil.which(file.stem)
    if found and Path(found).parent == file.absolute().parent:
        return file.stem
    relative = os.path.relpath(file)
    return shlex.quote(str(file) if relative.startswith("..") else relative)
