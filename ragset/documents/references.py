"""Sections at the end of a document that list other documents, and what wikis leave between the words."""

import re

_TITLES = {
    "en": r"references?|reference list|bibliography|works cited|literature(?: cited)?|external links?|further reading"
    r"|notes(?: and references)?|footnotes|citations|sources|see also",
    "es": r"referencias(?: bibliográficas| citadas)?|bibliografía(?: recomendada| citada)?|obras citadas|fuentes(?: consultadas)?"
    r"|notas(?: al pie| y referencias)?|lecturas? (?:recomendadas?|adicionales)|enlaces externos|véase también",
    "de": r"literatur(?:verzeichnis|hinweise|angaben|liste)?|weiterführende literatur|quellen(?:verzeichnis|angaben|nachweise)?"
    r"|einzelnachweise|(?:anmerkungen|fußnoten)(?: und einzelnachweise)?|referenzen|weblinks|siehe auch",
    "fr": r"références(?: bibliographiques)?|bibliographie|webographie|ouvrages cités|lectures complémentaires"
    r"|pour aller plus loin|liens externes|notes(?: et références)?|articles connexes|voir aussi",
}
LANGUAGES = tuple(_TITLES)
_TITLE = re.compile(rf"(?:\d{{1,2}}\.?\s+)?(?:{'|'.join(_TITLES.values())})\s*:?", re.IGNORECASE)
_VAGUE = re.compile(
    r"[\d.\s]*(?:reference|literature|notes|footnotes|citations|sources|notas|fuentes|literatur|quellen|anmerkungen|fußnoten"
    r"|referenzen|pour aller plus loin)\s*:?",
    re.IGNORECASE,
)  # titles that may as well head a section of prose
_MARKED = re.compile(
    r"(?P<hashes>#{1,6})\s+(?P<md>.+?)\s*#*|(?P<eq>={1,6})\s*(?P<wiki>[^=\s].*?)\s*(?P=eq)|\*\*(?P<bold>.+?)\*\*"
)
_BOLD = 7  # the level of a title that is only printed in bold
_UNDERLINE = re.compile(r"=+|-+")
_ENTRY = re.compile(
    r"\s*(?:[-*•–]\s|\[?\d{1,3}[\].)]|\^)|https?://|\bdoi\b|\bISBN\b|\bpp?\.\s?\d|\((?:1[5-9]|20)\d\d[a-z]?\)|"
    r"\b(?:1[5-9]|20)\d\d[a-z]?\.(?:\s|$)|\b(?:Retrieved|[Aa]bgerufen|[Cc]onsultado|[Cc]onsultée?)\b|\bet al\b"
)
_CODE = r"(?P<fence>^[ \t]*+(?:`{3,}+|~{3,}+))[^\n]*+\n.*?(?:(?P=fence)|\Z)|(?<!`)(?P<ticks>`++)[^\n]{1,300}?(?<!`)(?P=ticks)(?!`)"
_LEFTOVERS = re.compile(
    rf"""
      (?P<code>{_CODE})                                        # stays as it is, `args[0]` and {{{{ templates }}}} of its own too
    | [ \t]?(?<![_\]])(?<!\b[A-Za-z])(?<!\b[a-z]\w)(?:\[(?:
          edit|editar(?:\ código|\ ·\ editar\ código)?|[Bb]earbeiten(?:\ \|\ Quelltext\ bearbeiten)?
        | modifier(?:\ \|\ modifier\ le\ code)?|citation\ needed|cita\ requerida|réf\.\ (?:nécessaire|souhaitée)
        | Beleg\ fehlt|clarification\ needed|when\?|who\?|note\ \d{{1,3}}
        | [a-hlmo-wyz]|[1-9]\d{{0,2}}                          # an index is also 0, i, j, k or n
      )\])+(?!\(|\[|:\s*(?:https?:|<)|[ \t]*[=+%^]|[ \t][*/<>&-][ \t]|\.\w)
    | [ \t]?\{{\{{(?:cn|fact|citation\ needed|clarify|when|who|sfnp?|efn|refn?|reflist|cite\ \w+|(?:[^{{}}|\n]{{1,40}}\|[^{{}}\n]*?
        \b(?:date|url|title|access-?date|last|first|year|pp?|lang)\s*=))[^{{}}\n]{{0,200}}\}}\}}
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


def cut_references(text: str) -> str:
    """`text` without trailing sections that only list references, and without `[edit]`, `[12]` and `{{templates}}`."""
    lines = _LEFTOVERS.sub(lambda found: found["code"] or "", text).split("\n")
    cut = len(lines)
    outermost = _BOLD + 1
    """Level of the outermost heading between here and the cut that is no title of references itself."""
    for number in range(len(lines) - 1, 0, -1):
        heading = _heading(lines, number)
        if heading is None:
            continue
        title, level = heading
        divided = outermost <= _BOLD
        if _TITLE.fullmatch(title) and (not divided or 1 < (level or _BOLD) < outermost):
            sure = level is not None and not divided and not _VAGUE.fullmatch(title)
            if sure or _lists(lines[number + 1 : cut]):
                cut, outermost = number, _BOLD + 1
                continue
        outermost = min(outermost, level or _BOLD + 1)
    kept = "\n".join(lines[:cut])
    return kept if kept.strip() else "\n".join(lines)


def _heading(lines: list[str], number: int) -> tuple[str, int | None] | None:
    """The title on that line with its level, None where it is not marked as one; None for other text."""
    line = lines[number].strip()
    marked = _MARKED.fullmatch(line)
    if marked:
        title = marked["md"] or marked["wiki"] or marked["bold"]
        return title, len(marked["hashes"] or marked["eq"] or "#" * _BOLD)
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    if line and len(below) >= 3 and _UNDERLINE.fullmatch(below):
        return line, 1 if below[0] == "=" else 2
    if line and len(line) <= 40 and not lines[number - 1].strip():
        return line, None
    return None


def _lists(lines: list[str]) -> bool:
    paragraphs = "\n".join(lines).split("\n\n")
    texts = [line for paragraph in paragraphs if paragraph.strip() for line in paragraph.strip().split("\n")]
    entries = [line for line in texts if not (_MARKED.fullmatch(line.strip()) or _UNDERLINE.fullmatch(line.strip()))]
    return bool(entries) and sum(bool(_ENTRY.search(entry)) for entry in entries) * 2 >= len(entries)
