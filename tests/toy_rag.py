"""A small RAG system that knows nothing of ragset: its own extraction, paragraphs of 400 characters, its own BM25, over HTTP."""

import json
import math
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pypdf import PdfReader

SIZE = 400


class _Text(HTMLParser):
    """All text of a page, and a number before each item of an ordered list, as a text browser shows it."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0
        self._numbers: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in {"script", "style", "head"}
        if tag in {"ol", "ul"}:
            self._numbers.append(0 if tag == "ol" else -1000)
        if tag == "li" and self._numbers:
            self._numbers[-1] += 1
            self.parts.append(f"\n{self._numbers[-1]}. " if self._numbers[-1] > 0 else "\n• ")
        if tag in {"p", "h1", "h2", "h3", "tr", "pre"}:
            self.parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"script", "style", "head"}
        if tag in {"ol", "ul"} and self._numbers:
            self._numbers.pop()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(data)


def extract(path: Path) -> str:
    """The text of a file as a quick script would have it."""
    if path.suffix == ".pdf":
        return "\n".join(page.extract_text() for page in PdfReader(path).pages)
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        parser = _Text()
        parser.feed(text)
        return "".join(parser.parts)
    return re.sub(r"[*_`#|]", "", text) if path.suffix == ".md" else text


def paragraphs(text: str) -> list[str]:
    """Words in a row, as many as fit 400 characters."""
    found: list[str] = []
    for word in text.split():
        if found and len(found[-1]) + len(word) < SIZE:
            found[-1] += f" {word}"
        else:
            found.append(word)
    return found


class ToyRag:
    """BM25 over the paragraphs of a folder's files."""

    def __init__(self, folder: Path) -> None:
        self.passages = [part for path in sorted(folder.iterdir()) for part in paragraphs(extract(path))]
        self._counts = [Counter(_words(passage)) for passage in self.passages]
        self._frequencies = Counter(word for count in self._counts for word in count)
        self._length = sum(count.total() for count in self._counts) / len(self._counts)

    def search(self, query: str, k: int = 10) -> list[str]:
        """The best k passages."""
        scores = [self._score(_words(query), count) for count in self._counts]
        order = sorted(range(len(scores)), key=lambda place: -scores[place])
        return [self.passages[place] for place in order[:k]]

    def _score(self, query: list[str], count: Counter[str]) -> float:
        norm = 1.2 * (0.25 + 0.75 * count.total() / self._length)
        return sum(
            math.log(1 + len(self._counts) / (self._frequencies[word] + 0.5)) * count[word] / (count[word] + norm)
            for word in query
        )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


@contextmanager
def served(rag: ToyRag) -> Generator[str]:
    """The address at which it answers."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["query"]
            reply = json.dumps({"passages": [{"text": text} for text in rag.search(query)]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def letters(text: str) -> str:
    """Letters and digits alone, to compare texts without ragset."""
    return "".join(one for one in unicodedata.normalize("NFC", text.lower()) if one.isalnum())
