"""A system with extraction and chunking of its own is scored as its letters say."""

import random
import re
from pathlib import Path

import pytest

from ragset.dataset.relevance.qrels import gold_of
from ragset.documents import read_documents
from ragset.documents.corpus import Corpus
from ragset.evaluation.external import ExternalSystem
from ragset.evaluation.metrics.scores import Score
from ragset.evaluation.results.model import RetrievalResult
from ragset.evaluation.scoring import score_retrieval
from ragset.evaluation.systems import ask_system
from ragset.models import Document, Golden
from ragset.settings import DocumentSettings
from tests.small_dataset import corpus_of, golden_of
from tests.toy_rag import ToyRag, letters, served

EXAMPLES = Path(__file__).parents[4] / "examples" / "corpus"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    documents = read_documents(DocumentSettings(sources=(str(EXAMPLES),))).documents
    return corpus_of(tmp_path_factory.mktemp("corpus"), *documents)


def sentences(document: Document) -> list[tuple[int, int]]:
    """Whole lines' sentences and list items, of 60 to 300 characters."""
    found = re.finditer(r"(?<=[.!?:\n] )[^.!?\n]{60,300}[.!?]|^[^\n]{60,300}$", document.text, re.MULTILINE)
    return [(one.start(), one.end()) for one in found]


@pytest.fixture(scope="module")
def goldens(corpus: Corpus) -> list[Golden]:
    """Forty sentences, some of every document, each asked for by a few of its words."""
    draw = random.Random(0)
    made: list[Golden] = []
    documents = list(corpus)
    while len(made) < 40:
        document = documents[len(made) % len(documents)]
        start, end = draw.choice(sentences(document))
        words = [word for word in re.findall(r"\w+", document.text[start:end]) if len(word) > 4]
        query = " ".join(draw.sample(words, min(4, len(words))))
        golden = golden_of(f"{query}?", document=document, evidence=((start, end),))
        if golden.id not in {one.id for one in made}:
            made.append(golden)
    return made


@pytest.fixture(scope="module")
def asked(corpus: Corpus, goldens: list[Golden]) -> RetrievalResult:
    with served(ToyRag(EXAMPLES)) as url:
        return ask_system(ExternalSystem(name="toy", http=url), goldens, corpus)


def scores(asked: RetrievalResult, goldens: list[Golden], corpus: Corpus) -> dict[tuple[str, str], Score]:
    found = score_retrieval(
        asked.hits,
        gold_of(goldens, corpus),
        None,
        cutoffs=(10,),
        budgets=(4096,),
        tokens=lambda span: (span.end - span.start) // 4,
    )
    return {(one.golden, one.metric): one for one in found}


def held(passages: list[str], wanted: str, least: int) -> bool:
    """Whether a passage has all the letters that are wanted, or at its border at least so many of them."""
    return any(
        wanted in passage
        or any(
            wanted[-size:] == passage[:size] or wanted[:size] == passage[-size:] for size in range(least, len(wanted))
        )
        for passage in passages
    )


def test_hits_are_as_the_letters_say(asked: RetrievalResult, corpus: Corpus, goldens: list[Golden]) -> None:
    rag = ToyRag(EXAMPLES)
    scored = scores(asked, goldens, corpus)
    wholes = 0
    for golden in goldens:
        passages = [letters(text) for text in rag.search(golden.query)]
        wanted = letters(corpus.text(golden.evidence[0]))
        hit = scored[golden.id, "hit_rate@10"].value
        if any(wanted in passage for passage in passages):
            wholes += 1
            assert hit == 1.0, golden.query
            assert scored[golden.id, "recall@4096tokens"].value > 0.95, golden.query
        # Half of the characters may be a few letters more or fewer than half of the letters.
        if held(passages, wanted, len(wanted) // 2 + 5):
            assert hit == 1.0, golden.query
        if not held(passages, wanted, len(wanted) // 2 - 5):
            assert hit == 0.0, golden.query
    # The whole evidence of most is in a passage, so that the agreement says something.
    assert wholes >= 25


def test_what_is_not_found_is_what_our_extraction_leaves_out(asked: RetrievalResult) -> None:
    # Passages that are mostly the footer of a page, which is no part of the documents.
    assert asked.external.passages == 400
    assert asked.external.unaligned <= 2
    assert all("Copyright" in one.text for one in asked.external.examples)
    assert asked.external.alignment is not None
    assert asked.external.alignment > 0.98


def test_only_queries_with_such_a_passage_are_in_doubt(
    asked: RetrievalResult, corpus: Corpus, goldens: list[Golden]
) -> None:
    doubted = {one.golden for one in scores(asked, goldens, corpus).values() if one.bounds is not None}
    assert doubted == {one.golden for one in asked.external.examples}
