"""A RAGSET_HOME of an earlier release, its files as that release wrote them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ragset.errors import InputError
from ragset.llm.journal import Journal
from ragset.settings import Environment
from tasks.run.cleaning import Inventory

SCHEMA = """
CREATE TABLE replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, model TEXT NOT NULL, prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, truncated INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE spending (run TEXT NOT NULL, tokens INTEGER NOT NULL, cost REAL);
CREATE INDEX spending_by_run ON spending (run);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
META = """{
  "version": 1,
  "corpus": "corpus-f332cc",
  "chunking": "recursive-256-0-tokens",
  "embedding": "emb",
  "corpus_hash": "31724be39d2c6da8",
  "rows": 66,
  "dimensions": 64,
  "digest": "22ef952d8e417025"
}
"""
INDEX = "ragset_corpus_f332cc_recursive_256_0_tokens_emb_b5856f32"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        journal.executescript(SCHEMA)
        journal.execute("INSERT INTO replies VALUES ('k', 'Two minutes.', 'm', 30, 0, 4, 0)")
        journal.execute("INSERT INTO spending VALUES ('run', 34, NULL)")
        journal.commit()
    (tmp_path / "collections" / INDEX).mkdir(parents=True)
    (tmp_path / "collections" / INDEX / "meta.json").write_text(META)
    (tmp_path / "queries").mkdir()
    (tmp_path / "queries" / "a7d07e1b5f2c2ee299f3456419f849bc.npy").write_bytes(b"1")
    return tmp_path


async def test_what_was_paid_for_is_read(home: Path) -> None:
    with closing(Journal(home / "journal.sqlite")) as journal:
        found = journal.get("k")
        assert found is not None
        assert (found.text, found.prompt_tokens) == ("Two minutes.", 30)
        assert journal.spent("run").calls == 1


def test_its_index_stays_where_it_cannot_be_made_again_and_what_is_of_no_use_goes(home: Path) -> None:
    env = Environment(_env_file=None, ragset_home=home, milvus_uri=None)  # type: ignore[call-arg]
    items = {item.kind: item for item in Inventory(env, days=-1).items}
    assert (items["index"].name, items["index"].why) == (
        "corpus-f332cc recursive-256-0-tokens emb",
        "its embeddings are kept nowhere else",
    )
    assert [kind for kind, item in items.items() if item.goes] == ["leftover"]


def test_a_journal_of_another_form_is_refused_in_one_line(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "journal.sqlite")) as journal:
        journal.execute("CREATE TABLE replies (key TEXT PRIMARY KEY, reply TEXT)")
    with pytest.raises(InputError, match=r"journal\.sqlite: .*of another release, move it away"):
        Journal(tmp_path / "journal.sqlite")
