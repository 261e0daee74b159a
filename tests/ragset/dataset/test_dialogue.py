"""Conversations on disk, in tables and in exports."""

import json
from pathlib import Path

from ragset.dataset import problems, read_dataset
from ragset.dataset.dialogue import dialogue_of
from ragset.dataset.exporters import EXPORTERS, ExportSet, export
from ragset.dataset.importers import read_goldens
from ragset.models import Conversation, Golden, Span
from tests.small_dataset import TEA, corpus_of, golden_of, in_conversation, write_small

SAID = in_conversation(golden_of())
WORDS = "User: How long is green tea steeped?\nAssistant: Two minutes.\nUser: And how hot?"


def test_a_dataset_gives_its_conversations_back_and_older_goldens_have_none(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (SAID,))
    (read,) = read_dataset(tmp_path / "teas").goldens
    assert read == SAID
    assert dialogue_of(read) == WORDS
    older = {name: value for name, value in golden_of().model_dump().items() if name != "conversation"}
    assert Golden.model_validate(older).conversation is None


def test_evidence_of_a_turn_outside_of_the_documents_is_a_fault(tmp_path: Path) -> None:
    assert SAID.conversation
    (turn,) = SAID.conversation.turns
    lost = turn.model_copy(update={"evidence": (Span(doc_id=TEA.id, start=0, end=999),)})
    golden = SAID.model_copy(update={"conversation": Conversation(turns=(lost,), question="And how hot?")})
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (golden,))
    (fault,) = problems(read_dataset(tmp_path / "teas"))
    assert fault.startswith(f"{golden.id}: ")


def test_an_export_keeps_the_conversation_or_says_that_it_is_lost(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (SAID,))
    given = ExportSet.read(tmp_path / "teas")
    kept = export(given, "jsonl", str(tmp_path / "out.jsonl"))
    assert "conversations" not in kept.lost
    line = json.loads((tmp_path / "out.jsonl").read_text())
    assert line["conversation"]["question"] == "And how hot?"
    assert export(given, "ragas", str(tmp_path / "ragas.jsonl")).lost["conversations"] == 1
    export(given, "csv", str(tmp_path / "teas.csv"))
    assert WORDS in (tmp_path / "teas.csv").read_text("utf-8-sig")
    assert {"jsonl", "parquet", "huggingface"} <= {
        one.name for one in EXPORTERS.values() if "conversations" in one.keeps
    }
    (imported,) = read_goldens(tmp_path / "teas.csv", documents=[TEA]).goldens
    assert (imported.query, imported.conversation) == (SAID.query, None)  # as the rewritten query alone


def test_a_query_that_is_edited_in_the_table_of_a_dataset_has_its_conversation_no_longer(tmp_path: Path) -> None:
    write_small(tmp_path / "teas", corpus_of(tmp_path / "given", TEA), (SAID,))
    table = tmp_path / "teas" / "goldens.csv"
    assert read_goldens(table).goldens == (SAID,)
    table.write_text(table.read_text("utf-8-sig").replace(SAID.query, "How cold may it be?"), "utf-8-sig")
    (edited,) = read_goldens(table).goldens
    assert (edited.query, edited.conversation) == ("How cold may it be?", None)
