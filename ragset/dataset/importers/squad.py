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


def _is_squad(path: Path) -> bool:
    return path.suffix.lower() == ".json" and _has_paragraphs(read_json(path))


def _has_paragraphs(value: Any) -> bool:
    articles = value.get("data") if isinstance(value, dict) else None
    return isinstance(articles, list) and any(isinstance(a, dict) and "paragraphs" in a for a in articles)


@importer("squad", "a .json file in SQuAD's format", recognises=_is_squad)
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
                _add_golden(question, id_, f"{path.name}: {id_}", document.id, original, within, starts, builder)


def _add_golden(
    question: _Question,
    id_: str,
    where: str,
    doc_id: str,
    original: Original,
    within: tuple[int, int],
    starts: list[int],
    builder: SetBuilder,
) -> None:
    answers = [answer for answer in question.answers if answer.text.strip()]
    if question.is_impossible:
        builder.add_golden(question.question, None, (), where=where, source=id_)
        return
    if not answers:  # SQuAD 1.1 has one for every question, so this is a gap in the data and no statement
        builder.report(where, "there is no answer, and the question is not marked is_impossible", question.question)
        return
    places = (
        original.find(answer.text, None if (at := answer.answer_start) is None else within[0] + at, within=within)
        for answer in answers
    )
    found = next(filter(None, places), None)
    if found is None:
        builder.report(where, "no answer stands in its paragraph word for word", answers[0].text)
        return
    start, end = _sentences(original.cleaned, starts, *found)
    builder.add_golden(
        question.question,
        original.cleaned[found[0] : found[1]],
        [Span(doc_id=doc_id, start=start, end=end)],
        where=where,
        source=id_,
        metadata={
            "answer_span": Span(doc_id=doc_id, start=found[0], end=found[1]).id,
            "answers": list(dict.fromkeys(clean_text(answer.text) for answer in answers)),
        },
    )


def _sentences(text: str, starts: list[int], start: int, end: int) -> tuple[int, int]:
    """From the start of the sentence that holds `start` to the end of the one that holds the last character."""
    low = starts[bisect_right(starts, start) - 1]
    high = next((place for place in starts if place >= end), len(text))
    piece = text[low:high]
    return low + len(piece) - len(piece.lstrip()), low + len(piece.rstrip())
