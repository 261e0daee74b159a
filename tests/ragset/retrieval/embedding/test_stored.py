"""What was embedded is kept: real HTTP to the fake server, a real journal, processes that are killed."""

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ragset.errors import BudgetSpent, EmbeddingError, InputError
from ragset.llm.journal import Journal, Spent
from ragset.llm.journaled import BudgetTracker
from ragset.llm.usage import Price, Prices
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.endpoint import EndpointEmbedder
from ragset.retrieval.embedding.stored import Bill, EmbeddingStore, StoredEmbedder, StoredEmbedding, shares
from ragset.settings import Budget, EmbeddingSettings, Environment
from tests.fake_openai import Fake, fake_openai

ROOT = Path(__file__).resolve().parents[4]
TEXTS = [f"Green tea number {n} is steeped for {n} minutes." for n in range(10)]


@pytest.fixture(scope="module")
def server() -> Generator[Fake]:
    with fake_openai(dimensions=8) as running:
        yield running


@pytest.fixture
def fake(server: Fake) -> Fake:
    server.reset()
    return server


@pytest.fixture
def journal(tmp_path: Path) -> Generator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite")
    yield opened
    opened.close()


def stored(
    fake: Fake, journal: Journal, *, batch_size: int = 4, dimensions: int | None = None, **limits: float
) -> StoredEmbedder:
    env = Environment(_env_file=None, openai_base_url=fake.url, openai_api_key=None)  # type: ignore[call-arg]
    settings = EmbeddingSettings(model="m", batch_size=batch_size, dimensions=dimensions)
    embedder = connect_embedder(settings, env)
    assert isinstance(embedder, EndpointEmbedder)
    budget_tracker = BudgetTracker(
        journal, "run", Budget.model_validate(limits), Prices(models={"m": Price(input=1_000_000, output=0)})
    )
    return StoredEmbedder(embedder, EmbeddingStore(journal, embedder.identity), budget_tracker)


def asked(fake: Fake) -> list[int]:
    return sorted(entry["texts"] for entry in fake.log() if entry["status"] == 200)


def test_a_text_is_asked_for_once_ever(fake: Fake, journal: Journal) -> None:
    first = stored(fake, journal).embed([*TEXTS, TEXTS[0]])
    again = stored(fake, journal).embed([*TEXTS, TEXTS[0]])
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first[0], first[10])
    # ten texts in fours
    assert asked(fake) == [2, 4, 4]


def test_only_what_is_new_is_asked_for(fake: Fake, journal: Journal) -> None:
    stored(fake, journal).embed(TEXTS[:6])
    stored(fake, journal).embed(TEXTS)
    # 4 and 2; then, of 4, 4 and 2, what is missing: 2 and 2
    assert asked(fake) == [2, 2, 2, 4]


def test_the_same_text_with_other_dimensions_is_another_embedding(fake: Fake, journal: Journal) -> None:
    assert stored(fake, journal).embed(TEXTS[:1]).shape == (1, 8)
    assert stored(fake, journal, dimensions=4).embed(TEXTS[:1]).shape == (1, 4)


def test_calls_tokens_and_cost_are_spent_on_behalf_of_the_run(fake: Fake, journal: Journal) -> None:
    stored(fake, journal).embed(TEXTS)
    tokens = sum(entry["prompt_tokens"] for entry in fake.log())
    # one dollar a token
    assert journal.spent("run") == Spent(3, tokens, float(tokens))
    stored(fake, journal).embed(TEXTS)
    assert journal.spent("run").calls == 3


def test_what_an_interrupted_run_rests_on_is_what_an_undisturbed_one_does(
    fake: Fake, journal: Journal, tmp_path: Path
) -> None:
    with pytest.raises(BudgetSpent):
        stored(fake, journal, max_calls=2).embed(TEXTS)
    resumed = stored(fake, journal)
    resumed.embed(TEXTS)
    other = Journal(tmp_path / "other" / "journal.sqlite")
    undisturbed = stored(fake, other)
    undisturbed.embed(TEXTS)
    assert resumed.used == undisturbed.used == Bill(3, journal.spent("run").tokens)
    assert resumed.bill(TEXTS) == undisturbed.bill(TEXTS) == resumed.used
    other.close()


@pytest.mark.parametrize(("limit", "calls"), [({"max_calls": 2}, 2), ({"max_tokens": 1}, 1), ({"max_cost": 0.5}, 1)])
def test_a_budget_ends_it_and_what_was_embedded_is_kept(
    fake: Fake, journal: Journal, limit: dict[str, float], calls: int
) -> None:
    for some in range(calls):
        stored(fake, journal, **limit).embed(TEXTS[: 4 * (some + 1)])
    with pytest.raises(BudgetSpent, match=next(iter(limit))):
        stored(fake, journal, **limit).embed(TEXTS)
    assert len(asked(fake)) == calls
    assert len(EmbeddingStore(journal, stored(fake, journal).identity).get(TEXTS)) == 4 * calls


def test_a_vector_that_no_index_could_hold_is_asked_for_again(fake: Fake, journal: Journal) -> None:
    fake.set(embedding_fault="nan")
    assert np.isnan(stored(fake, journal).embed(TEXTS[:2])).any(axis=1).tolist() == [False, True]
    fake.set(embedding_fault="")
    assert np.isfinite(stored(fake, journal).embed(TEXTS[:2])).all()
    assert asked(fake) == [1, 2]


def test_a_model_that_was_changed_behind_its_name_is_an_error_that_says_what_to_do(
    fake: Fake, journal: Journal
) -> None:
    stored(fake, journal).embed(TEXTS[:1])
    fake.set(dimensions=16)
    with pytest.raises(EmbeddingError, match=r"\[8, 16\].*embeddings.sqlite"):
        stored(fake, journal).embed(TEXTS[:2])


def test_no_texts_ask_nothing(fake: Fake, journal: Journal) -> None:
    assert len(stored(fake, journal).embed([])) == 0
    assert fake.stats()["requests"] == 0


def test_the_shares_of_a_request_add_up_to_it() -> None:
    assert sum(shares(1_001, TEXTS)) == 1_001
    # one token each as counted here: ten texts of "tea" share ten tokens evenly
    assert shares(10, ["tea"] * 10) == [1] * 10
    assert shares(0, ["tea"]) == [0]


def test_the_first_embedding_of_a_text_stays(journal: Journal) -> None:
    store = EmbeddingStore(journal, "e")
    store.put({"t": StoredEmbedding(np.array([1, 0], dtype=np.float32), 3)}, run="r", tokens=3)
    store.put({"t": StoredEmbedding(np.array([0, 1], dtype=np.float32), 4)})
    assert store.get(["t", "u"])["t"].vector.tolist() == [1, 0]
    assert store.tokens(["t", "u"]) == {"t": 3}


def test_many_texts_are_found_again(journal: Journal) -> None:
    store = EmbeddingStore(journal, "e")
    store.put({str(n): StoredEmbedding(np.array([n], dtype=np.float32), n) for n in range(1_201)})
    found = store.get(map(str, range(1_300)))
    assert [found[str(n)].vector[0] for n in range(1_201)] == list(range(1_201))
    assert len(found) == 1_201


PROGRAM = """
    import sys
    from pathlib import Path
    from tests.ragset.retrieval.embedding.test_stored import *
    fake = Fake(int(sys.argv[1]))
    journal = Journal(Path(sys.argv[2]))
    print("ready", flush=True)
    sys.stdin.readline()
    stored(fake, journal, batch_size=2).embed(TEXTS)
    journal.close()
    print("done", flush=True)
"""


def program(fake: Fake, home: Path) -> subprocess.Popen[str]:
    port = fake.url.partition("127.0.0.1:")[2].partition("/")[0]
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), port, str(home / "journal.sqlite")],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_killed_process_loses_the_requests_under_way_and_nothing_else(fake: Fake, tmp_path: Path) -> None:
    fake.set(answers=3)  # of five; the others hang
    process = program(fake, tmp_path)
    assert process.stdin
    process.stdin.write("\n")
    process.stdin.flush()
    journal = Journal(tmp_path / "journal.sqlite")
    until = time.monotonic() + 60
    while journal.spent("run").calls < 3 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    fake.set(answers=0)
    assert len(stored(fake, journal, batch_size=2).embed(TEXTS)) == 10
    assert asked(fake) == [2] * 5
    assert journal.spent("run").calls == 5
    journal.close()


def test_two_processes_that_embed_the_same_texts_at_once_end_with_the_same_vectors(fake: Fake, tmp_path: Path) -> None:
    fake.set(latency=0.05)
    processes = [program(fake, tmp_path) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(lambda process: process.communicate("\n", timeout=60)[0], processes))
    assert said == ["done\n"] * 2
    journal = Journal(tmp_path / "journal.sqlite")
    before = fake.stats()["requests"]
    assert len(stored(fake, journal, batch_size=2).embed(TEXTS)) == 10
    assert fake.stats()["requests"] == before == 5
    journal.close()


def test_a_damaged_file_says_which_to_move_away(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "embeddings.sqlite").write_bytes(b"damaged" * 1_000)
    with pytest.raises(InputError, match=r"embeddings\.sqlite"):
        Journal(tmp_path / "journal.sqlite")
