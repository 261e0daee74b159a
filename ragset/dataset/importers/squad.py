"""JSON in the format of SQuAD 1.1 and 2.0: articles of paragraphs, with questions and where their answers begin."""

from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ragset.dataset.importers.align import Original
from ragset.dataset.importers.files import read_json
from ragset.dataset.importers.gathering import Gathering
from ragset.documents import clean_text
from ragset.errors import InputError
from ragset.models import Document, Span
from ragset.text.sentences import sentences

_BETWEEN = "\n\n"


class _Article(NamedTuple):
    title: str
    original: Original
    paragraphs: list[tuple[int, str, list[dict[str, Any]]]]
    """Where each begins in the article, its text and its questions."""
    where: str


def is_squad(value: Any) -> bool:
    """Whether a JSON value looks like it."""
    articles = value.get("data") if isinstance(value, dict) else None
    return isinstance(articles, list) and any(isinstance(a, dict) and "paragraphs" in a for a in articles)


def read_squad(path: Path, gathering: Gathering, language: str) -> None:
    """Gather the questions of a file; an article is a document, its paragraphs parted by blank lines.

    The evidence is the sentence that holds the answer, or the sentences that it reaches into.

    Raises:
        InputError: the file cannot be read, or is another JSON.
    """
    for article in _articles(read_json(path), path):
        document = gathering.add_document(article.original.text, source=article.where, title=article.title)
        if document is None:
            gathering.report(article.where, "the article has no text")
            continue
        starts = [0, *sentences(document.text, language)]
        for offset, context, questions in article.paragraphs:
            for question in questions:
                where = f"{path.name}: {question['id']}"
                answers = _answers(question, path)
                if question.get("is_impossible"):
                    gathering.add_golden(question["question"], None, (), where=where, source=question["id"])
                elif not answers:  # SQuAD 1.1 has one for every question, so this is a gap and no statement
                    reason = "there is no answer, and the question is not marked is_impossible"
                    gathering.report(where, reason, question["question"])
                elif found := _find(article.original, offset, context, answers):
                    sentence = _sentence(document.text, starts, *found)
                    _gather(question, answers, document, found, sentence, where, gathering)
                else:
                    reason = "no answer stands in its paragraph word for word"
                    gathering.report(where, reason, answers[0]["text"])


def _gather(
    question: dict[str, Any],
    answers: list[dict[str, Any]],
    document: Document,
    found: tuple[int, int],
    sentence: tuple[int, int],
    where: str,
    gathering: Gathering,
) -> None:
    gathering.add_golden(
        question["question"],
        document.text[found[0] : found[1]],
        [Span(doc_id=document.id, start=sentence[0], end=sentence[1])],
        where=where,
        source=question["id"],
        metadata={
            "answer_span": Span(doc_id=document.id, start=found[0], end=found[1]).id,
            "answers": list(dict.fromkeys(clean_text(answer["text"]) for answer in answers)),
        },
    )


def _find(original: Original, offset: int, context: str, answers: list[dict[str, Any]]) -> tuple[int, int] | None:
    """Where in the document the first answer is that stands in its paragraph."""
    for answer in answers:
        text, start = answer["text"], answer.get("answer_start")
        place = original.find(text, None if start is None else offset + start, within=(offset, offset + len(context)))
        if place:
            return place
    return None


def _sentence(text: str, starts: list[int], start: int, end: int) -> tuple[int, int]:
    """From the beginning of the sentence that holds `start` to the end of the one that holds the last character."""
    first = bisect_right(starts, start) - 1
    after = bisect_right(starts, end - 1)
    low, high = starts[first], starts[after] if after < len(starts) else len(text)
    piece = text[low:high]
    return low + len(piece) - len(piece.lstrip()), low + len(piece.rstrip())


def _articles(value: Any, path: Path) -> Iterator[_Article]:
    if not is_squad(value):
        raise InputError(f"{path}: is not in SQuAD's format; it needs data[].paragraphs[] with context and qas")
    for number, article in enumerate(value["data"]):
        at = f"data[{number}]"
        paragraphs = _list(article, "paragraphs", at, path)
        title = article.get("title")
        title = title.replace("_", " ") if isinstance(title, str) else ""
        kept: list[tuple[int, str, list[dict[str, Any]]]] = []
        offset = 0
        for index, paragraph in enumerate(paragraphs):
            where = f"{at}.paragraphs[{index}]"
            questions = _list(paragraph, "qas", where, path)
            context = _text(paragraph, "context", where, path)
            for place, question in enumerate(questions):
                _text(question, "question", f"{where}.qas[{place}]", path)
                question["id"] = clean_text(str(question.get("id") or f"{where}.qas[{place}]"))
            kept.append((offset, context, questions))
            offset += len(context) + len(_BETWEEN)
        original = Original(_BETWEEN.join(context for _, context, _ in kept))
        yield _Article(title, original, kept, f"{path.name}: {title or at}")


def _answers(question: dict[str, Any], path: Path) -> list[dict[str, Any]]:
    """Those with a text."""
    where = question["id"]
    answers: list[dict[str, Any]] = []
    for answer in _list(question, "answers", where, path) if "answers" in question else []:
        start = answer.get("answer_start") if isinstance(answer, dict) else None
        if start is not None and (not isinstance(start, int) or isinstance(start, bool)):
            raise InputError(f"{path}: {where}, answer_start is not a whole number; mend the answer")
        if _text(answer, "text", f"{where}, answers", path).strip():
            answers.append(answer)
    return answers


def _list(value: Any, name: str, where: str, path: Path) -> list[Any]:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise InputError(f"{path}: {where} has no list of {name}; mend the file")
    return found


def _text(value: Any, name: str, where: str, path: Path) -> str:
    found = value.get(name) if isinstance(value, dict) else None
    if not isinstance(found, str):
        raise InputError(f"{path}: {where} has no text in {name}; mend the file")
    return found
