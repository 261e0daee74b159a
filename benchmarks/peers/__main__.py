"""ragset beside other generators of test sets: the same documents and fake server, each with its own defaults.

    python -m benchmarks.peers [--peers ragset,ragas] [--n 30] [--latency 0.5] [--at-once 16] [--limit 300]

Each peer is installed into an environment of its own below `--cache`. `--out` gets peers.json and peers.md.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from benchmarks.peers.measure import PEERS, Bench
from benchmarks.peers.table import Report
from ragset.documents import read_documents
from ragset.settings import DocumentSettings
from tests.fake_openai import fake_openai

ROOT = Path(__file__).parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", default=",".join(PEERS), help="(default: %(default)s)")
    parser.add_argument("--documents", default=str(ROOT / "examples" / "corpus"), help="(default: the example corpus)")
    parser.add_argument("--n", type=int, default=30, help="goldens to ask for (default: 30)")
    parser.add_argument("--latency", type=float, default=0.5, help="seconds of each answer (default: 0.5)")
    parser.add_argument("--at-once", type=int, default=16, help="calls, where a peer has a setting (default: 16)")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each run (default: 300)")
    parser.add_argument(
        "--cache", type=Path, default=Path.home() / ".cache" / "ragset-peers", help="(default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, default=Path("out/peers"), help="(default: %(default)s)")
    asked = parser.parse_args()
    peers = asked.peers.split(",")
    if unknown := set(peers) - set(PEERS):
        parser.error(f"--peers: {', '.join(sorted(unknown))} is not among {', '.join(PEERS)}")
    os.environ["UV_COMPILE_BYTECODE"] = "1"  # or the first run of each peer would do it
    report = Report(n=asked.n, latency=asked.latency, at_once=asked.at_once, limit=asked.limit)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        fake_openai(program="benchmarks.peers.server", latency=asked.latency, dimensions=256) as fake,
    ):
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, document in enumerate(read_documents(DocumentSettings(sources=(asked.documents,))).documents):
            (corpus / f"{number:03}.txt").write_text(document.text, encoding="utf-8")
        bench = Bench(fake, corpus, Path(folder), asked.cache, asked.n, asked.at_once, asked.limit)
        for peer in peers:
            print(f"{peer} …", file=sys.stderr, flush=True)
            report.measured.append(bench.measure(peer))
            report.write(asked.out)
    print(report.markdown())


if __name__ == "__main__":
    main()
