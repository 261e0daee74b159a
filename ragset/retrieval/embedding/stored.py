"""Embeddings that were paid for or took long, each kept before anything uses it and asked for once.

The journal writes them beside its replies, for several processes to share.
"""

import hashlib
import math
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ragset.errors import EmbeddingError
from ragset.llm.databases import Statements
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker
from ragset.llm.protocol import Completion
from ragset.llm.tracing import embedding_call
from ragset.retrieval.embedding import BatchEmbedder
from ragset.retrieval.embedding.requests import Answer, ask_each, requests_of
from ragset.retrieval.embedding.vectors import Vectors
from ragset.text.tokens import count_tokens

_LOOK = 0.1  # seconds between looks at another process's request
_KEYS_AT_ONCE = 500  # of one query; SQLite bounds their number


class StoredEmbedding(NamedTuple):
    """The embedding of one text."""

    vector: NDArray[np.float32]
    tokens: int  # that the provider counted in the text; 0 where it is free


@dataclass(frozen=True)
class EmbeddingStore:
    """The embeddings of one embedder, by text."""

    journal: Journal
    identity: str

    def get(self, texts: Iterable[str]) -> dict[str, StoredEmbedding]:
        """What is kept of `texts`."""
        rows = self._select("vector, tokens", texts).items()
        return {text: StoredEmbedding(np.frombuffer(vector, dtype="<f4"), tokens) for text, (vector, tokens) in rows}

    def tokens(self, texts: Iterable[str]) -> dict[str, int]:
        """Of those of `texts` that are kept."""
        return {text: tokens for text, (tokens,) in self._select("tokens", texts).items()}

    def put(
        self, kept: Mapping[str, StoredEmbedding], *, run: str = "", tokens: int = 0, cost: float | None = None
    ) -> None:
        """Keep on disk what is new of the embeddings of one request, and what it cost the `run`."""
        rows = [(self._key(text), one.vector.astype("<f4").tobytes(), one.tokens) for text, one in kept.items()]

        def write(statements: Statements) -> None:
            statements.executemany("INSERT INTO vectors VALUES (?, ?, ?) ON CONFLICT DO NOTHING", rows)
            if run:
                statements.execute(self.journal.spend, (run, tokens, cost))

        self.journal.write(write)

    @contextmanager
    def claimed(self, texts: Sequence[str]) -> Generator[None]:
        """Wait until no other process asks for the same texts."""
        key = self._key("\0".join(texts)).hex()
        while not self.journal.claim_now(key):
            time.sleep(_LOOK)
        try:
            yield
        finally:
            self.journal.release(key)

    def _select(self, fields: str, texts: Iterable[str]) -> dict[str, tuple[Any, ...]]:
        found: dict[str, tuple[Any, ...]] = {}
        keys = iter({self._key(text): text for text in texts}.items())
        while some := dict(islice(keys, _KEYS_AT_ONCE)):
            places = ", ".join("?" * len(some))
            query = f"SELECT key, {fields} FROM vectors WHERE key IN ({places})"  # noqa: S608
            found |= {some[key]: tuple(values) for key, *values in self.journal.select(query, *some)}
        return found

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.identity}\0{text}".encode(errors="replace")).digest()


class Bill(NamedTuple):
    """What embeddings cost, whoever asked for them and when."""

    calls: int = 0
    tokens: int = 0

    @classmethod
    def total(cls, bills: Iterable["Bill"]) -> "Bill":
        """The sum of several."""
        return cls(*map(sum, zip(cls(), *bills, strict=True)))


class StoredEmbedder:
    """Takes from the store what was embedded before, asks for the rest, and stores each answer before it is used.

    Texts are put into requests before the known ones are left out, so an interrupted run sends exactly what is missing.
    """

    def __init__(
        self,
        embedder: BatchEmbedder,
        store: EmbeddingStore,
        budget_tracker: BudgetTracker | None,
        paid: Callable[[Completion, float | None], None] = lambda _completion, _cost: None,
    ) -> None:
        """`budget_tracker` is None where embedding is free."""
        self.name = embedder.name
        self.identity = embedder.identity
        self.used = Bill()  # for all that was embedded, known or not
        self.free = budget_tracker is None
        self._embedder, self._store, self._budget, self._paid = embedder, store, budget_tracker, paid
        self._proven = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `Embedder.embed`."""
        if not texts:
            return np.empty((0, 0), dtype=np.float32)
        known = self._store.get(texts)
        requests = self._requests(texts)
        missing = [[text for text in request if text not in known] for request in requests]
        for answered in ask_each(self._ask, [request for request in missing if request], proven=self._proven):
            known |= answered
            self._proven = True
        if len(sizes := {len(one.vector) for one in known.values()}) > 1:
            raise EmbeddingError(
                f"embedding model {self.name}: gave vectors of different sizes: {sorted(sizes)}. Was the model behind this name "
                f"changed? Then move {self._store.journal.embeddings} away, and run again"
            )
        self.used = Bill.total((self.used, Bill(len(requests), sum(one.tokens for one in known.values()))))
        return np.stack([known[text].vector for text in texts])

    def bill(self, texts: Iterable[str]) -> Bill:
        """What these texts cost; tokens of those that are not in the store are counted here."""
        texts = list(dict.fromkeys(texts))
        tokens = self._store.tokens(texts)
        counted = sum(tokens[text] if text in tokens else count_tokens(text) for text in texts)
        return Bill(len(self._requests(texts)), counted)

    def _requests(self, texts: Iterable[str]) -> list[list[str]]:
        return requests_of(list(dict.fromkeys(texts)), self._embedder.batch_size)

    def _ask(self, texts: list[str]) -> dict[str, StoredEmbedding]:
        """The embeddings of one request, by whichever process asks first."""
        with self._store.claimed(texts):
            known = self._store.get(texts)
            missing = [text for text in texts if text not in known]
            return known | self._ask_for(missing) if missing else known

    def _ask_for(self, texts: list[str]) -> dict[str, StoredEmbedding]:
        if self._budget is None:
            vectors, tokens = self._request(texts)
            self._store.put(_storable(texts, vectors, tokens))
        else:
            self._budget.keep_up_now()
            self._budget.reserve()
            try:
                vectors, tokens = self._request(texts)
            except BaseException:
                self._budget.release()
                raise
            reply = Completion(text="", model=self._embedder.model, prompt_tokens=tokens)
            cost = self._budget.settle(reply)
            self._store.put(_storable(texts, vectors, tokens), run=self._budget.run, tokens=tokens, cost=cost)
            self._paid(reply, cost)
        answered = {text: StoredEmbedding(vector, 0) for text, vector in zip(texts, vectors, strict=True)}
        # Another process may have been quicker with some of them, and later runs will read its vectors.
        return answered | self._store.get(texts)

    def _request(self, texts: list[str]) -> Answer:
        with embedding_call(self._embedder.model, texts) as call:
            answer = self._embedder.ask(texts)
            if call:
                call(answer.tokens)
        return answer


def _storable(texts: Sequence[str], vectors: Vectors, tokens: int) -> dict[str, StoredEmbedding]:
    """Those that an index could hold, finite and not zero; another try may bring better ones for the others."""
    good = np.logical_and(np.isfinite(vectors).all(axis=1), vectors.any(axis=1))
    rows = zip(texts, vectors, shares(tokens, texts), good.tolist(), strict=True)
    return {text: StoredEmbedding(vector, share) for text, vector, share, usable in rows if usable}


def shares(tokens: int, texts: Sequence[str]) -> list[int]:
    """The tokens of a request, divided among its texts; they add up to it."""
    if not tokens:
        return [0] * len(texts)
    sums = np.cumsum([max(1, count_tokens(text)) for text in texts]).tolist()
    upto = [0, *(math.floor(tokens * whole / sums[-1] + 0.5) for whole in sums)]
    return [after - before for before, after in pairwise(upto)]
