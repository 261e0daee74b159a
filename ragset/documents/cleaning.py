"""Text as it is kept, cleaned so that cleaning it again changes nothing: offsets count in the cleaned text."""

import re
import unicodedata
from collections.abc import Callable

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


_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# Controls, soft hyphens, zero-width spaces and byte order marks; not the joiners that scripts and emoji need.
_UNSEEN = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff\ufffe\uffff]")
_BLANK_LINES = re.compile(r"\n{3,}")
_LETTERS = r"[^\W\d_]"
_BROKEN = re.compile(rf"[-\u2010]\n[ \t]*(?=({_LETTERS}+))")  # man pages have a hyphen of their own (U+2010)
_SPACED = re.compile(rf"- (?=({_LETTERS}{{2,}})(?![\w-]))")
_HYPHEN = re.compile(rf"-(?=({_LETTERS}+))")
_WORD = re.compile(rf"{_LETTERS}+")


def clean_text(text: str, *, drop_references: bool = False) -> str:
    """`text` in Unicode NFC with one-character line ends, without control characters or the hyphens of line breaks.

    Blank lines stand alone, and no line ends in white space. `drop_references` removes references and the marks of wikis.
    """
    # One join or cut can make room for another.
    while (cleaned := _clean_once(text, drop_references)) != text:
        text = cleaned
    return text


def _clean_once(text: str, drop_references: bool) -> str:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text = _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))
    text = _join_words(_without_trailing(unicodedata.normalize("NFC", text)))
    if drop_references:
        text = cut_references(text)
    text = _BLANK_LINES.sub("\n\n", _without_trailing(text))
    return unicodedata.normalize("NFC", text.strip())


def _without_trailing(text: str) -> str:
    return "\n".join([line.rstrip() for line in text.split("\n")])


def _join_words(text: str) -> str:
    """Words that a line end or a typesetter's space has parted, whole again; compounds keep their hyphen."""
    broken = [_Parted(text, match) for match in _BROKEN.finditer(text)]
    if any(parted.left for parted in broken):
        hyphens = (_Parted(text, match) for match in _HYPHEN.finditer(text))
        compounds = {f"{one.left}-{one.right}".lower() for one in hyphens if one.left}
        text = _joined(text, [one for one in broken if one.left], lambda one: one.after_line_end(compounds))
    spaced = [one for match in _SPACED.finditer(text) if len((one := _Parted(text, match)).left) > 1]
    if spaced:
        words = {word.lower() for word in _WORD.findall(text)}
        text = _joined(text, spaced, lambda one: "" if (one.left + one.right).lower() in words else None)
    return text


class _Parted:
    def __init__(self, text: str, match: re.Match[str]) -> None:
        self.start, self.end = match.span()
        first = self.start
        # Patterns begin with the hyphen, which is found at once; one that began with a word would try every word.
        while first and text[first - 1].isalnum() and not text[first - 1].isdecimal():
            first -= 1
        self.left, self.right = text[first : self.start], match[1]
        if match.re is not _HYPHEN and first and (text[first - 1].isalnum() or text[first - 1] in "_-"):
            self.left = ""  # not a whole word

    def after_line_end(self, compounds: set[str]) -> str | None:
        """What takes the place of hyphen and line end; None: they stay."""
        if f"{self.left}-{self.right}".lower() in compounds:
            return "-"
        return "" if self.right[0].islower() else None


def _joined(text: str, parted: list[_Parted], choose: Callable[[_Parted], str | None]) -> str:
    pieces: list[str] = []
    place = 0
    for one in parted:
        if (between := choose(one)) is not None:
            pieces += (text[place : one.start], between)
            place = one.end
    return "".join((*pieces, text[place:]))
