import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from ragset.errors import LLMUnavailable, ProviderRefused
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.endpoint import EndpointEmbedder
from ragset.settings import EmbeddingSettings, Environment

KEY = "sk-very-secret"
Answer = Callable[[dict[str, Any], int], tuple[int, Any]]


def numbered(request: dict[str, Any], _turn: int) -> tuple[int, Any]:
    """Texts `t3` become (3, 4); the items come back in reverse."""
    data = [
        {"object": "embedding", "index": index, "embedding": [float(text[1:]), 4.0]}
        for index, text in enumerate(request["input"])
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return 200, {"object": "list", "model": request["model"], "data": data[::-1], "usage": usage}


def status(code: int, message: str = "no") -> Answer:
    return lambda _request, _turn: (code, {"error": {"message": message, "type": "x", "code": None}})


class Server:
    """An embeddings endpoint on loopback that keeps what it was asked."""

    def __init__(self) -> None:
        self.answer: Answer = numbered
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        outer, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    turn = len(outer.requests)
                    outer.requests.append(request)
                    outer.keys.append(self.headers["Authorization"])
                code, body = outer.answer(request, turn)
                data = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.send_header("retry-after-ms", "1")
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


@pytest.fixture
def server() -> Iterator[Server]:
    served = Server()
    thread = threading.Thread(target=served.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served
    served.http.shutdown()
    thread.join()
    served.http.server_close()


def embedder(url: str, *, key: str | None = KEY, **settings: Any) -> EndpointEmbedder:
    env = Environment(_env_file=None, openai_api_key=key, openai_base_url=url)  # type: ignore[arg-type,call-arg]
    made = connect_embedder(EmbeddingSettings(model="m", **settings), env)
    assert isinstance(made, EndpointEmbedder)
    return made


def test_vectors_stand_in_the_order_of_the_texts_whatever_order_the_reply_had(server: Server) -> None:
    vectors = embedder(server.url).embed(["t3", "t0"])
    # (3, 4) and (0, 4) at length 1
    np.testing.assert_allclose(vectors, [[0.6, 0.8], [0.0, 1.0]], rtol=1e-6)
    assert vectors.dtype == np.float32


def test_many_texts_are_sent_in_batches_and_come_back_in_order(server: Server) -> None:
    vectors = embedder(server.url, batch_size=3).embed([f"t{i}" for i in range(20)])
    assert sorted(len(request["input"]) for request in server.requests) == [2, 3, 3, 3, 3, 3, 3]
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1] * 4, range(20), atol=1e-5)


def test_a_request_never_carries_more_than_a_provider_takes(server: Server) -> None:
    embedder(server.url).embed(["t" + "0" * 199_999, "t" + "0" * 199_999])
    assert len(server.requests) == 2


def test_no_texts_ask_nothing(server: Server) -> None:
    assert len(embedder(server.url).embed([])) == 0
    assert server.requests == []


def test_the_key_and_plain_floats_are_sent(server: Server) -> None:
    embedder(server.url).embed(["t1"])
    assert server.keys == [f"Bearer {KEY}"]
    assert server.requests[0]["encoding_format"] == "float"


def test_dimensions_are_asked_for_only_where_they_are_set(server: Server) -> None:
    embedder(server.url).embed(["t1"])
    embedder(server.url, dimensions=2).embed(["t1"])
    assert ["dimensions" in request for request in server.requests] == [False, True]


def test_a_local_server_needs_no_key(server: Server) -> None:
    assert len(embedder(server.url, key=None).embed(["t1"])) == 1


def test_a_busy_server_is_asked_again(server: Server) -> None:
    server.answer = lambda request, turn: status(429)(request, turn) if turn < 2 else numbered(request, turn)
    assert len(embedder(server.url).embed(["t1"])) == 1


def test_a_wrong_key_stops_after_one_request_and_is_never_quoted(server: Server) -> None:
    server.answer = status(401, f"Incorrect API key provided: {KEY}")
    with pytest.raises(ProviderRefused, match="OPENAI_API_KEY") as caught:
        embedder(server.url, batch_size=1).embed(["t1", "t2", "t3"])
    assert KEY not in str(caught.value)
    assert len(server.requests) == 1


def test_a_wrong_model_name_says_so(server: Server) -> None:
    server.answer = status(404)
    with pytest.raises(ProviderRefused, match=r"embedding model m .*check the name"):
        embedder(server.url).embed(["t1"])


def test_a_refused_text_is_told_in_the_providers_words_without_the_key(server: Server) -> None:
    server.answer = status(400, f"input too long for {KEY}")
    with pytest.raises(ProviderRefused, match="input too long for …"):
        embedder(server.url).embed(["t1"])


def test_a_server_that_stays_broken_is_unavailable(server: Server) -> None:
    server.answer = status(500)
    with pytest.raises(LLMUnavailable, match="500"):
        embedder(server.url).embed(["t1"])


def test_an_address_that_nobody_listens_at_is_told_at_once() -> None:
    with pytest.raises(LLMUnavailable, match="OPENAI_BASE_URL"):
        embedder("http://127.0.0.1:9/v1").embed(["t1"])


def test_a_missing_vector_is_an_error(server: Server) -> None:
    def one_short(request: dict[str, Any], turn: int) -> tuple[int, Any]:
        code, body = numbered(request, turn)
        return code, body | {"data": body["data"][1:]}

    server.answer = one_short
    with pytest.raises(ProviderRefused, match="one vector for each of 3 texts"):
        embedder(server.url).embed(["t1", "t2", "t3"])


@pytest.mark.parametrize("body", [{}, {"data": []}, {"data": [{"index": 0, "embedding": "x"}]}, [], "hello"])
def test_an_answer_that_holds_no_vectors_is_an_error(server: Server, body: Any) -> None:
    server.answer = lambda _request, _turn: (200, body)
    with pytest.raises(ProviderRefused):
        embedder(server.url).embed(["t1"])


def test_vectors_of_two_sizes_are_an_error(server: Server) -> None:
    def growing(request: dict[str, Any], turn: int) -> tuple[int, Any]:
        code, body = numbered(request, turn)
        body["data"][0]["embedding"] += [1.0] * turn
        return code, body

    server.answer = growing
    with pytest.raises(ProviderRefused, match="different sizes"):
        embedder(server.url, batch_size=1).embed(["t1", "t2"])
