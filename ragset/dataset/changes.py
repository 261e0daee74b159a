"""What a refresh changed: `changes.jsonl` for programs, and `CHANGES.md` for people."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args

from ragset.dataset.moved import ALIKE
from ragset.dataset.realign import Anchor, Anchored, Why
from ragset.dataset.report.page import template_of
from ragset.documents.corpus import Corpus
from ragset.models import Golden, Model

CHANGES = "CHANGES.md"
LINES = "changes.jsonl"
_SHOWN = 100  # of each list in `CHANGES.md`; all are in `changes.jsonl`
_LONGEST = 300  # characters shown of a text
_MARKS = re.compile(r"([\\`*_\[\]<>#|~!&])")

WHY: dict[Why, str] = {
    "document_gone": "its document is gone, and the text stands nowhere else",
    "text_gone": "the text is gone",
    "one_chunk": "its evidence stands in one chunk now, and it was to need several",
    "unproven": "it was to have no answer, and the corpus as it is now was not searched for one",
}  # why a golden is stale, in words


Change = Literal["valid", "moved", "stale", "added"]


class GoldenChange(Model):
    """What became of one golden."""

    of: Literal["golden"] = "golden"
    id: str
    change: Change
    query: str
    answer: str | None = None
    why: Why = ""  # of a stale golden
    evidence: tuple[Anchor, ...] = ()  # before and after; of an added golden none
    sources: tuple[str, ...] = ()  # where the evidence of an added golden stands


class DocumentChange(Model):
    """What became of one document that is not as it was."""

    of: Literal["document"] = "document"
    change: Literal["added", "removed", "changed", "renamed"]
    sources: tuple[str, ...]  # as they are now; of a removed one as they were
    before: str | None = None  # id of the text then
    after: str | None = None  # id of the text now
    sources_before: tuple[str, ...] = ()  # of a renamed one


class ChangeLog(Model):
    """From one version of a dataset to the next."""

    before: str  # name of the folder, as `after`
    after: str
    wanted: int
    goldens: tuple[GoldenChange, ...]
    documents: tuple[DocumentChange, ...]

    def of(self, change: str) -> list[GoldenChange]:
        """Goldens with this fate."""
        return [golden for golden in self.goldens if golden.change == change]

    def count(self, change: str) -> int:
        """How many they are."""
        return len(self.of(change))

    @property
    def summary(self) -> str:
        """The counts in a line."""
        return ", ".join(f"{self.count(change)} {change}" for change in get_args(Change))


def golden_changes(anchored: Iterable[Anchored], added: Iterable[Golden], corpus: Corpus) -> tuple[GoldenChange, ...]:
    """A line for each golden of the old version, in its order, and then for each that is new."""

    def change(golden: Golden, change: Change, **more: Any) -> GoldenChange:
        return GoldenChange(id=golden.id, change=change, query=golden.query, answer=golden.answer, **more)

    def sources(golden: Golden) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for span in golden.evidence for name in corpus[span.doc_id].sources))

    kept = (change(one.golden, one.fate, why=one.why, evidence=one.anchors) for one in anchored)
    return (*kept, *(change(golden, "added", sources=sources(golden)) for golden in added))


def document_changes(before: Corpus, after: Corpus) -> tuple[DocumentChange, ...]:
    """Every document that is not as it was, by its source; a text under another name is renamed."""
    new = {document.id: document.sources for document in after if document.id not in before}
    now = {source: doc_id for doc_id, sources in new.items() for source in sources}
    found: list[DocumentChange] = []
    paired: set[str] = set()
    for document in before:
        id_, then = document.id, document.sources
        heir = next((now[source] for source in then if source in now), None)
        if id_ in after:
            sources = after[id_].sources
            renamed = DocumentChange(change="renamed", sources=sources, before=id_, after=id_, sources_before=then)
            found += [renamed] if sources != then else []
        elif heir is None:
            found.append(DocumentChange(change="removed", sources=then, before=id_))
        else:
            paired.add(heir)
            found.append(DocumentChange(change="changed", sources=new[heir], before=id_, after=heir))
    found += [
        DocumentChange(change="added", sources=sources, after=id_) for id_, sources in new.items() if id_ not in paired
    ]
    return tuple(sorted(found, key=lambda one: (one.sources, one.change, one.before or "")))


def change_files(log: ChangeLog) -> dict[str, str]:
    """`CHANGES.md` and `changes.jsonl`, by their names."""
    lines = [json.dumps(one.model_dump(mode="json"), ensure_ascii=False) for one in (*log.goldens, *log.documents)]
    return {CHANGES: render_changes(log), LINES: "".join(f"{line}\n" for line in lines)}


def render_changes(log: ChangeLog) -> str:
    """`CHANGES.md`. Texts are shown as text, never as markup: the filter `plain` escapes them."""
    filters = {"plain": _plain, "suspect": _suspect}
    template = template_of(Path(__file__).with_name("changes.md.jinja"), filters, html=False)
    return template.render(
        log=log,
        size=log.count("valid") + log.count("moved") + log.count("added"),
        moved=sorted(log.of("moved"), key=lambda golden: not any(map(_suspect, golden.evidence))),
        why=WHY,
        shown=_SHOWN,
        lines=LINES,
    )


def _suspect(anchor: Anchor) -> bool:
    """Whether it may say another thing now: its sentence has changed, or one before it may have changed the subject."""
    around = anchor.likeness < ALIKE and not anchor.same_paragraph
    return anchor.promoted or not anchor.same_sentence or around


def _plain(text: str) -> str:
    """On one line, of bounded length, with nothing in it that markdown would act on."""
    line = " ".join(text.split())
    line = line if len(line) <= _LONGEST else line[:_LONGEST].rstrip() + " …"
    return _MARKS.sub(r"\\\1", line)
