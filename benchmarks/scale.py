"""What runs cost by the size of the corpus and by the number of goldens: time, memory, disk and calls, with exponents.

    python -m benchmarks.scale [--max 100000] [--goldens 10000] [--store lite] [--results out/scale.jsonl]

Each measurement is a command of its own against a fake OpenAI server without latency. It becomes a line of the file of
results, and what the file holds is not measured again: stop the program at any time, and raise `--max` later. The index is
in Milvus Lite, or with `--store server` in a Milvus server of the package `milvus`, new for each size; name another file of
results for it. `--max 0` and `--goldens 0` leave a half out. Needs Linux.
"""

import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from benchmarks.shared import ROOT, BenchmarkRunner, bench, markdown, options, processor_seconds
from tests.engines.milvus.conftest import milvus_server

STEPS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
GOLDENS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
START = {"chunks": 20, "goldens": 1}
"""Sizes that show what start-up costs."""
DOCUMENT = 20  # chunks
WORDS = 150  # of a paragraph: about 1,000 characters, and one chunk of at most 256 tokens
UNDER_GOLDENS = 12_000  # chunks of the corpus whose goldens are counted
LEAST_RISE = (
    0.2  # a cost that is less than this share above that of the smallest size is noise of the start-up, and not fitted
)
CHUNK_CURVES = ("index", "index, 1 % changed", "100 goldens")
GOLDEN_CURVES = ("goldens", "benchmark")
SERVERS = {"prefect": "flows.deploy.prefect_server", "milvus": "bin/milvus"}
"""What their command lines hold."""
COSTS = ("seconds", "processor", "memory", "disk", "calls", *SERVERS, "milvus memory")
"""Seconds on the clock; those of all processors; peak MB of the largest process; MB of RAGSET_HOME and output; model calls.

Then processor seconds of Prefect's server and of Milvus', and the peak MB of Milvus'; 0 where there is none.
"""

MEASURE = """import json, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    json.dump([used.ru_utime + used.ru_stime, used.ru_maxrss], file)
sys.exit(code)
"""
"""Runs a command from a small process, since Linux counts the peak memory of a parent as that of its child."""

Row = dict[str, Any]


class Paragraphs:
    """English words by their rank, with a long tail of rare compounds, as sentences."""

    def __init__(self) -> None:
        text = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "examples" / "corpus").glob("*.md"))
        common = [word for word, _ in Counter(re.findall(r"[a-z]+", text.lower())).most_common()]
        long = [word for word in common if len(word) > 4]
        rng = random.Random(0)
        rare = {f"{rng.choice(long)}{rng.choice(long)}" for _ in range(60_000)}
        self._words = np.array([*common, *sorted(rare)], dtype=object)
        self._shares = np.cumsum((np.arange(len(self._words)) + 2.7) ** -1.2)
        self._shares /= self._shares[-1]

    def document(self, number: int, version: int = 0) -> str:
        """`DOCUMENT` paragraphs, the same for the same number and version."""
        rng = np.random.default_rng([number, version])
        drawn = self._words[np.searchsorted(self._shares, rng.random((DOCUMENT, WORDS)))]
        starts = range(0, WORDS, 15)
        paragraphs = (" ".join(" ".join(row[at : at + 15]).capitalize() + "." for at in starts) for row in drawn)
        return "\n\n".join(paragraphs) + "\n"


def write_corpus(folder: Path, chunks: int, version: int = 0, every: int = 1) -> None:
    """Write each `every`th of the documents that make about that many chunks."""
    folder.mkdir(exist_ok=True)
    paragraphs = Paragraphs()
    for number in range(0, -(-chunks // DOCUMENT), every):
        (folder / f"{number:06}.txt").write_text(paragraphs.document(number, version), encoding="utf-8")


class Scale:
    """Runs the commands whose costs the file of results does not hold."""

    def __init__(self, here: BenchmarkRunner, results: Path, store: str = "lite") -> None:
        self._here = here
        self._store = store
        self._milvus_uri = ""
        self._results = results
        self._rows = read_rows(results)

    def by_chunks(self, chunks: int) -> None:
        """An index of so many chunks, again with 1 % of its documents changed, and 100 goldens of it."""
        if all(self._has(curve, chunks) for curve in CHUNK_CURVES):
            return
        folder, home = self._here.folder / "documents", self._here.folder / "home"
        with self._milvus():
            write_corpus(folder, chunks)
            self._run("index", chunks, home, f"index {folder}")
            write_corpus(folder, chunks, version=1, every=100)
            self._run("index, 1 % changed", chunks, home, f"index {folder}")
            self._run("100 goldens", chunks, home, self._goldens(folder, min(100, chunks // 2)))
        for made in (folder, home, self._here.folder / "out"):
            shutil.rmtree(made, ignore_errors=True)

    def by_goldens(self, counts: Iterable[int]) -> None:
        """So many goldens of one corpus in Milvus Lite, each time without a journal, and a benchmark on them."""
        wanted = [count for count in counts if not all(self._has(curve, count) for curve in GOLDEN_CURVES)]
        if not wanted:
            return
        folder, indexed, home = (self._here.folder / name for name in ("documents", "indexed", "home"))
        write_corpus(folder, UNDER_GOLDENS)
        self._run("", 0, indexed, f"index {folder}")
        for count in wanted:
            shutil.copytree(indexed, home)
            self._run("goldens", count, home, self._goldens(folder, count))
            out = self._here.folder / "out"
            self._run("benchmark", count, home, f"benchmark {out} --out {self._here.folder / 'measured'}")
            for made in (home, out, self._here.folder / "measured"):
                shutil.rmtree(made)

    def _goldens(self, folder: Path, count: int) -> str:
        out = self._here.folder / "out"
        return f"single-chunk {folder} --n {count} --model fake --embedding offline --concurrency 64 --out {out}"

    @contextmanager
    def _milvus(self) -> Generator[None]:
        """A server for the length of the block, if one is asked for."""
        if self._store == "lite":
            yield
            return
        with tempfile.TemporaryDirectory() as folder, milvus_server(Path(folder, "milvus")) as self._milvus_uri:
            yield
        self._milvus_uri = ""

    def _has(self, curve: str, asked: int) -> bool:
        return any((row["curve"], row["asked"]) == (curve, asked) for row in self._rows)

    def _run(self, curve: str, asked: int, home: Path, words: str) -> None:
        """Run a command; keep what it cost if it is of a curve. It is not run in vain: later ones need what it leaves."""
        calls = self._here.fake.stats()["requests"]
        servers = _servers()
        before = {name: processor_seconds(process) for name, process in servers.items()}
        for process in servers.values():
            Path(f"/proc/{process}/clear_refs").write_text("5", encoding="utf-8")  # the peak begins anew
        said, failed, used = (self._here.folder / name for name in ("said.json", "failed.txt", "used.json"))
        began = time.monotonic()
        with said.open("w") as out, failed.open("w") as err:
            command = [sys.executable, "-m", "flows", *words.split(), "--json"]
            env = {**self._here.environment(home), "MILVUS_URI": self._milvus_uri}
            measured = [sys.executable, "-S", "-c", MEASURE, str(used), *command]
            code = subprocess.run(measured, cwd=ROOT, env=env, stdout=out, stderr=err, check=False).returncode
        if code:
            sys.exit(failed.read_text())
        processor, memory = json.loads(used.read_text())
        row: Row = {
            "curve": curve,
            "asked": asked,
            "seconds": time.monotonic() - began,
            "processor": processor,
            "memory": memory / 1_024,
            "disk": sum(_megabytes(self._here.folder / name) for name in (home.name, "out", "measured")),
            "calls": self._here.fake.stats()["requests"] - calls,
            **{name: processor_seconds(process) - before[name] for name, process in servers.items()},
            "milvus memory": _peak(servers["milvus"]) if "milvus" in servers else 0.0,
        }
        if curve and not self._has(curve, asked):
            made = json.loads(said.read_text())
            row["size"] = made["chunks"] if curve in CHUNK_CURVES else asked
            self._rows.append(row)
            self._results.parent.mkdir(parents=True, exist_ok=True)
            with self._results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(
                f"  {curve}, {asked:,}: {', '.join(f'{name} {row[name]:,.1f}' for name in COSTS if name in row)}",
                flush=True,
            )


def read_rows(results: Path) -> list[Row]:
    """What was measured; a last line that a killed program left unfinished is measured again."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}")]


def tables(rows: list[Row]) -> Iterator[str]:
    """A table for each curve, with a line for each size and for the exponents."""
    for curve in (*CHUNK_CURVES, *GOLDEN_CURVES):
        of_curve = sorted((row for row in rows if row["curve"] == curve), key=lambda row: row["asked"])
        if of_curve:
            sizes = [row["size"] for row in of_curve]
            found = (exponent(sizes, [row.get(name, 0) for row in of_curve]) for name in COSTS)
            lines = [(f"{row['asked']:,}", *(f"{row.get(name, 0):,.0f}" for name in COSTS)) for row in of_curve]
            lines.append(("exponent", *("{:.2f} ({:.2f}–{:.2f})".format(*one) if one else "" for one in found)))
            yield from ("", *markdown((curve, *COSTS), lines))


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> tuple[float, float, float] | None:
    """The power k of y − y₀ = a·xᵏ with the ends of its 95 % interval, where y₀ is the first cost; None where fewer than three rise above it."""
    start = costs[0]
    rising = [(x, y - start) for x, y in zip(sizes[1:], costs[1:], strict=True) if y - start > LEAST_RISE * start]
    if len(rising) < 3:  # two have no interval
        return None
    line: Any = stats.linregress(*np.log(np.array(rising)).T)
    width = stats.t.ppf(0.975, len(rising) - 2) * float(np.nan_to_num(line.stderr))  # none where all costs are the same
    return line.slope, line.slope - width, line.slope + width


def _servers() -> dict[str, int]:
    """The processes of the servers that this program has started."""
    children = [
        int(child) for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()
    ]
    called = {child: Path(f"/proc/{child}/cmdline").read_bytes().decode() for child in children}
    return {name: child for name, part in SERVERS.items() for child, line in called.items() if part in line}


def _peak(process: int) -> float:
    """MB of memory that a process has held at most."""
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    return int(kilobytes) / 1_024


def _megabytes(folder: Path) -> float:
    """On disk, without what Prefect's server keeps there."""
    files = (path for path in folder.rglob("*") if path.is_file() and "prefect" not in path.parts)
    return sum(path.stat().st_blocks * 512 for path in files) / 1e6


def _up_to(most: int, start: int, steps: Iterable[int]) -> list[int]:
    return [start, *(step for step in steps if step <= most)] if most else []


def main() -> None:
    asked = options(__doc__, max=100_000, goldens=10_000, store="lite", results="out/scale.jsonl")
    results = Path(asked.results)
    with bench() as here:
        scale = Scale(here, results, asked.store)
        for chunks in _up_to(asked.max, START["chunks"], STEPS):
            scale.by_chunks(chunks)
        scale.by_goldens(_up_to(asked.goldens, START["goldens"], GOLDENS))
    print("\n".join(tables(read_rows(results))))


if __name__ == "__main__":
    main()
