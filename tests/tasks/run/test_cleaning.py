"""What may go of RAGSET_HOME: real indexes in Milvus Lite, a real journal, locks that processes hold."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.llm.journal import Journal
from ragset.models import Chunk, Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.embedding.stored import EmbeddingStore, StoredEmbedding
from ragset.retrieval.index import build_index, open_index
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, Environment
from tasks.run.cleaning import Inventory, Item
from tasks.run.home import no_run
from tests.small_dataset import TEA, golden_of, write_small
from tests.tasks.run.test_caching import key, keyed_by

COFFEE = Document.of("Coffee is brewed below the boiling point. Grind it first.", source="coffee.md", title="Coffee")
DAY = 86_400


class Bought(OfflineEmbedder):
    """Vectors as of an endpoint: by name and identity they are paid for."""

    def __init__(self) -> None:
        super().__init__(8)
        self.name, self.identity = "bought-8", '["http://models", "bought", 8]'


def environment(home: Path) -> Environment:
    return Environment(_env_file=None, ragset_home=home, milvus_uri=None)  # type: ignore[call-arg]


def write_corpus(home: Path, *documents: Document, key: str = "docs", digest: str = "0123456789abcdef") -> Corpus:
    folder = home / "corpora" / key
    folder.mkdir(parents=True, exist_ok=True)
    return Corpus.write(folder / f"{digest}.jsonl", documents)


def index_of(home: Path, corpus: Corpus, *, key: str = "docs", embedder: OfflineEmbedder | None = None) -> str:
    """The name of an index of whole documents."""
    chunks = [Chunk(doc_id=one.id, start=0, end=len(one.text), text=one.text, title=one.title) for one in corpus]
    with open_store(environment(home)) as store:
        index = build_index(
            chunks,
            corpus=key,
            chunking=ChunkingSettings(),
            embedder=embedder or OfflineEmbedder(8),
            home=home,
            store=store,
            corpus_hash=corpus.hash,
        )
        return index.folder.name


def age(*paths: Path, days: float) -> None:
    then = time.time() - days * DAY
    for path in paths:
        os.utime(path, (then, then))


def going(items: Sequence[Item]) -> list[str]:
    return [f"{item.kind} {item.name}" for item in items if item.goes]


def collections(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "milvus.db" / "collections").iterdir())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Tea and coffee, a corpus and an index each; the dataset `tea` is beside it."""
    home = tmp_path / "home"
    tea = write_corpus(home, TEA, key="tea")
    index_of(home, tea, key="tea")
    index_of(home, write_corpus(home, COFFEE, key="coffee"), key="coffee")
    write_small(tmp_path / "tea", tea, [golden_of()])
    return home


def test_what_a_named_dataset_rests_on_stays_and_the_rest_goes(home: Path) -> None:
    inventory = Inventory(environment(home), [home.parent / "tea"])
    assert going(inventory.items) == [
        "corpus coffee/0123456789abcdef",
        "index coffee recursive-256-0-tokens offline-8",
    ]
    before = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
    freed = inventory.free()
    assert before - sum(path.stat().st_size for path in home.rglob("*") if path.is_file()) == freed > 0
    assert [path.name for path in home.glob("corpora/*/*")] == ["0123456789abcdef.jsonl"]
    (folder,) = home.glob("collections/*")
    assert collections(home) == [folder.name]
    assert len(open_index(home, folder.name)) == 1
    assert going(Inventory(environment(home), [home.parent / "tea"]).items) == []


def test_a_benchmark_over_named_datasets_keeps_its_corpus_and_index(home: Path) -> None:
    both = write_corpus(home, TEA, COFFEE, key="benchmark-1")
    index_of(home, both, key="benchmark-1")
    write_small(home.parent / "coffee", Corpus.open(home / "corpora/coffee/0123456789abcdef.jsonl"), [])
    env = environment(home)
    assert going(Inventory(env, [home.parent / "tea", home.parent / "coffee"]).items) == []
    assert "corpus benchmark-1/0123456789abcdef" in going(Inventory(env, [home.parent / "tea"]).items)


def test_without_a_dataset_only_what_was_not_used_lately_goes(home: Path) -> None:
    env = environment(home)
    age(*home.glob("corpora/tea/*"), *home.glob("collections/*tea*/meta.json"), days=31)
    assert [name.split()[1].split("/")[0] for name in going(Inventory(env).items)] == ["tea", "tea"]
    # Used again: nothing is embedded or written.
    index_of(home, write_corpus(home, TEA, key="tea"), key="tea")
    assert going(Inventory(env).items) == []


def test_a_result_that_a_run_looked_up_was_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))
    monkeypatch.delenv("PREFECT_RESULTS_LOCAL_STORAGE_PATH", raising=False)
    (tmp_path / "results").mkdir()
    paths = [tmp_path / "results" / key(keyed_by("x"), {"x": x}) for x in (1, 2)]
    own = tmp_path / "results" / "benchmark.json"
    for path in (*paths, own):
        path.write_text("result")
    age(*paths, own, days=40)
    key(keyed_by("x"), {"x": 1})
    inventory = Inventory(environment(tmp_path))
    assert [(item.size, item.goes) for item in inventory.items] == [(6, False), (6, True)]
    inventory.free()
    assert sorted((tmp_path / "results").iterdir()) == sorted([own, paths[0]])


def test_nothing_that_was_paid_for_goes(home: Path) -> None:
    (home / "service").mkdir()
    (home / "service" / "secret").write_text("s")
    corpus = write_corpus(home, COFFEE, key="bought")
    name = index_of(home, corpus, key="bought", embedder=Bought())
    env = environment(home)

    def judged() -> tuple[bool, str]:
        items = Inventory(env, [home.parent / "tea"]).items
        return next((item.goes, item.why) for item in items if item.name.startswith("bought recursive"))

    assert judged() == (False, "its embeddings are kept nowhere else")
    with closing(Journal(home / "journal.sqlite")) as journal:
        store = EmbeddingStore(journal, Bought().identity)
        store.put({"another text": StoredEmbedding(np.ones(8, np.float32), 3)})
        assert judged() == (False, "its embeddings are kept nowhere else")
        store.put({COFFEE.text: StoredEmbedding(np.ones(8, np.float32), 3)})
    kept = {path: path.read_bytes() for path in (home / "embeddings.sqlite", home / "service" / "secret")}
    inventory = Inventory(env, [home.parent / "tea"])
    assert judged()[0]
    assert {item.name for item in inventory.items if item.kind == "paid"} == {"journal.sqlite", "embeddings.sqlite"}
    inventory.free()
    assert name not in collections(home)
    assert {path: path.read_bytes() for path in kept} == kept
    assert (home / "journal.sqlite").exists()


def test_leftovers_of_killed_runs_go(home: Path) -> None:
    with open_store(environment(home)) as store:
        store.create("ragset_deleted_by_hand_12345678", 8)
    (folder,) = home.glob("collections/*tea*")
    (home / "parts").mkdir()
    (home / "parts" / "abc").write_bytes(b"12345")
    (folder / "pending").mkdir()
    (folder / "pending" / "1.npz").write_bytes(b"12")
    (folder / "chunks.partial").write_bytes(b"1")
    inventory = Inventory(environment(home))
    assert {item.name: item.size for item in inventory.items if item.goes and not item.collections} == {
        "unfinished files": 5 + 2 + 1,
    }
    inventory.free()
    assert "ragset_deleted_by_hand_12345678" not in collections(home)
    assert not (home / "parts").exists()
    assert not (folder / "pending").exists()
    assert len(open_index(home, folder.name)) == 1


def test_of_another_milvus_than_that_of_the_environment_nothing_goes(home: Path) -> None:
    elsewhere = environment(home).model_copy(update={"milvus_uri": "http://127.0.0.1:9"})
    (folder,) = home.glob("collections/*coffee*")
    (index,) = [
        item for item in Inventory(elsewhere, [home.parent / "tea"]).items if item.goes and item.kind == "index"
    ]
    assert index.size == sum(path.stat().st_size for path in folder.iterdir())
    shutil.rmtree(folder)
    assert [item for item in Inventory(elsewhere, [home.parent / "tea"]).items if item.kind == "leftover"] == []


def test_what_vanishes_meanwhile_is_no_error(home: Path) -> None:
    inventory = Inventory(environment(home), [home.parent / "tea"])
    for path in (*home.glob("corpora/coffee/*"), *home.glob("collections/*coffee*/*.npy")):
        path.unlink()
    inventory.free()
    assert going(Inventory(environment(home), [home.parent / "tea"]).items) == []


def test_while_a_run_is_going_on_nothing_is_freed(home: Path) -> None:
    program = "from tasks.run.home import corpus_folder; import time; corpus_folder('x'); print(1, flush=True); time.sleep(600)"
    run = subprocess.Popen(
        [sys.executable, "-c", program], env={**os.environ, "RAGSET_HOME": str(home)}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert run.stdout is not None
        assert run.stdout.readline() == "1\n"
        with pytest.raises(InputError, match=r"RAGSET_HOME: a run is using .*home; .* when it has ended"), no_run(home):
            pass
    finally:
        run.kill()
        run.communicate()
    with no_run(home):
        pass


def test_a_run_that_starts_while_something_is_freed_waits(home: Path) -> None:
    program = "from tasks.run.home import corpus_folder; print(1, flush=True); corpus_folder('x'); print(2, flush=True)"
    with no_run(home):
        run = subprocess.Popen(
            [sys.executable, "-c", program], env={**os.environ, "RAGSET_HOME": str(home)}, stdout=subprocess.PIPE
        )
        assert run.stdout is not None
        assert run.stdout.readline() == b"1\n"
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(1)
    out, _ = run.communicate(timeout=60)
    assert out == b"2\n"


def test_a_folder_that_is_no_dataset_is_named(home: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        Inventory(environment(home), [tmp_path / "nowhere"])
