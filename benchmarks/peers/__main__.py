"""ragset beside other generators of test sets: the same documents and fake server, each with its own defaults.

    python -m benchmarks.peers [--peers ragset,ragas] [--n 30] [--latency 0.5] [--at-once 16] [--limit 300]

`--n` goldens are asked for, with answers after `--latency` seconds, and a run is stopped after `--limit` seconds. Each peer is
installed into an environment of its own below `--cache`. `--out` gets peers.json and peers.md.
"""

import os
import sys
import tempfile
from pathlib import Path

from benchmarks.peers.measure import PEERS, Bench
from benchmarks.peers.table import Report
from benchmarks.shared import ROOT, options
from ragset.documents import read_documents
from ragset.settings import DocumentSettings
from tests.fake_openai import fake_openai


def main() -> None:
    cache, corpus = Path.home() / ".cache" / "ragset-peers", ROOT / "examples" / "corpus"
    runs = {"n": 30, "latency": 0.5, "at_once": 16, "limit": 300.0}
    asked = options(__doc__, peers=",".join(PEERS), documents=corpus, cache=cache, out=Path("out/peers"), **runs)
    peers = asked.peers.split(",")
    if unknown := set(peers) - set(PEERS):
        sys.exit(f"--peers: {', '.join(sorted(unknown))} is not among {', '.join(PEERS)}")
    os.environ["UV_COMPILE_BYTECODE"] = "1"  # or the first run of each peer would do it
    report = Report(n=asked.n, latency=asked.latency, at_once=asked.at_once, limit=asked.limit)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        fake_openai(program="benchmarks.peers.server", latency=asked.latency, dimensions=256) as fake,
    ):
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, document in enumerate(read_documents(DocumentSettings(sources=(str(asked.documents),))).documents):
            (corpus / f"{number:03}.txt").write_text(document.text, encoding="utf-8")
        bench = Bench(fake, corpus, Path(folder), asked.cache, asked.n, asked.at_once, asked.limit)
        for peer in peers:
            print(f"{peer} …", file=sys.stderr, flush=True)
            report.measured.append(bench.measure(peer))
            report.write(asked.out)
    print(report.markdown())


if __name__ == "__main__":
    main()
