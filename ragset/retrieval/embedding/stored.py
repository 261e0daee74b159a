"""An embedder that is asked about each text once, within a budget."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ragset.errors import EmbeddingError
from ragset.llm.journal import EMBEDDINGS
from ragset.llm.journaled import BudgetTracker
from ragset.llm.protocol import Completion
from ragset.retrieval.embedding.requests import Answer, ask_each, requests_of
from ragset.retrieval.embedding.store import EmbeddingStore, StoredEmbedding
from ragset.retrieval.embedding.vectors import Vectors, usable
from ragset.text.tokens import count_tokens


class Asked(Protocol):
    """An embedder whose answers are worth keeping."""

    model: str
    """As prices know it."""
    name: str
    identity: str
    batch_size: int
    """Texts of a request, at most."""

    def ask(self, texts: Sequence[str]) -> Answer:
        """One request.

        Raises:
            ProviderRefused, LLMUnavailable: as from `Embedder.embed`.
        """
        ...


class Bill(NamedTuple):
    """What embeddings take, whoever asked for them and when."""

    calls: int = 0
    tokens: int = 0

    @classmethod
    def total(cls, bills: Iterable["Bill"]) -> "Bill":
        """Of several."""
        pairs = list(bills)
        return cls(sum(bill.calls for bill in pairs), sum(bill.tokens for bill in pairs))


class StoredEmbedder:
    """Takes from the store what was embedded before, and asks for the rest.

    Each answer is in the store before it is used. Texts are put into requests before those that are known are left out, so an
    interrupted run that goes on sends the requests that are missing, and no others.
    """

    def __init__(
        self,
        embedder: Asked,
        store: EmbeddingStore,
        budget_tracker: BudgetTracker | None,
        paid: Callable[[Completion, float | None], None] = lambda _completion, _cost: None,
    ) -> None:
        """`budget_tracker` is None where embedding is free."""
        self.name = embedder.name
        self.identity = embedder.identity
        self.used = Bill()
        """For all that was embedded, known or not."""
        self._embedder = embedder
        self._store = store
        self._budget = budget_tracker
        self._paid = paid
        self._proven = False

    @property
    def free(self) -> bool:
        """Whether nobody is paid."""
        return self._budget is None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As `Embedder.embed`.

        Raises:
            BudgetSpent: a request was not made; those that were are kept.
            EmbeddingError: vectors of different sizes.
            InputError: the store cannot be read or written.
        """
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
                f"changed? Then move {EMBEDDINGS} of RAGSET_HOME away, and run again"
            )
        self.used = Bill.total((self.used, Bill(len(requests), sum(one.tokens for one in known.values()))))
        return np.stack([known[text].vector for text in texts])

    def bill(self, texts: Iterable[str]) -> Bill:
        """What these texts take; tokens of those that are not in the store are counted here."""
        texts = list(dict.fromkeys(texts))
        tokens = self._store.tokens(texts)
        return Bill(
            len(self._requests(texts)),
            sum(tokens[text] if text in tokens else count_tokens(text) for text in texts),
        )

    def _requests(self, texts: Iterable[str]) -> list[list[str]]:
        return requests_of(list(dict.fromkeys(texts)), self._embedder.batch_size)

    def _ask(self, texts: list[str]) -> dict[str, StoredEmbedding]:
        if self._budget is None:
            answer = self._embedder.ask(texts)
            self._store.put(_sound(texts, answer.vectors, [0] * len(texts)))
        else:
            self._budget.reserve()
            try:
                answer = self._embedder.ask(texts)
            except BaseException:
                self._budget.release()
                raise
            reply = Completion(text="", model=self._embedder.model, prompt_tokens=answer.tokens)
            cost = self._budget.settle(reply)
            kept = _sound(texts, answer.vectors, shares(answer.tokens, texts))
            self._store.put(kept, run=self._budget.run, tokens=answer.tokens, cost=cost)
            self._paid(reply, cost)
        # Another process may have been quicker, and later runs will read its vectors.
        return _all(texts, answer.vectors) | self._store.get(texts)


def shares(tokens: int, texts: Sequence[str]) -> list[int]:
    """The tokens of a request, divided among its texts; they add up to it."""
    weights = [max(1, count_tokens(text)) for text in texts]
    total, whole, shared, result = sum(weights), 0, 0, []
    for weight in weights:
        whole += weight
        upto = math.floor(tokens * whole / total + 0.5)
        result.append(upto - shared)
        shared = upto
    return result


def _all(texts: Sequence[str], vectors: Vectors) -> dict[str, StoredEmbedding]:
    return {text: StoredEmbedding(vector, 0) for text, vector in zip(texts, vectors, strict=True)}


def _sound(texts: Sequence[str], vectors: Vectors, tokens: Sequence[int]) -> dict[str, StoredEmbedding]:
    """Those that an index could hold: another try may bring better ones in the place of the others."""
    rows = zip(texts, vectors, tokens, usable(vectors).tolist(), strict=True)
    return {text: StoredEmbedding(vector, share) for text, vector, share, good in rows if good}
