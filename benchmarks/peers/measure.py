"""Runs of one peer against the server: undisturbed, with faults, and killed and started again."""

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.peers.server import GARBLED
from ragset import __version__
from tests.compat.environments import NotInstalledError, install
from tests.fake_openai import Fake

HERE = Path(__file__).parent
PEERS = {
    "ragset": "ragset",
    "ragas": "ragas",
    "deepeval": "deepeval",
    "llamaindex": "llama-index-core",
    "giskard": "giskard",
    "autorag": "autorag",
}
"""The package of each; its script is `scripts/make_PEER.py`, and its environment `requirements/PEER.txt`."""
FAULTS: dict[str, dict[str, float]] = {
    "errors": {"errors": 0.1},
    "malformed": {"malformed": 0.1},
    "hung": {"hung": 0.05},
}
_RAISED = re.compile(r"(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Timeout|Exit)\b.*")


@dataclass(frozen=True)
class Run:
    """What one run asked for and gave."""

    goldens: int
    garbled: int
    """Of the goldens, those that hold the text of a malformed reply."""
    seconds: float
    processor: float
    """Seconds of the processor."""
    asking: float
    """Seconds from the first request to the last answer."""
    calls: int
    """Answered calls of the model."""
    embeddings: int
    """Answered requests for embeddings."""
    tokens: int
    """Of the prompts of the calls, at four characters each."""
    ended: str = ""
    """The error that ended the run, or that it was stopped."""


@dataclass
class Measured:
    """All runs of a peer."""

    peer: str
    version: str = ""
    failed: str = ""
    """Why it could not be installed."""
    runs: dict[str, Run] = field(default_factory=dict[str, Run])
    """By what was done to them: `undisturbed`, the names of `FAULTS`, `killed` and `again`."""

    @property
    def asked_again(self) -> int | None:
        """Calls for what had been answered before the kill: those of both runs that an undisturbed one does without.

        None where the second run did not come to its end.
        """
        if "again" not in self.runs or self.runs["again"].ended:
            return None
        calls = {name: run.calls for name, run in self.runs.items()}
        return min(calls["killed"], max(0, calls["killed"] + calls["again"] - calls["undisturbed"]))


@dataclass(frozen=True)
class Bench:
    """What all peers are measured with."""

    fake: Fake
    corpus: Path
    folder: Path
    cache: Path
    n: int
    at_once: int
    limit: float

    def measure(self, peer: str) -> Measured:
        """All runs of a peer, as far as it can be installed and makes a golden undisturbed."""
        python, version = Path(sys.executable), __version__
        if peer != "ragset":
            try:
                python = install(HERE / "requirements" / f"{peer}.txt", self.cache) / "bin" / "python"
            except NotInstalledError as error:
                return Measured(peer, failed=f"not installed: {' '.join(str(error).split())[:200]}")
            asking = [python, "-c", f"import importlib.metadata as m; print(m.version({PEERS[peer]!r}))"]
            version = subprocess.run(asking, capture_output=True, text=True, check=True).stdout.strip()
        measured = Measured(peer, version)
        calm = self.run(peer, python, "undisturbed")
        measured.runs["undisturbed"] = calm
        if calm.goldens:
            for name, faults in FAULTS.items():
                measured.runs[name] = self.run(peer, python, name, faults=faults)
            measured.runs["killed"] = self.run(peer, python, "killed", most=calm.calls // 2)
            measured.runs["again"] = self.run(peer, python, "killed")
        return measured

    def run(self, peer: str, python: Path, place: str, *, faults: dict[str, float] | None = None, most: int = 0) -> Run:
        """One run, killed after `most` answered calls.

        Its folder, which is its home too, is that of the earlier run of the same place.
        """
        self.fake.reset()
        self.fake.set(**faults or {})
        home = self.folder / peer / place
        home.mkdir(parents=True, exist_ok=True)
        out, said = home / "goldens.jsonl", home / "said.txt"
        command = [python, HERE / "scripts" / f"make_{peer}.py", self.corpus, str(self.n), str(self.at_once), out]
        began, used, ended = time.monotonic(), _processor_seconds(), ""
        with said.open("wb") as stream:
            process = subprocess.Popen(
                command, cwd=home, env=self._environment(home), stdout=stream, stderr=stream, start_new_session=True
            )
            while process.poll() is None and not ended:
                time.sleep(0.05)
                if most and sum(1 for entry in self.fake.log() if _is_call(entry)) >= most:
                    ended = "killed"
                elif time.monotonic() - began > self.limit:
                    ended = f"hung, stopped after {self.limit:g} s"
            seconds = time.monotonic() - began
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # and what it started
            process.wait()
        if process.returncode and not ended:
            ended = error_line(said.read_text(encoding="utf-8", errors="replace"))
        made = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
        return count(self.fake.log(), made, (seconds, _processor_seconds() - used), ended)

    def _environment(self, home: Path) -> dict[str, str]:
        """Of a script: nothing of the user's, nothing told to anybody, and a cache for vocabularies.

        Two of OpenAI's come with llama-index-core. GPT-2's, by which DeepEval cuts, is downloaded when it is missing.
        """
        vocabularies = self.cache.resolve() / "tiktoken"
        if not vocabularies.exists():
            spec = find_spec("llama_index.core")
            assert spec
            assert spec.origin
            shutil.copytree(Path(spec.origin).parent / "_static" / "tiktoken_cache", vocabularies)
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        return kept | {
            "HOME": str(home),
            "RAGSET_HOME": str(home / "ragset"),
            "OPENAI_BASE_URL": self.fake.url,
            "OPENAI_API_BASE": self.fake.url,
            "OPENAI_API_KEY": "none",
            "TIKTOKEN_CACHE_DIR": str(vocabularies),
            "RAGAS_DO_NOT_TRACK": "true",
            "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
            "GSK_DISABLE_ANALYTICS": "True",
            "ANONYMIZED_TELEMETRY": "False",
        }


def count(log: list[dict[str, Any]], made: list[str], seconds: tuple[float, float], ended: str = "") -> Run:
    """A run by the log of the server, the lines that the script wrote, and the seconds on the clock and of the processor."""
    goldens = [json.loads(line) for line in made]
    answered = [entry for entry in log if entry["status"] == 200]
    calls = [entry for entry in log if _is_call(entry)]
    return Run(
        goldens=len(goldens),
        garbled=sum(GARBLED in f"{golden['query']} {golden['answer']}" for golden in goldens),
        seconds=seconds[0],
        processor=seconds[1],
        asking=max((entry["ended"] for entry in answered), default=0.0)
        - min((entry["started"] for entry in log), default=0.0),
        calls=len(calls),
        embeddings=len(answered) - len(calls),
        tokens=sum(entry["prompt_tokens"] for entry in calls),
        ended=ended,
    )


def _processor_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _is_call(entry: dict[str, Any]) -> bool:
    return entry["status"] == 200 and entry["path"] == "/v1/chat/completions"


def error_line(said: str) -> str:
    """The first line of the last error that was raised, or else the last line."""
    lines = [line.strip(" │|") for line in said.splitlines() if line.strip(" │|╭╮╰╯─")]
    raised = [line for line in lines if _RAISED.fullmatch(line)]
    return (raised or lines or ["it said nothing"])[-1][:200]
