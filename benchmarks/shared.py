"""What the benchmarks share: options, clocks, an index for the length of a block, and runs against the fake OpenAI server."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from flows.cli.server import TemporaryServer
from flows.deploy.service.secret import SENT
from ragset.chunking import drop_poor, split
from ragset.dataset.importers import ImportedSet
from ragset.generation.stages.round_trip import first_relevant
from ragset.models import Document, Golden
from ragset.retrieval.embedding import Embedder, connect_embedder
from ragset.retrieval.fusion import Hit
from ragset.retrieval.index import Index, build_index
from ragset.retrieval.search import Mode, retrieve
from ragset.retrieval.stores import open_store
from ragset.retrieval.vector_store import VectorStore
from ragset.settings import ChunkingSettings, EmbeddingSettings, Environment, RetrievalSettings
from tests.fake_openai import Fake, fake_openai

ROOT = Path(__file__).parents[1]


def options(description: str | None, *paths: str, **defaults: Any) -> argparse.Namespace:
    """The command line: `paths` in their order, and an option for each default; `description` says what they are.

    A path may end in `?`, `*` or `+`, as argparse has them. An option with a tuple as its default can be repeated.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    for path in paths:
        name = path.rstrip("?*+")
        parser.add_argument(name, type=Path, nargs=path[len(name) :] or None)
    for name, default in defaults.items():
        many = isinstance(default, tuple)
        kind: dict[str, Any] = {"action": "append"} if many else {"type": type(default), "default": default}
        parser.add_argument(
            f"--{name.replace('_', '-')}", help=f"(default: {', '.join(default) if many else default})", **kind
        )
    asked = parser.parse_args()
    vars(asked).update({name: default for name, default in defaults.items() if getattr(asked, name) is None})
    return asked


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table."""
    return ["| " + " | ".join(row) + " |" for row in (header, ["---"] * len(header), *rows)]


def fastest(run: Callable[[], object], times: int = 3) -> float:
    """Seconds of the fastest pass, which other programs slowed down least."""
    seconds: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


@contextmanager
def temporary_store() -> Generator[tuple[Path, VectorStore]]:
    """A folder and a store in it, gone after the block."""
    with tempfile.TemporaryDirectory() as folder:
        env = Environment(_env_file=None, ragset_home=Path(folder), milvus_uri=None)  # type: ignore[call-arg]
        with open_store(env) as store:
            yield Path(folder), store


@contextmanager
def temporary_index(
    documents: Iterable[Document], embedder: Embedder, chunking: ChunkingSettings
) -> Generator[tuple[Index, VectorStore]]:
    """The documents as an index, gone after the block."""
    chunks, _ = drop_poor(chunk for document in documents for chunk in split(document, chunking, embedder.embed))
    with temporary_store() as (home, store):
        yield build_index(chunks, corpus="b", chunking=chunking, embedder=embedder, home=home, store=store), store


def ranks_of(
    data: ImportedSet, modes: Sequence[Mode], size: int, model: str = "offline", k: int = 10
) -> dict[str, list[int | None]]:
    """By mode, the rank of each golden's evidence among the first `k` chunks of `size` tokens; None beyond."""
    embedder = connect_embedder(EmbeddingSettings(model=model), Environment())
    queries = [golden.query for golden in data.goldens]
    with temporary_index(data.documents, embedder, ChunkingSettings(size=size)) as (index, store):
        vectors = embedder.embed(queries)
        found = {mode: retrieve(index, store, queries, vectors, RetrievalSettings(mode=mode), k) for mode in modes}

    def rank(golden: Golden, hits: Sequence[Hit]) -> int | None:
        return first_relevant([hit.id for hit in hits], golden.evidence)

    return {mode: list(map(rank, data.goldens, hits)) for mode, hits in found.items()}


class Run(NamedTuple):
    """One run of the command line."""

    seconds: float
    asking: float
    """Seconds from the first question of a stage that the server saw to its last answer; 0 where it saw none."""
    processor: float
    """Seconds of the processor that the command used in that time."""
    server: float
    """Seconds of the processor that Prefect's server used in that time."""
    result: dict[str, Any]
    answered: int
    distinct: int
    """Different questions among those answered."""
    requests: int
    """Refused ones included."""


@contextmanager
def bench(**settings: Any) -> Generator["BenchmarkRunner"]:
    """A fake server, a Prefect server and a folder, gone after the block."""
    with tempfile.TemporaryDirectory() as folder, fake_openai(**settings) as fake:
        prefect = Path(folder) / "prefect"
        prefect.mkdir()
        server = TemporaryServer(prefect)
        server.wait()
        try:
            yield BenchmarkRunner(Path(folder), fake, server)
        finally:
            server.stop()


class BenchmarkRunner:
    """Runs commands against a fake server."""

    def __init__(self, folder: Path, fake: Fake, server: TemporaryServer) -> None:
        self.folder = folder
        self.fake = fake
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "RAGSET_"))}
        self._server = server
        self._env = {**inherited, "PREFECT_API_URL": server.url, SENT: server.secret, "OPENAI_BASE_URL": fake.url}

    def environment(self, home: Path) -> dict[str, str]:
        """Of a command that uses these servers, and keeps what it keeps in `home`."""
        return {**self._env, "RAGSET_HOME": str(home)}

    def corpus(self, chunks: int) -> Path:
        """A folder whose documents are cut into about that many chunks of some 100 tokens."""
        folder = self.folder / f"corpus-{chunks}"
        folder.mkdir(exist_ok=True)
        for number in range(0, chunks, 50):
            paragraphs = [paragraph(place) for place in range(number, min(number + 50, chunks))]
            (folder / f"{number:06}.txt").write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
        return folder

    def run(self, corpus: Path, home: str, n: int, concurrency: int, *more: str) -> Run:
        """`single-chunk`, with the runs of one `home` sharing their journal."""
        seen = len(self.fake.log())
        asked = f"--chunk-size 100 --json --n {n} --model fake --concurrency {concurrency}".split()
        command = [sys.executable, "-m", "flows", "single-chunk", str(corpus), *asked, *more]
        command += ["--out", str(self.folder / "out")]
        env = self.environment(self.folder / home)
        began = time.monotonic()
        used: list[tuple[float, float, float]] = []  # moments of the clock, and seconds of both processes until then
        with subprocess.Popen(
            command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            while True:
                try:
                    said, complained = process.communicate(timeout=0.05)
                    break
                except subprocess.TimeoutExpired:
                    used.append((time.time(), processor_seconds(process.pid), processor_seconds(self._server.process)))
        seconds = time.monotonic() - began
        if process.returncode not in {0, 4}:
            sys.exit(complained)
        log = [entry for entry in self.fake.log()[seen:] if entry["reply"] != "Ready"]
        good = [entry for entry in log if entry["status"] == 200]
        # The portrait of the audience is asked for before passages are drawn, which is start-up.
        first = min((entry["started"] for entry in good if entry["reply"] != "AudiencePortrait"), default=0.0)
        last = max((entry["ended"] for entry in good), default=0.0)
        inside = [both for moment, *both in used if first <= moment <= last] or [[0.0, 0.0]]
        processor, server = (after - before for before, after in zip(inside[0], inside[-1], strict=True))
        distinct = len({entry["digest"] for entry in good})
        return Run(seconds, last - first, processor, server, json.loads(said), len(good), distinct, len(log))


def processor_seconds(process: int) -> float:
    """Of user and system that a process has used, with all its threads (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def paragraph(number: int) -> str:
    return (
        f"The tower clock of parish {number} was built in {1400 + number % 500} by the smith of village {number * 7 % 911}. "
        f"Its foliot carries weights of {number % 13 + 3} pounds, and the keeper moves them by {number % 5 + 1} notches in "
        f"winter because cold grease slows the wheels of clock {number}. The bell of parish {number} weighs "
        f"{number * 31 % 4000 + 200} kilograms and is rung {number % 9 + 3} times a day, so the council of parish {number} "
        f"pays its ringer {number % 70 + 12} crowns a year from the toll of bridge {number * 3 % 517}."
    )
