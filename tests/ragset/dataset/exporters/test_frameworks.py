"""What the files for frameworks hold; `tests/compat` reads them with the frameworks themselves."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ragset.dataset.exporters import ExportSet, export
from ragset.settings import ChunkingSettings
from tests.export_sample import COFFEE, SAMPLE, write_sample
from tests.ragset.dataset.exporters.sets import SENTENCES
from tests.small_dataset import TEA

HOT, STEEP, BREWED, AGAIN = (
    *(f"{TEA.id}:0-35", f"{TEA.id}:36-61"),
    *(f"{COFFEE.id}:0-35", f"{COFFEE.id}:36-84"),
)


def written(folder: Path, to: str, chunking: ChunkingSettings | None = None) -> tuple[Path, dict[str, int]]:
    done = export(ExportSet.read(write_sample(folder), chunking), to, str(folder / to))
    return folder / to, done.lost


def samples(folder: Path, chunking: ChunkingSettings | None = None) -> list[dict[str, Any]]:
    path, _ = written(folder, "ragas", chunking)
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_ragas_has_the_evidence_with_its_spans_and_unanswerable_queries_last(tmp_path: Path) -> None:
    found = samples(tmp_path)
    assert found[0] == {
        "id": SAMPLE[0].id,
        "user_input": SAMPLE[0].query,
        "reference": "80 °C",
        "reference_contexts": ["Green tea turns bitter above 80 °C."],
        "reference_context_ids": [HOT],
        "persona_name": "Brewer",
        "query_style": "open",
        "split": "test",
    }
    last = found[-1]
    assert (last["id"], last["reference"], last["reference_contexts"]) == (SAMPLE[3].id, None, [])


def test_ragas_has_the_ids_of_chunks_if_a_chunking_is_named(tmp_path: Path) -> None:
    # 64 tokens hold all sentences of either document: TEA has 61 characters, COFFEE 84
    tea, coffee = f"{TEA.id}:0-61", f"{COFFEE.id}:0-84"
    found = samples(tmp_path, ChunkingSettings(strategy="sentence", size=64))
    assert [one["reference_context_ids"] for one in found[:2]] == [[tea], [coffee, tea]]
    assert found[0]["reference_contexts"] == [TEA.text]


def test_deepeval_keeps_all_else_as_metadata(tmp_path: Path) -> None:
    path, lost = written(tmp_path, "deepeval")
    goldens = json.loads(path.read_text(encoding="utf-8"))
    assert lost == {"documents": 3}
    assert (goldens[0]["name"], goldens[0]["source_file"]) == (SAMPLE[0].id, "tea.md")
    told = goldens[0]["additional_metadata"]
    assert (told["spans"], told["equivalent_spans"], told["persona"]) == ([HOT], [BREWED], "Brewer")
    assert goldens[3] | {"additional_metadata": {}} == {
        "name": SAMPLE[3].id,
        "input": "How hot is cocoa?",
        "expected_output": None,
        "context": [],
        "source_file": None,
        "additional_metadata": {},
    }


def test_llamaindex_has_two_files(tmp_path: Path) -> None:
    folder, lost = written(tmp_path, "llamaindex")
    examples = json.loads((folder / "rag_dataset.json").read_text())["examples"]
    assert examples[1] == {
        "query": "Which is hotter, tea or coffee?",
        "query_by": {"model_name": "m", "type": "ai"},
        "reference_contexts": ["Coffee is brewed at 93 °C or above.", "Steep it for two minutes."],
        "reference_answer": "Coffee.",
        "reference_answer_by": {"model_name": "m", "type": "ai"},
    }
    pairs = json.loads((folder / "embedding_qa_dataset.json").read_text())
    assert set(pairs["relevant_docs"]) == set(pairs["queries"]) == {one.id for one in SAMPLE if one.evidence}
    assert pairs["relevant_docs"][SAMPLE[0].id] == [TEA.id, COFFEE.id]
    assert lost["unanswerable queries, in embedding_qa_dataset.json"] == 1


def test_autorag_needs_a_passage_for_each_span_and_any_equivalent_will_do(tmp_path: Path) -> None:
    folder, _ = written(tmp_path, "autorag", SENTENCES)
    needed = [[list(ids) for ids in groups] for groups in pd.read_parquet(folder / "qa.parquet")["retrieval_gt"]]
    # COFFEE repeats the first sentence of TEA and answers the first query in its own first sentence, too.
    assert needed[:2] == [[[HOT, AGAIN, BREWED]], [[BREWED], [STEEP]]]
    assert needed[3] == [[]]
    corpus = pd.read_parquet(folder / "corpus.parquet").set_index("doc_id")
    assert corpus.loc[STEEP, "contents"] == "Steep it for two minutes."
    assert list(corpus.loc[STEEP, "start_end_idx"]) == [36, 60]
    assert corpus.loc[STEEP, "metadata"] == {"title": "Tea", "prev_id": HOT, "next_id": None}


@pytest.mark.parametrize("to", ["ragas", "deepeval", "llamaindex", "autorag"])
def test_the_same_set_gives_the_same_bytes(tmp_path: Path, to: str) -> None:
    def content(folder: Path) -> list[bytes]:
        path, _ = written(folder, to)
        return [one.read_bytes() for one in ([path] if path.is_file() else sorted(path.iterdir()))]

    assert content(tmp_path / "a") == content(tmp_path / "b")
