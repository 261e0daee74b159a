"""Questions whose answers stand at offsets in a text: SQuAD 1.1 and 2.0 in JSON, and the CSV of Chroma's chunking evaluation."""

import re
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any
from unicodedata import normalize

from pydantic import BaseModel, StrictInt, TypeAdapter, ValidationError

from ragset.dataset.importers.files import read_json, read_table, read_text, validated
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.registry import importer
from ragset.documents.cleaning import clean_text
from ragset.errors import InputError
from ragset.models import Span
from ragset.text.languages import guess_language
from ragset.text.sentences import sentences


class Original:
    """A text as given, with the normalised text that became of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cleaned = clean_text(text)

    def find(self, quote: str, start: int | None, *, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """The place of `quote` in `cleaned`, given its offset in the text as given.

        Where it does not stand there, the nearest place that has it word for word counts. None where there is none, or
        where there are several and no `start`. `within` limits the search to these characters of the text as given.
        """
        low, high = within or (0, len(self.text))
        given = [match.span() for match in _words(quote).finditer(self.text)]
        wanted = [place for place in given if low <= place[0] and place[1] <= high]
        cleaned = [match.span() for match in _words(clean_text(quote)).finditer(self.cleaned)]
        if not wanted or not cleaned or (start is None and len(wanted) > 1):
            return None
        nearest = min(wanted, key=lambda place: abs(place[0] - (start or 0)))
        before, after = self._letters
        return next((place for place in cleaned if after[place[0]] == before[nearest[0]]), None)

    @cached_property
    def _letters(self) -> tuple[list[int], list[int]]:
        """How many letters and digits, which cleaning leaves alone, stand before each place of the text and of `cleaned`."""
        texts = (self.text, self.cleaned)
        before, after = ([sum(map(str.isalnum, normalize("NFD", one))) for one in text] for text in texts)
        return list(accumulate(before, initial=0)), list(accumulate(after, initial=0))


def _words(quote: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, quote.split())) or r"(?!)")


_BETWEEN = "\n\n"


class _Answer(BaseModel):
    text: str
    answer_start: StrictInt | None = None


class _Question(BaseModel):
    id: Any = None
    question: str
    answers: list[_Answer] = []
    is_impossible: bool | None = False


class _Paragraph(BaseModel):
    context: str
    qas: list[_Question]


class _Article(BaseModel):
    title: Any = None
    paragraphs: list[_Paragraph]


class _Squad(BaseModel):
    data: list[_Article]


def _has_paragraphs(value: Any) -> bool:
    articles = value.get("data") if isinstance(value, dict) else None
    return isinstance(articles, list) and any(isinstance(a, dict) and "paragraphs" in a for a in articles)


@importer(
    "squad",
    "a .json file in SQuAD's format",
    recognises=lambda path: path.suffix.lower() == ".json" and _has_paragraphs(read_json(path)),
)
def read_squad(path: Path, builder: SetBuilder, **_: Any) -> None:
    """Add the questions of a file. An article is a document, its paragraphs parted by blank lines.

    The evidence is the sentence that holds the answer, or the sentences that it reaches into.
    """
    value = read_json(path)
    if not _has_paragraphs(value):
        raise InputError(f"{path}: is not in SQuAD's format; it needs data[].paragraphs[] with context and qas")
    for number, article in enumerate(validated(_Squad, value, str(path)).data):
        title = article.title.replace("_", " ") if isinstance(article.title, str) else ""
        where = f"{path.name}: {title or f'data[{number}]'}"
        contexts = [paragraph.context for paragraph in article.paragraphs]
        original = Original(_BETWEEN.join(contexts))
        document = builder.add_document(original.text, source=where, title=title)
        if document is None:
            builder.report(where, "the article has no text")
            continue
        starts = [0, *sentences(document.text, guess_language(document.text) or "en")]
        offsets = accumulate((len(context) + len(_BETWEEN) for context in contexts), initial=0)
        for index, (offset, paragraph) in enumerate(zip(offsets, article.paragraphs, strict=False)):
            within = offset, offset + len(paragraph.context)
            for place, question in enumerate(paragraph.qas):
                id_ = clean_text(str(question.id or f"data[{number}].paragraphs[{index}].qas[{place}]"))
                where = f"{path.name}: {id_}"
                answers = [answer for answer in question.answers if answer.text.strip()]
                starting = (
                    (one.text, None if one.answer_start is None else offset + one.answer_start) for one in answers
                )
                places = (original.find(text, start, within=within) for text, start in starting)
                found = next(filter(None, places), None)
                if question.is_impossible:
                    builder.add_golden(question.question, None, (), where=where, source=id_)
                elif not answers:  # SQuAD 1.1 has one for every question, so this is a gap in the data and no statement
                    reason = "there is no answer, and the question is not marked is_impossible"
                    builder.report(where, reason, question.question)
                elif found is None:
                    builder.report(where, "no answer stands in its paragraph word for word", answers[0].text)
                else:
                    said = original.cleaned[slice(*found)]
                    span = Span(doc_id=document.id, start=found[0], end=found[1])
                    evidence = _sentences(document.id, original.cleaned, starts, *found)
                    texts = list(dict.fromkeys(clean_text(answer.text) for answer in answers))
                    metadata = {"answer_span": span.id, "answers": texts}
                    builder.add_golden(question.question, said, [evidence], where=where, source=id_, metadata=metadata)


def _sentences(doc_id: str, text: str, starts: list[int], start: int, end: int) -> Span:
    low = starts[bisect_right(starts, start) - 1]
    high = next((place for place in starts if place >= end), len(text))
    piece = text[low:high]
    return Span(doc_id=doc_id, start=low + len(piece) - len(piece.lstrip()), end=low + len(piece.rstrip()))


_COLUMNS = ("question", "references", "corpus_id")
_QUESTIONS = "questions.csv"
_ENDINGS = (".md", ".txt")
_Corpus = tuple[Original, str]  # a text with the id of its document


class _Reference(BaseModel):
    content: str
    start_index: StrictInt | None = None


_REFERENCES = TypeAdapter(list[_Reference])


def _is_chroma(path: Path) -> bool:
    if path.is_dir():
        return (path / _QUESTIONS).is_file()
    return path.suffix.lower() in {".csv", ".tsv"} and set(_COLUMNS) <= set(read_table(path)[0])


@importer(
    "chroma", f"Chroma's {_QUESTIONS} (columns {', '.join(_COLUMNS)}) with the corpora beside it", recognises=_is_chroma
)
def read_chroma(path: Path, builder: SetBuilder, **_: Any) -> None:
    """Add the questions of a CSV. The corpora stand beside it as `<corpus_id>.md` or `.txt`."""
    path = path / _QUESTIONS if path.is_dir() else path
    names, rows = read_table(path)
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise InputError(f"{path}: there is no column {', '.join(missing)}; Chroma's are {', '.join(_COLUMNS)}")
    corpora: dict[str, _Corpus | None] = {}
    lost: Counter[str] = Counter()
    for line, fields in rows:
        name = fields["corpus_id"].strip()
        if name not in corpora:
            corpora[name] = _read_corpus(path.parent, name, builder)
        if (corpus := corpora[name]) is None:
            lost[name] += 1
            continue
        try:
            references = _REFERENCES.validate_json(fields["references"])
        except ValidationError:
            fault = "references is not a JSON list of objects with content, start_index and end_index"
            raise InputError(f"{path}: line {line}, {fault}; mend or delete the line") from None
        where, source = f"{path.name}: line {line}", f"{path.name}:{line}"
        if spans := _align(references, corpus, where, builder):
            metadata = {"corpus_id": name}
            builder.add_golden(fields["question"], "", spans, where=where, source=source, metadata=metadata)
    for name, questions in lost.items():
        files = " or ".join(f"{name}{ending}" for ending in _ENDINGS)
        builder.report(path.name, f"{questions} questions of corpus {name}: there is no {files} beside {path.name}")


def _read_corpus(folder: Path, name: str, builder: SetBuilder) -> _Corpus | None:
    # A name and no path: a table must not lead to other folders.
    if not name or Path(name).name != name:
        return None
    path = next((path for ending in _ENDINGS if (path := folder / f"{name}{ending}").is_file()), None)
    if path is None:
        return None
    # As Python's text mode reads it, in which the offsets were counted.
    original = Original(read_text(path).replace("\r\n", "\n").replace("\r", "\n"))
    document = builder.add_document(original.text, source=path.name)
    return (original, document.id) if document else None


def _align(references: list[_Reference], corpus: _Corpus, where: str, builder: SetBuilder) -> list[Span]:
    """All spans, or none: a question with part of its evidence would ask for less than its authors did."""
    original, doc_id = corpus
    spans: list[Span] = []
    for reference in references:
        if place := original.find(reference.content, reference.start_index):
            spans.append(Span(doc_id=doc_id, start=place[0], end=place[1]))
        else:
            builder.report(where, "the excerpt does not stand in the corpus word for word", reference.content)
    if not references:
        builder.report(where, "the question has no excerpts")
    return spans if len(spans) == len(references) else []
