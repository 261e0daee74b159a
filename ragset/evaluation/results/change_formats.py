"""Changes between two benchmarks as the body of a pull request comment, or as a JUnit file."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ragset.evaluation.results.comparing import Change, Compared
from ragset.evaluation.results.sentences import many

MARKER = "<!-- ragset compare -->"
"""The first line of a comment, by which a later run finds it."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_markdown(found: Compared) -> str:
    """A heading with the outcome, a table with a row for each configuration and metric, and what could not be compared."""
    lines = [MARKER, f"### ragset: {_outcome(found)}", ""]
    lines += ["| configuration | metric | before | after | change | interval | p (Holm) | goldens | |"]
    lines += ["|---|---|--:|--:|--:|--:|--:|--:|---|"]
    lines += (_row(change) for change in found.changes)
    lines += ["", *(f"{one}  " for one in _remarks(found))]
    return "\n".join(lines).rstrip() + "\n"


def to_junit(found: Compared) -> str:
    """A test case for each configuration and metric; it fails where the metric fell, and where the configuration is gone."""
    suite = Element("testsuite", name="ragset compare")
    failures = 0
    for change in found.changes:
        case = SubElement(suite, "testcase", classname=_xml(change.configuration), name=_xml(change.metric))
        properties = SubElement(case, "properties")
        for name in ("before", "after", "difference", "low", "high", "p_holm", "goldens"):
            if (value := getattr(change, name)) is not None:
                SubElement(properties, "property", name=name, value=f"{value:.6g}")
        if change.fell:
            failures += 1
            SubElement(case, "failure", message=_xml(_fall(change)))
    for name in found.only_before:
        failures += 1
        case = SubElement(suite, "testcase", classname=_xml(name), name="is measured")
        SubElement(case, "failure", message="only in the results before, so it could not be compared")
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(failures))
    indent(suite)
    return tostring(suite, encoding="unicode") + "\n"


def _outcome(found: Compared) -> str:
    if found.only_before:
        return f"{many(len(found.only_before), 'configuration')} could not be compared"
    if found.fell:
        return f"{many(len(found.fell), 'metric')} fell by more than noise"
    rose = sum(change.rose for change in found.changes)
    return "nothing fell by more than noise" + (f", {many(rose, 'metric')} rose" if rose else "")


def _row(change: Change) -> str:
    interval = "" if change.low is None or change.high is None else f"{change.low:+.3f}…{change.high:+.3f}"
    told = "**fell**" if change.fell else "rose" if change.rose else ""
    cells = (
        _code(change.configuration),
        _code(change.metric),
        f"{change.before:.3f}",
        f"{change.after:.3f}",
        f"{change.difference:+.3f}",
        interval,
        f"{change.p_holm:.3f}",
        str(change.goldens),
        told,
    )
    return f"| {' | '.join(cells)} |"


def _remarks(found: Compared) -> Iterator[str]:
    if found.ground.differs:
        yield f"Not measured on the same: {found.ground.told}. Only the same goldens are compared."
    for change in found.changes:
        if change.bounds:
            yield (
                f"{_code(change.configuration)}: some scores in {_code(change.metric)} are not known; by what they could be, "
                f"the change is between {change.bounds.worst:+.3f} and {change.bounds.best:+.3f}."
            )
    for what, names in (("before", found.only_before), ("after", found.only_after)):
        if names:
            yield f"Only in the results {what}, not compared: {', '.join(map(_code, names))}."


def _fall(change: Change) -> str:
    between = "" if change.low is None or change.high is None else f" ({change.low:+.3f} to {change.high:+.3f})"
    size = f"{change.difference:+.3f}{between}, p {change.p_holm:.3f} over {many(change.goldens, 'golden')}"
    return f"{change.metric} fell from {change.before:.3f} to {change.after:.3f}: {size}"


def _code(text: str) -> str:
    """As code, in which @ names nobody and nothing is markup, and which a cell of a table can hold."""
    return "`" + " ".join(text.replace("`", "'").replace("|", "\\|").split()) + "`"


def _xml(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
