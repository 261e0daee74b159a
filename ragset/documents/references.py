"""Sections at the end of a document that list other documents, and what wikis leave between the words."""

import re

_NAMES = (
    "references?|reference list|bibliograph(?:y|ie)|works cited|literature(?: cited)?|external links?|further reading|"
    "notes(?: and references)?|footnotes|citations|sources|see also|"
    "referencias(?: bibliográficas)?|bibliografía|enlaces externos|notas(?: y referencias)?|véase también|"
    "literatur(?:verzeichnis)?|quellen|einzelnachweise|weblinks|siehe auch|"
    "références(?: bibliographiques)?|liens externes|notes et références|voir aussi"
)
_TITLE = re.compile(rf"(?:\d{{1,2}}\.?\s+)?(?:{_NAMES})\s*:?", re.IGNORECASE)
_MARKED = re.compile(r"(?:#{1,6}\s+(?P<md>.+?)\s*#*|(?P<eq>={1,6})\s*(?P<wiki>.+?)\s*(?P=eq)|\*\*(?P<bold>.+?)\*\*)")
_UNDERLINE = re.compile(r"=+|-+")
_ENTRY = re.compile(
    r"\s*(?:[-*•–]\s|\[?\d{1,3}[\].)]|\^)|https?://|\bdoi\b|\bISBN\b|\bpp?\.\s?\d|\((?:1[5-9]|20)\d\d[a-z]?\)|"
    r"\b(?:1[5-9]|20)\d\d[a-z]?\.(?:\s|$)|\bRetrieved\b|\bet al\b"
)
_LEFTOVERS = re.compile(
    r"[ \t]?\[(?:edit|editar|bearbeiten|Bearbeiten|modifier|citation needed|cita requerida|clarification needed|"
    r"when\?|who\?|note \d{1,3}|[a-z]|\d{1,3})\]|[ \t]?\{\{[^{}\n]{0,200}\}\}"
)


def cut_references(text: str) -> str:
    """`text` without its trailing sections of references, and without `[edit]`, `[12]` and `{{templates}}`.

    Only what stands at the end is cut: from a heading such as References on, if nothing but such sections follows.
    """
    lines = _LEFTOVERS.sub("", text).split("\n")
    cut = len(lines)
    for number in range(len(lines) - 1, 0, -1):
        heading = _heading(lines, number)
        if heading is None:
            continue
        title, marked = heading
        if not _TITLE.fullmatch(title):
            if marked:
                break
            continue
        if marked or _lists(lines[number + 1 : cut]):
            cut = number
    kept = "\n".join(lines[:cut])
    return kept if kept.strip() else "\n".join(lines)


def _heading(lines: list[str], number: int) -> tuple[str, bool] | None:
    """The title on that line, and whether it is marked as one; None for other text."""
    line = lines[number].strip()
    marked = _MARKED.fullmatch(line)
    if marked:
        return (marked["md"] or marked["wiki"] or marked["bold"]), True
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    if line and len(below) >= 3 and _UNDERLINE.fullmatch(below):
        return line, True
    if line and len(line) <= 40 and not lines[number - 1].strip():
        return line, False
    return None


def _lists(lines: list[str]) -> bool:
    """Whether most paragraphs look like entries of a list of works."""
    paragraphs = [paragraph for paragraph in "\n".join(lines).split("\n\n") if paragraph.strip()]
    entries = [entry for paragraph in paragraphs for entry in paragraph.strip().split("\n")]
    alike = sum(bool(_ENTRY.search(entry)) for entry in entries)
    return bool(entries) and alike * 2 >= len(entries)
