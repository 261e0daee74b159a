"""What a refresh changed: `changes.jsonl` for programs, and `CHANGES.md` for people."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from ragset.dataset.moved import ALIKE
from ragset.dataset.realign import Anchor, Anchored, Why
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden, Model

CHANGES = "CHANGES.md"
LINES = "changes.jsonl"
_SHOWN = 100
"""Of each list in `CHANGES.md`; all are in `changes.jsonl`."""
_LONGEST = 300
"""Characters shown of a text."""
_MARKS = re.compile(r"([\\`*_\[\]<>#|~!&])")

WHY: dict[Why, str] = {
    "document_gone": "its document is gone, and the text stands nowhere else",
    "text_gone": "the text is gone",
    "one_chunk": "its evidence stands in one chunk now, and it was to need several",
    "unproven": "it was to have no answer, and the corpus as it is now was not searched for one",
}
"""Why a golden is stale, in words."""


class GoldenChange(Model):
    """What became of one golden."""

    of: Literal["golden"] = "golden"
    id: str
    change: Literal["valid", "moved", "stale", "added"]
    query: str
    answer: str | None = None
    why: Why = ""
    """It is stale."""
    evidence: tuple[Anchor, ...] = ()
    """Before and after; of an added golden none."""
    sources: tuple[str, ...] = ()
    """Where the evidence of an added golden stands."""


class DocumentChange(Model):
    """What became of one document that is not as it was."""

    of: Literal["document"] = "document"
    change: Literal["added", "removed", "changed", "renamed"]
    sources: tuple[str, ...]
    """As they are now; of a removed one as they were."""
    before: str | None = None
    """Id of the text then."""
    after: str | None = None
    """Id of the text now."""
    sources_before: tuple[str, ...] = ()
    """Of a renamed one."""


class ChangeLog(Model):
    """From one version of a dataset to the next."""

    before: str
    """Name of the folder, as `after`."""
    after: str
    wanted: int
    goldens: tuple[GoldenChange, ...]
    documents: tuple[DocumentChange, ...]

    def count(self, change: str) -> int:
        """Goldens with this fate."""
        return sum(golden.change == change for golden in self.goldens)

    def of(self, change: str) -> list[GoldenChange]:
        """Goldens with this fate."""
        return [golden for golden in self.goldens if golden.change == change]


def golden_changes(anchored: Iterable[Anchored], added: Iterable[Golden], corpus: Corpus) -> tuple[GoldenChange, ...]:
    """A line for each golden of the old version, in its order, and then for each that is new."""
    kept = [
        GoldenChange(
            id=one.golden.id,
            change=one.fate,
            query=one.golden.query,
            answer=one.golden.answer,
            why=one.why,
            evidence=one.anchors,
        )
        for one in anchored
    ]
    new = [
        GoldenChange(
            id=golden.id,
            change="added",
            query=golden.query,
            answer=golden.answer,
            sources=tuple(dict.fromkeys(name for span in golden.evidence for name in corpus[span.doc_id].sources)),
        )
        for golden in added
    ]
    return (*kept, *new)


def document_changes(before: Corpus, after: Corpus) -> tuple[DocumentChange, ...]:
    """Every document that is not as it was, by its source; a text under another name is renamed."""
    gone = {document.id: document.sources for document in before if document.id not in after}
    new = {document.id: document.sources for document in after if document.id not in before}
    now = {source: doc_id for doc_id, sources in new.items() for source in sources}
    found: list[DocumentChange] = []
    paired: set[str] = set()
    for doc_id, sources in gone.items():
        heir = next((now[source] for source in sources if source in now), None)
        if heir is None:
            found.append(DocumentChange(change="removed", sources=sources, before=doc_id))
        else:
            paired.add(heir)
            found.append(DocumentChange(change="changed", sources=new[heir], before=doc_id, after=heir))
    for doc_id, sources in new.items():
        if doc_id not in paired:
            found.append(DocumentChange(change="added", sources=sources, after=doc_id))
    found += [
        DocumentChange(
            change="renamed", sources=later, before=document.id, after=document.id, sources_before=document.sources
        )
        for document in before
        if document.id in after and (later := after[document.id].sources) != document.sources
    ]
    return tuple(sorted(found, key=lambda one: (one.sources, one.change, one.before or "")))


def change_files(log: ChangeLog) -> dict[str, str]:
    """`CHANGES.md` and `changes.jsonl`, by their names."""
    return {CHANGES: render_changes(log), LINES: _lines([*log.goldens, *log.documents])}


def read_changes(folder: Path) -> tuple[GoldenChange | DocumentChange, ...]:
    """The lines of `changes.jsonl`; of a dataset that is no refreshed one, none.

    Raises:
        InputError: a line that is neither of a golden nor of a document; the message names it.
    """
    path = folder / LINES
    lines: list[GoldenChange | DocumentChange] = []
    if not path.exists():
        return ()
    reader: TypeAdapter[GoldenChange | DocumentChange] = TypeAdapter(GoldenChange | DocumentChange)
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            lines.append(reader.validate_json(line))
        except ValidationError:
            raise InputError(f"{path}: line {number} is not a change; refresh the dataset again") from None
    return tuple(lines)


def told(log: ChangeLog) -> str:
    """The counts in a line."""
    return ", ".join(f"{log.count(change)} {change}" for change in ("valid", "moved", "stale", "added"))


def render_changes(log: ChangeLog) -> str:
    """`CHANGES.md`: counts, then what a person should look at first. Texts are shown as text, never as markup."""
    kept = log.count("valid") + log.count("moved")
    size = kept + log.count("added")
    short = "" if size >= log.wanted else f", {log.wanted - size} fewer than wanted"
    parts = [
        f"# {_plain(log.after)}: what changed since {_plain(log.before)}",
        f"{size} goldens of {log.wanted}{short}. {told(log)}.",
        "\n".join(
            [
                "| Goldens | | |",
                "|---|---:|---|",
                f"| valid | {log.count('valid')} | their evidence stands where it stood |",
                f"| moved | {log.count('moved')} | their evidence stands elsewhere; the goldens keep their ids |",
                f"| stale | {log.count('stale')} | some of their evidence is gone; they have left the set |",
                f"| added | {log.count('added')} | new, in place of those that left |",
            ]
        ),
        *_section("Stale", log.of("stale"), _stale),
        *_section("Moved", _suspects_first(log.of("moved")), _moved),
        *_section("Added", log.of("added"), _added),
        *_section("Documents", log.documents, _document),
    ]
    if not log.documents:
        parts.append("The documents are the same.")
    return "\n\n".join(parts) + "\n"


def _section(title: str, members: Sequence[Any], entry: Any) -> Iterator[str]:
    if members:
        yield f"## {title} ({len(members)})"
        yield "\n".join(entry(member) for member in members[:_SHOWN])
        if len(members) > _SHOWN:
            yield f"… and {len(members) - _SHOWN} more, all in {LINES}."


def _suspects_first(moved: Sequence[GoldenChange]) -> list[GoldenChange]:
    return sorted(moved, key=lambda golden: not any(map(_suspect, golden.evidence)))


def _suspect(anchor: Anchor) -> bool:
    """Whether what it says may be another thing now: its own sentence does, or one before it may have changed the subject."""
    around = anchor.likeness < ALIKE and not anchor.same_paragraph
    return anchor.promoted or not anchor.same_sentence or around


def _stale(golden: GoldenChange) -> str:
    lines = [f"- **{_plain(golden.query)}** ({golden.id}): {WHY.get(golden.why, golden.why)}"]
    for anchor in golden.evidence:
        state = "gone" if anchor.after is None else "still there"
        lines.append(f"  - {state}, was in {_files(anchor.sources)}: “{_plain(anchor.text)}”")
    return "\n".join(lines)


def _moved(golden: GoldenChange) -> str:
    lines = [f"- **{_plain(golden.query)}** ({golden.id})"]
    for anchor in golden.evidence:
        if anchor.after is None or anchor.after == anchor.before:
            continue
        where = f"{anchor.before.start}–{anchor.before.end} to {anchor.after.start}–{anchor.after.end}"
        if anchor.promoted:
            where += (
                " of another document; **it is gone, and an equivalent passage stands in for it, so read it again**"
            )
        elif not anchor.same_sentence:
            where += "; **its sentence has changed, so read it again**"
        elif _suspect(anchor):
            where += "; **what stands around it has changed, so read it again**"
        lines.append(f"  - {_files(anchor.sources)}, from characters {where}: “{_plain(anchor.text)}”")
    return "\n".join(lines)


def _added(golden: GoldenChange) -> str:
    return f"- **{_plain(golden.query)}** ({golden.id}), from {_files(golden.sources)}"


def _document(document: DocumentChange) -> str:
    from_ = f" (was {_files(document.sources_before)})" if document.sources_before else ""
    return f"- {document.change}: {_files(document.sources)}{from_}"


def _files(sources: Sequence[str]) -> str:
    return ", ".join(map(_plain, sources))


def _plain(text: str) -> str:
    """On one line, of bounded length, with nothing in it that markdown would act on."""
    line = " ".join(text.split())
    line = line if len(line) <= _LONGEST else line[:_LONGEST].rstrip() + " …"
    return _MARKS.sub(r"\\\1", line)


def _lines(records: Iterable[Model]) -> str:
    return "".join(json.dumps(one.model_dump(mode="json"), ensure_ascii=False) + "\n" for one in records)
