from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ragset.chunking.semantic import topics
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.retrieval.embedding.vectors import Vectors
from ragset.settings import ChunkingSettings

TEA = "Green tea is steeped in water of 70 degrees. Green tea turns bitter in boiling water. "
CLOCKS = "A pendulum clock is slow in summer. A pendulum clock is fast in winter."
SEMANTIC = ChunkingSettings(strategy="semantic", breakpoint_percentile=80)


class ByWord:
    """One dimension for tea and one for clocks, and what was embedded."""

    name = "by-word"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.seen.extend(texts)
        counts = np.array([[text.count("tea") + 1e-3, text.count("clock") + 1e-3] for text in texts], dtype=np.float32)
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


def parts(text: str, settings: ChunkingSettings = SEMANTIC) -> list[str]:
    return [text[start:end] for start, end in topics(text, settings, ByWord().embed)]


def test_a_text_parts_where_its_subject_changes() -> None:
    # With a neighbour on either side the sentences show tea:clocks as 2:0, 2:1, 1:2, 0:2. The cosines between
    # neighbours are 2/sqrt(5) = 0.89, 4/5 = 0.8 and 0.89: only the middle distance is above the 80th percentile.
    assert parts(TEA + CLOCKS) == [TEA, CLOCKS]


def test_one_sentence_is_one_part() -> None:
    assert parts("Green tea is green.") == ["Green tea is green."]


def test_white_space_alone_has_no_parts_and_is_not_embedded() -> None:
    embedder = ByWord()
    assert topics(" \n ", SEMANTIC, embedder.embed) == []
    assert embedder.seen == []


def test_a_larger_buffer_embeds_more_sentences_together() -> None:
    embedder = ByWord()
    topics(TEA + CLOCKS, ChunkingSettings(strategy="semantic", buffer_size=3), embedder.embed)
    # the first of four with the three behind it
    assert embedder.seen[0] == TEA + CLOCKS


def test_a_text_without_sentences_is_embedded_in_parts() -> None:
    embedder = ByWord()
    text = "x" * 10_000
    assert "".join(text[start:end] for start, end in topics(text, SEMANTIC, embedder.embed)) == text
    # three of 2,000 characters together at most
    assert max(map(len, embedder.seen)) == 6_000


@given(st.text(max_size=200) | st.lists(st.sampled_from(["Tea. ", "A clock! ", "\n\n", "茶。", " "])).map("".join))
def test_parts_follow_one_another_and_leave_nothing_out(text: str) -> None:
    covered = 0
    for start, end in topics(text, SEMANTIC, OfflineEmbedder(32).embed):
        assert start == covered
        covered = end
    assert covered == (len(text) if text.strip() else 0)
