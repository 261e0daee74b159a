import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ragset.documents.corpus import Corpus
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.systems import ask_system
from ragset.llm.tracing import span
from ragset.models import Chunk, Document
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.index import build_index
from ragset.retrieval.search import retrieve
from ragset.retrieval.stores import open_store
from ragset.settings import ChunkingSettings, Environment, RetrievalSettings
from tests.otlp_receiver import Receiver
from tests.small_dataset import TEA, corpus_of, golden_of

TEXTS = ("The water clock of Athens ran for six minutes.", "An incense clock smells of sandalwood.")
QUERIES = ["sandalwood", "water clock"]


def test_each_query_of_a_batch_names_its_golden_and_what_was_found(tmp_path: Path, receiver: Receiver) -> None:
    chunks = [Chunk(doc_id="d", start=99 * n, end=99 * n + len(text), text=text) for n, text in enumerate(TEXTS)]
    env = Environment(_env_file=None, ragset_home=tmp_path, milvus_uri=None)  # type: ignore[call-arg]
    with open_store(env) as store:
        of = {"corpus": "c", "chunking": ChunkingSettings(), "embedder": OfflineEmbedder()}
        index = build_index(chunks, **of, home=tmp_path, store=store)
        bm25 = RetrievalSettings(mode="bm25")
        hits = retrieve(index, store, QUERIES, None, bm25, 2, ["g-1", "g-2"])
    first, second = receiver.of("RETRIEVER")
    assert [one.attributes["ragset.golden.id"] for one in (first, second)] == ["g-1", "g-2"]
    assert first.attributes["gen_ai.operation.name"] == "retrieval"
    assert (first.attributes["ragset.retrieval.mode"], first.attributes["ragset.retrieval.batch"]) == ("bm25", 2)
    assert first.attributes["retrieval.documents.0.document.id"] == hits[0][0].id == chunks[1].id
    assert first.attributes["retrieval.documents.0.document.score"] == hits[0][0].score
    assert [one["id"] for one in json.loads(second.attributes["gen_ai.retrieval.documents"])] == [
        hit.id for hit in hits[1]
    ]
    assert not receiver.holds("sandalwood")


def test_spans_of_another_system_become_children_of_the_query(tmp_path: Path, receiver: Receiver) -> None:
    seen: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(self.headers["traceparent"])
            self.rfile.read(int(self.headers["Content-Length"]))
            reply = json.dumps({"passages": [TEA.text[:35]]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    corpus: Corpus = corpus_of(tmp_path / "corpus", TEA, Document.of("Water boils.", source="b.md"))
    golden = golden_of()
    try:
        with span("ask theirs", "CHAIN", dict):
            ask_system(ExternalSystem(name="theirs", http=f"http://127.0.0.1:{server.server_port}/"), [golden], corpus)
    finally:
        server.shutdown()
        server.server_close()
    (asked,) = receiver.of("RETRIEVER")
    assert (asked.name, asked.attributes["ragset.golden.id"]) == ("ask theirs", golden.id)
    assert asked.parent == receiver.of("CHAIN")[0].id
    assert [sent.rpartition("-")[0] for sent in seen] == [f"00-{asked.trace}-{asked.id}"]
