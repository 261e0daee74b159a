"""What a prompt's template may say: the part of Jinja that prompts need, whose work is bounded by the inputs' length."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import jinja2
import jinja2.meta
import jinja2.sandbox
from jinja2 import nodes

from ragset.errors import PromptError

_NEEDED = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.For),
    *(nodes.Name, nodes.Const, nodes.Tuple, nodes.List, nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test),
    *(nodes.CondExpr, nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.Add, nodes.Sub, nodes.Concat),
)
"""Without assignments, macros, calls, multiplication and powers, by which a line of text can ask for gigabytes."""
_FILTERS = {
    *("capitalize", "count", "d", "default", "first", "join", "last", "length", "lower", "reverse", "sort", "title"),
    *("trim", "unique", "upper"),
}


def _joined(value: Any) -> Any:
    return "\n".join(str(item) for item in value) if isinstance(value, list | tuple) else value


_JINJA = jinja2.sandbox.ImmutableSandboxedEnvironment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_joined
)


def variables_of(source: str, inputs: Collection[str]) -> set[str]:
    """The variables that a template uses.

    Raises:
        jinja2.TemplateError: it is no template, or says more than a prompt needs; the message names line and mend.
    """
    parsed = _JINJA.parse(source)
    # First, since Jinja works out constants, also endless ones, as soon as it looks for variables.
    _check(parsed, inputs, in_loop=False)
    return jinja2.meta.find_undeclared_variables(parsed)


def render_template(source: str, values: Mapping[str, Any]) -> str:
    """The text of a template that was checked; lists are printed an item a line.

    Raises:
        PromptError: a variable has no value.
    """
    try:
        return _template(source).render(values)
    except jinja2.UndefinedError as error:
        raise PromptError(str(error)) from None


@lru_cache(maxsize=256)
def _template(source: str) -> jinja2.Template:
    return _JINJA.from_string(source)


def _check(node: nodes.Node, inputs: Collection[str], *, in_loop: bool) -> None:
    problem = _problem(node, inputs, in_loop=in_loop)
    if problem:
        raise jinja2.TemplateSyntaxError(f"line {node.lineno}: {problem}", node.lineno)
    for child in node.iter_child_nodes():
        _check(child, inputs, in_loop=in_loop or isinstance(node, nodes.For))


def _problem(node: nodes.Node, inputs: Collection[str], *, in_loop: bool) -> str:
    if not isinstance(node, _NEEDED):
        kind = type(node).__name__
        return f"a prompt has no {kind}; it prints inputs, walks through one with {{% for %}} and asks with {{% if %}}"
    if isinstance(node, nodes.For):
        if in_loop:
            return "a loop inside a loop; walk through one input at a time"
        if node.recursive or not (isinstance(node.iter, nodes.Name) and node.iter.name in inputs):
            return "a loop walks through one of the inputs, such as {% for chunk in chunks %}"
    if isinstance(node, nodes.Filter):
        if node.name not in _FILTERS:
            return f"a prompt has no filter {node.name}; there are {', '.join(sorted(_FILTERS))}"
        if node.name == "join" and not isinstance(node.node, nodes.Name):
            return "join stands right behind the name of an input"
    return ""
