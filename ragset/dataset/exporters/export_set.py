"""What an exporter is given: a test set, and the passages that its relevance judgements are of."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Self

from ragset.chunking import drop_poor, split
from ragset.chunking.semantic import Embed
from ragset.dataset.manifest import Manifest
from ragset.dataset.numbered import version_of
from ragset.dataset.place import Places
from ragset.dataset.read import read_dataset
from ragset.dataset.relevance.qrels import gold_of, qrels
from ragset.dataset.review.order import ReviewPlan, read_plan
from ragset.documents.corpus import Corpus
from ragset.models import Chunk, Golden, Span
from ragset.settings import ChunkingSettings
from ragset.text.languages import detect_language


class Passage(NamedTuple):
    """What a format calls a document: a chunk of the chunking asked for, or a whole document of the corpus."""

    id: str  # `doc_id:start-end`, or the document's
    text: str
    title: str
    doc_id: str
    sources: tuple[str, ...]


class Source(NamedTuple):
    """A document without its text."""

    title: str
    sources: tuple[str, ...]
    characters: int


@dataclass(frozen=True)
class ExportSet:
    """A test set to write out."""

    name: str
    """Of the dataset, without the number of its version."""
    goldens: tuple[Golden, ...]
    corpus: Corpus
    manifest: Manifest
    version: int = 1
    """1 for `demo`, 2 for `demo-v2`."""
    chunking: str = ""
    """Name of the chunking whose chunks are the passages; empty: whole documents are."""
    chunks: tuple[Chunk, ...] | None = None
    """The chunks of that chunking; None: whole documents are the passages."""
    language: str = "en"
    """Of the documents, ISO 639-1."""
    results: Path | None = None
    """Folder of a benchmark's results over this dataset."""
    plan: ReviewPlan = field(default_factory=ReviewPlan)
    """Which goldens people are to judge first."""

    @classmethod
    def read(
        cls,
        folder: Path,
        chunking: ChunkingSettings | None = None,
        *,
        embed: Embed | None = None,
        find: Callable[[Corpus], Iterable[Chunk]] | None = None,
        results: Path | None = None,
    ) -> Self:
        """The dataset of a folder; `embed` is for strategies that compare meanings, `find` finds chunks that exist already."""
        dataset = read_dataset(folder)
        name, version = version_of(folder)
        chunks, language = None, detect_language(document.text for document in dataset.corpus) or "en"
        if chunking:
            # As the index has them: cut by the rules of the corpus's language, without those that say nothing or repeat others.
            spoken = chunking.model_copy(update={"language": chunking.language or language})
            cut = (chunk for document in dataset.corpus for chunk in split(document, spoken, embed))
            chunks, _ = drop_poor(find(dataset.corpus) if find else cut)
        return cls(
            name=name,
            version=version,
            goldens=dataset.goldens,
            corpus=dataset.corpus,
            manifest=dataset.manifest,
            chunking=chunking.name if chunking else "",
            chunks=None if chunks is None else tuple(chunks),
            language=language,
            results=results,
            plan=read_plan(folder),
        )

    @property
    def passages(self) -> Iterator[Passage]:
        """All passages, by document and place."""
        if self.chunks is None:
            for document in self.corpus:
                yield Passage(document.id, document.text, document.title, document.id, document.sources)
        for chunk in self.chunks or ():
            yield Passage(chunk.id, chunk.text, chunk.title, chunk.doc_id, self.documents[chunk.doc_id].sources)

    @cached_property
    def documents(self) -> Mapping[str, Source]:
        """Every document by id, without its text."""
        return {one.id: Source(one.title, one.sources, len(one.text)) for one in self.corpus}

    def texts(self, spans: Iterable[Span]) -> list[str]:
        """The text of each span, which must be evidence, an equivalent or near an unanswerable query."""
        return [self._texts[span] for span in spans]

    def places(self, golden: Golden) -> list[Source]:
        """The documents of its evidence, each once."""
        return [self.documents[doc_id] for doc_id in dict.fromkeys(span.doc_id for span in golden.evidence)]

    @cached_property
    def qrels(self) -> Mapping[str, Mapping[str, int]]:
        """By golden, the relevant passages with their grade, those of equivalents too; none of an unanswerable query."""
        found: dict[str, dict[str, int]] = {golden.id: {} for golden in self.goldens}
        for golden in self.goldens:
            grades = (*(golden.grades or (1,) * len(golden.evidence)), *(1,) * len(golden.equivalents))
            for grade, ids in zip(grades, self._relevant[golden.id], strict=False):
                best = found[golden.id]
                best |= {id_: max(grade, best.get(id_, 0)) for id_ in ids}
        return found

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits of its goldens, sorted; `test` alone where there are no goldens."""
        return tuple(sorted({golden.split for golden in self.goldens})) or ("test",)

    @property
    def judged_splits(self) -> tuple[str, ...]:
        """Those of `splits` that have a judgement."""
        return tuple(split for split in self.splits if next(iter(self.judgements(split)), None))

    def judgements(self, split: str | None = None) -> Iterator[tuple[str, str, int]]:
        """Golden, passage and grade of each judgement, of one split or of all."""
        for golden in self.goldens:
            if split in {None, golden.split}:
                yield from ((golden.id, passage, grade) for passage, grade in self.qrels[golden.id].items())

    @property
    def unreached(self) -> dict[str, int]:
        """How many queries with evidence have no relevant passage, as a loss; empty if each has one."""
        number = sum(bool(golden.evidence) and not self.qrels[golden.id] for golden in self.goldens)
        return {"queries whose evidence is in no passage": number} if number else {}

    def needed(self, golden: Golden) -> list[list[str]]:
        """For each span of the evidence the ids of the passages that have it, of which one is enough.

        A passage that answers the query alone, an equivalent, stands in each list.
        """
        found = self._relevant[golden.id]
        alone = [id_ for one in found[len(golden.evidence) :] for id_ in one]
        return [list(dict.fromkeys([*one, *alone])) for one in found[: len(golden.evidence)]]

    @cached_property
    def _relevant(self) -> Mapping[str, Sequence[Sequence[str]]]:
        """By golden, the passages that have each span of its evidence, and then each of its equivalents."""
        if self.chunks is None:
            ids = {f"{id_}:0-{one.characters}": id_ for id_, one in self.documents.items() if one.characters}
        else:
            ids = {chunk.id: chunk.id for chunk in self.chunks}
        gold = gold_of(self.goldens, self.corpus)
        alone = {key: [[piece] for pieces in sets for piece in pieces] for key, sets in gold.items()}
        found = qrels(alone, ids)
        return {key: [[ids[id_] for id_ in one] for one in found.get(key, ())] for key in gold}

    def contexts(self, golden: Golden) -> dict[str, str]:
        """The text, by id, of each span of its evidence; with a chunking, of the first chunk that has the span, if one has."""
        if self.chunks is None:
            return {span.id: text for span, text in zip(golden.evidence, self.texts(golden.evidence), strict=True)}
        return {ids[0]: self._chunk_texts[ids[0]] for ids in self.needed(golden) if ids}

    @cached_property
    def _chunk_texts(self) -> Mapping[str, str]:
        return {chunk.id: chunk.text for chunk in self.chunks or ()}

    def where(self, golden: Golden) -> list[str]:
        """The file, page and headings of each span of its evidence."""
        return [self._where[span] for span in golden.evidence]

    @cached_property
    def _where(self) -> Mapping[Span, str]:
        places, spans = Places(self.corpus), [span for golden in self.goldens for span in golden.evidence]
        spans.sort(key=lambda span: span.doc_id)
        return dict(zip(spans, (str(places.of(span)) for span in spans), strict=True))

    @cached_property
    def _texts(self) -> Mapping[Span, str]:
        """Read document by document, since reading one from disk costs more than all of its spans."""
        spans = [span for golden in self.goldens for span in (*golden.evidence, *golden.equivalents)]
        spans.sort(key=lambda span: span.doc_id)
        return dict(zip(spans, map(self.corpus.text, spans), strict=True))
