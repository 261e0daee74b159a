"""The part of Jinja that prompts need; its work is bounded by the length of the inputs."""

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
_FILTERS = (
    *("capitalize", "count", "d", "default", "first", "join", "last", "length", "lower", "reverse", "sort", "title"),
    *("trim", "unique", "upper"),
)


def _joined(value: Any) -> Any:
    return "\n".join(str(item) for item in value) if isinstance(value, list | tuple) else value


_JINJA = jinja2.sandbox.ImmutableSandboxedEnvironment(
    undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_joined
)
_JINJA.filters = {name: _JINJA.filters[name] for name in _FILTERS}


def variables_of(source: str, inputs: Collection[str]) -> set[str]:
    """The variables that a template uses.

    Raises:
        jinja2.TemplateError: it is no template, or uses more than a prompt needs; the message names line and mend.
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
    problem = ""
    if not isinstance(node, _NEEDED):
        problem = f"a prompt has no {type(node).__name__}; it prints inputs, loops over one with {{% for %}}, asks with {{% if %}}"
    elif isinstance(node, nodes.For):
        if in_loop:
            problem = "a loop inside a loop; loop over one input at a time"
        elif node.recursive or not (isinstance(node.iter, nodes.Name) and node.iter.name in inputs):
            problem = "a loop goes over one of the inputs, such as {% for chunk in chunks %}"
        in_loop = True
    if problem:
        raise jinja2.TemplateSyntaxError(f"line {node.lineno}: {problem}", node.lineno)
    for child in node.iter_child_nodes():
        _check(child, inputs, in_loop=in_loop)
