"""reStructuredText as Markdown: headings, code, notes, and the words of roles and links; without what shows nothing."""

import re
from collections.abc import Iterator

from ragset.documents.formats.opened import Opened, Read

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1+\s*")
_DIRECTIVE = re.compile(
    r"(?P<indent> *)\.\. (?:(?P<substitution>\|[^|]+\|) )?(?P<name>[\w:+.-]+?) ?::(?:[ ]+(?P<said>.*))?"
)
_COMMENT = re.compile(r" *\.\.(?: .*)?|:[\w-]+:")  # also a field without a value, such as `:orphan:`
_FOOTNOTE = re.compile(r"^( *)\.\. (?=\[[#*\w.-]+\] )")
_OPTION = re.compile(r" +:[\w-]+(?: [\w-]+)?:(?: .*)?")
_CODE = frozenset("code code-block sourcecode parsed-literal math doctest testcode prompt".split())  # noqa: SIM905
_SILENT = frozenset(
    """toctree index image figure raw include contents highlight currentmodule module role meta only tabularcolumns default-domain
    literalinclude default-role sectnum replace unicode target-notes""".split()  # noqa: SIM905
)
"""Directives of which a reader of the page sees nothing, or nothing that stands in the file."""
_LABELS = {
    **{kind: f"{kind.capitalize()}: " for kind in "note warning tip important caution danger attention hint".split()},  # noqa: SIM905
    "seealso": "See also: ",
    "versionadded": "New in version ",
    "versionchanged": "Changed in version ",
    "deprecated": "Deprecated since version ",
}

_ROLE = re.compile(r":[\w:+.-]+:`(?:[~!])?(?P<said>[^`<]*?)(?:\s*<(?P<target>[^`>]*)>)?`")
_LINK = re.compile(r"`(?P<said>[^`<]+?)\s*<(?P<target>[^`>\s]+)>`_{1,2}")
_NAMED = re.compile(r"(?<![`\w])`([^`]+)`_{1,2}(?!\w)")
_TARGET = re.compile(r"^ *\.\. _`?([\w.-]+)`?:", re.MULTILINE)
_WORD_LINK = re.compile(r"(?<![\w`.-])([\w.-]*[^\W_])__?(?!\w)")  # `Jinja_`, where the file says where that leads
_LITERAL = re.compile(r"``(.+?)``", re.DOTALL)


def read_rst(opened: Opened) -> Iterator[Read]:
    """A text in reStructuredText; its title is the first heading."""
    page, text = _Page(), opened.text().expandtabs()
    named = set(map(str.casefold, _TARGET.findall(text)))
    out = "\n".join(page.convert(text.splitlines()))
    out = _WORD_LINK.sub(lambda found: found[1] if found[1].casefold() in named else found[0], out)
    yield Read(opened.source, out, page.title or opened.stem)


class _Page:
    """What counts for a whole file, also within its directives."""

    def __init__(self) -> None:
        self.title = ""
        self._levels: list[tuple[str, bool]] = []  # adornments of headings, outermost first; whether on both sides

    def convert(self, lines: list[str]) -> list[str]:
        """The lines of the file, or of a directive, in Markdown."""
        out: list[str] = []
        prose: list[str] = []
        at = 0
        while at < len(lines):
            line = lines[at].rstrip()
            heading, after = self._heading(lines, at)
            found = _DIRECTIVE.fullmatch(line)
            literal = line.endswith("::") and not found
            if not (heading or found or literal or _COMMENT.fullmatch(line)) or _FOOTNOTE.match(line):
                prose.append(_FOOTNOTE.sub(r"\1", line))
                at += 1
                if line:
                    continue
            out += [_inline("\n".join(prose))] if prose else []
            prose = []
            if heading:
                out += [heading, ""]
                at = after
            elif line:
                block, at = _block(lines, at + 1, _indent(line))
                if found:
                    out += self._directive(found, block)
                elif literal:
                    said = line.removesuffix("::")
                    colon = ":" if said and not said.endswith(" ") else ""
                    out += [_inline(said.rstrip() + colon), *_code(block, "")]
                # Else it is a comment or a label.
        return [*out, *([_inline("\n".join(prose))] if prose else [])]

    def _heading(self, lines: list[str], at: int) -> tuple[str, int]:
        """A title with its adornment below it or on both sides, and the line after it; empty where there is none."""
        first, second, third = (line.rstrip() for line in (*lines[at : at + 3], "", "", "")[:3])
        both = bool(_ADORNMENT.fullmatch(first) and second and first == third)
        title, under = (second.strip(), third) if both else (first, second)
        mark = _ADORNMENT.fullmatch(under)
        if not mark or not title or _ADORNMENT.fullmatch(title) or title.startswith((" ", "..")) or len(under) < 3:
            return "", at
        style = (mark[1], both)
        if style not in self._levels:
            self._levels.append(style)
        said = re.sub(r"[`*]", "", _inline(title))
        self.title = self.title or said
        return f"{'#' * min(6, self._levels.index(style) + 1)} {said}", at + 2 + both

    def _directive(self, found: re.Match[str], block: list[str]) -> list[str]:
        name, said = found["name"].rpartition(":")[2], (found["said"] or "").strip()
        if found["substitution"] or name in _SILENT:
            return []
        if name in _CODE:
            return _code(block, said)
        if name in _LABELS:
            said = f"{_LABELS[name]}{said}"
        elif said and (":" in found["name"] or "(" in said):
            said = f"`{said}`"  # a function, a variable, an option
        return [_inline(said), *self.convert(_content(block)), ""]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _block(lines: list[str], start: int, indent: int) -> tuple[list[str], int]:
    """The lines from `start` on that are indented more, and the blank ones within them; and the line after."""
    end = at = start
    while at < len(lines) and (not lines[at].strip() or _indent(lines[at]) > indent):
        at += 1
        end = at if lines[at - 1].strip() else end
    return [line.rstrip() for line in lines[start:end]], end


def _content(block: list[str]) -> list[str]:
    """What a directive holds, without its options and its indentation."""
    while block and (not block[0] or _OPTION.fullmatch(block[0])):
        block = block[1:]
    least = min((_indent(line) for line in block if line), default=0)
    return [line[least:] for line in block]


def _code(block: list[str], language: str) -> list[str]:
    return ["", f"```{language}", *lines, "```", ""] if (lines := _content(block)) else []


def _inline(text: str) -> str:
    """The words of roles and links; literals as code in Markdown."""
    text = _LINK.sub(r"[\g<said>](\g<target>)", _ROLE.sub(_said, text))
    return _LITERAL.sub(r"`\1`", _NAMED.sub(r"\1", text))


def _said(found: re.Match[str]) -> str:
    if found["target"] and found["said"].strip():
        return found["said"].strip()
    said = found["said"] or found["target"] or ""
    return f"`{said}`" if re.fullmatch(r"[\w.:()~/-]+", said) else said
