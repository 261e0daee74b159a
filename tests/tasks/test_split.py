"""Goldens split over a real corpus with an embedding by rules."""

from pathlib import Path

import pytest
from prefect.logging import disable_run_logger

from ragset.documents.corpus import Corpus
from ragset.generation.checks import SplitSettings
from ragset.models import Document, Golden, Span
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.index import Report
from ragset.settings import EmbeddingSettings, Environment
from tasks.documents import CorpusFile
from tasks.index import IndexFile
from tasks.run.models import Account
from tasks.selection import SplitResult, split_test_set

NOTE = "Unplug it before you open the lid, and let it cool for an hour."
MACHINES = {
    "kiln": "It fires clay at 1,200 degrees.",
    "loom": "It weaves forty picks in a minute.",
    "press": "It prints both sides of a sheet.",
    "mill": "It grinds rye between two stones.",
    "lathe": "It turns beech and maple.",
    "crane": "It lifts two tonnes of stone.",
}


def golden(number: int, document: Document, said: str, query: str) -> Golden:
    start = document.text.index(said)
    span = Span(doc_id=document.id, start=start, end=start + len(said))
    return Golden(id=f"g-{number}", query=query, answer="x", evidence=(span,), chunks=(span.id,))


async def split(tmp_path: Path, goldens: list[Golden], documents: list[Document], by: str) -> SplitResult:
    corpus = Corpus.write(tmp_path / "corpus.jsonl", documents)
    file = CorpusFile(
        key="machines",
        name="machines",
        path=corpus.path,
        hash=corpus.hash,
        documents=len(corpus),
        characters=1,
        failures=(),
    )
    index = IndexFile(
        collection="machines",
        home=tmp_path,
        embedding=connect_embedder(EmbeddingSettings(), Environment()).name,
        embedded_by=EmbeddingSettings(),
        generation="",
        chunks=1,
        report=Report(),
    )
    with disable_run_logger():
        settings = SplitSettings.model_validate({"by": by, "train": 0.5, "validation": 0, "test": 0.5})
        return await split_test_set.fn(goldens, file, index, settings, "en", 0, Account())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path))


@pytest.mark.parametrize("by", ["evidence", "document"])
async def test_what_many_documents_say_word_for_word_is_on_one_side(tmp_path: Path, by: str) -> None:
    noted = [Document.of(f"The {name}. {said}\n\n{NOTE}", source=name) for name, said in MACHINES.items()]
    queries = [f"What is to be done before the {name} is opened?" for name in MACHINES]
    goldens = [golden(number, document, NOTE, queries[number]) for number, document in enumerate(noted)]
    divided = await split(tmp_path, goldens, noted, by)
    assert len({one.split for one in divided.goldens}) == 1
    assert "6 do in the largest group" in divided.split.notice


async def test_documents_that_share_a_note_part_where_goldens_are_not_about_it(tmp_path: Path) -> None:
    noted = [Document.of(f"The {name}. {said}\n\n{NOTE}", source=name) for name, said in MACHINES.items()]
    said = list(MACHINES.values())
    goldens = [golden(number, document, said[number], said[number]) for number, document in enumerate(noted)]
    # Of two goldens one's evidence is the note, and the other's holds it.
    goldens[0] = golden(0, noted[0], NOTE, "How long must the kiln cool?")
    goldens[1] = golden(1, noted[1], f"{said[1]}\n\n{NOTE}", "How fast is the loom, and how hot?")
    divided = await split(tmp_path, goldens, noted, "evidence")
    sides = [one.split for one in divided.goldens]
    assert sides[0] == sides[1]
    assert sorted(map(sides.count, ("train", "test"))) == [3, 3]
    assert [leak.evidence for leak in divided.split.leakage] == [0]
