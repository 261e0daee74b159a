"""The text of a large web page in one walk over its elements, in time that grows with its length alone.

What stands round the article is told by the names of elements, roles and classes, and lists by the share of links in them.
"""

import re
from collections.abc import Iterator
from typing import Any

_NO_TEXT = {
    *("head", "script", "style", "noscript", "template", "svg", "math", "canvas", "iframe", "object", "audio", "video"),
    *("button", "input", "select", "option", "textarea", "datalist", "dialog"),
}
_ROUND_IT = {"nav", "footer", "aside", "menu"}
_ROLES = {"navigation", "contentinfo", "complementary", "banner", "search", "menu", "menubar", "dialog"}
_CLASSES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navbox|navigation|menu|sidebar|footer|breadcrumbs?|cookies?|share|sharing|social|adverts?|ads?"
    r"|promo|newsletter|comments?|related|pagination|pager|toolbar|toc|skip|editsection)(?:$|[\s_-])",
    re.IGNORECASE,
)
_MOST = 1 / 3
"""Share of the page's text above which a part is its content, whatever its class says: `<div class="with-sidebar">`."""
_LINKS = 0.8
"""Share of links in the text of a list or table above which it is navigation."""
_FEW = 4
"""Links, up to which a list is not asked about."""
_LISTS = {"ul", "ol"}
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_APART = {
    *(
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "figure",
        "figcaption",
        "address",
        "details",
        "summary",
        "form",
    ),
    *("fieldset", "dl", "table", "blockquote", "body", "center", "hr", "pre", *_LISTS, *_HEADINGS),
}
"""After which comes an empty line."""
_BLOCKS = {*_APART, "br", "li", "dt", "dd", "tr"}
"""Before and after which a line ends."""
_MARKS = {"code": ("`", "`"), "td": ("| ", " "), "th": ("| ", " ")}
_SPACE = re.compile(r"\s+")


def render(page: Any) -> str:
    """The content of a parsed page as Markdown: headings, paragraphs, lists, tables and code. The page is changed."""
    body = page.find(".//body")
    root = page if body is None else body
    whole = len(root.text_content())
    _drop(root, whole)
    main = [part for part in root.iter("main", "article") if len(part.text_content()) > whole / 2]
    blocks = "\n".join(_blocks(main[-1] if main else root)).split("\n\n")
    return "\n\n".join(block.strip("\n") for block in blocks if block.strip())


def _drop(root: Any, whole: int) -> None:
    """Take out what is no text and what stands round the article."""
    from lxml.etree import Comment, ProcessingInstruction, strip_elements

    strip_elements(root, Comment, ProcessingInstruction, *_NO_TEXT, with_tail=False)
    for code in root.iter("pre"):
        text = code.text_content()
        del code[:]
        code.text = text
    dropped: set[Any] = set()
    for part in root.iter():
        if part is root:
            continue
        if part.getparent() in dropped or (_is_furniture(part) and len(part.text_content()) <= whole * _MOST):
            dropped.add(part)
    for part in dropped:
        # The outermost of each; what is in them goes with them.
        if part.getparent() not in dropped:
            part.drop_tree()


def _is_furniture(part: Any) -> bool:
    tag = part.tag
    if tag in _ROUND_IT or part.get("role", "").lower() in _ROLES or part.get("aria-hidden") == "true":
        return True
    if part.get("hidden") is not None or "display:none" in part.get("style", "").replace(" ", "").lower():
        return True
    if tag in {"div", "section", "ul", "ol", "table", "p", "span", "header", "form"} and _CLASSES.search(
        f"{part.get('class', '')} {part.get('id', '')}"
    ):
        return True
    if tag == "header":
        return part.getparent().tag == "body"
    if tag in {"ul", "ol", "table"}:
        links = part.findall(".//a")
        if len(links) > _FEW:
            return sum(len(link.text_content()) for link in links) > _LINKS * len(part.text_content())
    return False


def _blocks(root: Any) -> Iterator[str]:
    """Lines of Markdown; an empty line between blocks."""
    from lxml.etree import iterwalk

    line: list[str] = []
    depth = 0
    """Of lists."""
    for event, part in iterwalk(root, events=("start", "end")):
        tag = part.tag
        if tag in _BLOCKS and (text := "".join(line).strip(" ")) not in {"", "-"}:
            yield f"{text} |" if tag == "tr" and event == "end" else text
            line.clear()
        if event == "start":
            depth += tag in _LISTS
            if tag == "pre":
                yield from ("", "```", (part.text or "").strip("\n"), "```", "")
                continue
            if tag in _HEADINGS:
                yield ""
                line.append(f"{_HEADINGS[tag]} ")
            elif tag == "li":
                line.append("  " * (depth - 1) + "- ")
            elif tag in _MARKS:
                line.append(_MARKS[tag][0])
            line.append(_SPACE.sub(" ", part.text or ""))
        else:
            depth -= tag in _LISTS
            if tag in _MARKS:
                line.append(_MARKS[tag][1])
            elif tag in _APART and depth == 0:
                yield ""
            line.append(_SPACE.sub(" ", part.tail or ""))
    yield "".join(line).strip(" ")
