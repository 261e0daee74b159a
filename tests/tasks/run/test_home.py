"""A RAGSET_HOME whose files ragset did not write."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.llm.journal import Journal


def test_a_journal_of_another_form_is_refused_in_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        journal.execute("CREATE TABLE replies (key TEXT PRIMARY KEY, reply TEXT)")
    with pytest.raises(InputError, match=r"journal\.sqlite: .*of another release, move it away"):
        Journal(tmp_path / "journal.sqlite")
