"""Training files, read by the libraries that train on them."""

from pathlib import Path
from typing import Any

import pytest

from ragset.training.examples import shown_chunks
from ragset.training.formats import FORMATS, TrainingData, write_training_data
from tests.compat.environments import read_back
from tests.training_sample import TEXTS, sample

pytestmark = pytest.mark.compat


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write_training_data(sample(), tmp_path / "out", FORMATS, {})
    return tmp_path / "out"


def lists(data: TrainingData, negatives: int) -> list[list[str]]:
    return [[row.query, *(TEXTS[chunk] for chunk in shown_chunks(row))] for row in data.rows(negatives)]


def cells(rows: list[dict[str, Any]]) -> list[list[str]]:
    return [[*row.values()] for row in rows]


def test_sentence_transformers_trains_a_step_on_them(out: Path) -> None:
    read = read_back("sentence-transformers", out, reader="sentence_transformers")
    assert read["columns"] == ["anchor", "positive", "negative_1", "negative_2"]
    for name, negatives in {"pairs": 0, "triplets": 1, "lists": 2}.items():
        assert cells(read[name]) == lists(sample(), negatives)
    assert read["loss"] > 0
    assert read["moved"] > 0.01
    row = next(row for row in read["distillation"] if row["document_1"] == TEXTS["e:0-9"])
    assert row.pop("scores") == pytest.approx([0.9, 0.8, 0.7])
    assert [*row.values()] in lists(sample(), 2)


def test_pylate(out: Path) -> None:
    read = read_back("pylate", out / "pylate")
    assert cells(read["lists"]) == lists(sample(), 2)
    assert cells(read["triplets"]) == lists(sample(), 1)
    assert [[row["query"], *row["documents"]] for row in read["distillation"]] == lists(sample(), 2)
    assert min(row["scores"] for row in read["distillation"]) == pytest.approx([0.9, 0.8, 0.7])


def test_colbert_ai(out: Path) -> None:
    read = read_back("colbert", out / "colbert")
    # One line to a text, and no tabs in it; two passages are asked for of each line.
    assert read["triples"] == [[" ".join(text.split()) for text in row[:3]] for row in lists(sample(), 2)]
    assert read["queries"] == [" ".join(one.query.split()) for one in sample().examples]
    assert read["passages"] == 4


def test_llamaindex(out: Path) -> None:
    read = read_back("llamaindex", out / "llamaindex" / "embedding_qa_dataset.json", reader="llamaindex_training")
    examples = sample().examples
    assert read["dataset"]["queries"] == {one.golden: one.query for one in examples}
    assert read["dataset"]["relevant_docs"] == {one.golden: list(one.positives) for one in examples}
    assert read["pairs"] == [[one.query, list(one.positives)] for one in examples]
    assert set(read["dataset"]["corpus"].values()) == {text for n, text in enumerate(TEXTS.values()) if n != 1}
