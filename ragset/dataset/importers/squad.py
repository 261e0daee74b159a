"""JSON in the format of SQuAD 1.1 and 2.0: articles of paragraphs, with questions and where their answers begin."""

from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import Any

from pydantic import BaseModel, StrictInt

from ragset.dataset.importers.files import read_json, validated
from ragset.dataset.importers.imported import SetBuilder
from ragset.dataset.importers.original import Original
from ragset.dataset.importers.registry import importer
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Span
from ragset.text.sentences import sentences

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
def read_squad(path: Path, builder: SetBuilder, language: str = "en", **_: Any) -> None:
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
        starts = [0, *sentences(document.text, language)]
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
    """The sentences that hold these characters, without white space at the ends."""
    low = starts[bisect_right(starts, start) - 1]
    high = next((place for place in starts if place >= end), len(text))
    piece = text[low:high]
    return Span(doc_id=doc_id, start=low + len(piece) - len(piece.lstrip()), end=low + len(piece.rstrip()))
