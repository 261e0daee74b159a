"""Retrievers, query engines and pipelines of LlamaIndex, LangChain and Haystack as systems under test.

They are known by their methods alone, so that none of these libraries is needed here.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ragset.errors import InputError

Ask = Callable[[str], Any]
"""A query to a reply as `read_reply` takes it."""

_DOCUMENT = ("file_path", "source", "file_name", "filename")
"""Keys of metadata under which readers of files write the name of the document, the most exact first."""
_QUERY: tuple[str, ...] = ("query", "question", "text", "input")
"""Names of inputs that are a query."""
_EMPTY = "Empty Response"
"""What LlamaIndex answers where it found nothing."""


def framework_of(system: Any) -> str:
    """The key of FRAMEWORKS that an object's class belongs to; empty: none."""
    modules = [cls.__module__.replace("_", "") for cls in type(system).__mro__]
    return next((way for way in FRAMEWORKS if any(module.startswith(way) for module in modules)), "")


def passage_of(found: Any) -> dict[str, Any] | None:
    """A node of LlamaIndex, or a document of LangChain or Haystack, as a passage of a reply; None of anything else."""
    if hasattr(found, "node"):
        return _passage(found.node.get_content(), found.node.metadata, found.node.node_id, found.score)
    if hasattr(found, "page_content"):
        return _passage(found.page_content, found.metadata, getattr(found, "id", None), getattr(found, "score", None))
    if hasattr(found, "content") and hasattr(found, "meta"):
        return _passage(found.content, found.meta, found.id, found.score)
    return None


def asked_as(way: str, system: Any) -> Ask:
    """How to ask the system, which `way` (a key of FRAMEWORKS) says the framework of; raises InputError if it is none of it."""
    # A function that makes it, so that importing the module need not; or its class.
    makes = callable(system) and not any(hasattr(system, name) for name in _METHODS[way])
    made = system() if makes or isinstance(system, type) else system
    ask = FRAMEWORKS[way](made)
    if ask is None:
        raise InputError(f"{type(made).__name__} has no method {' or '.join(_METHODS[way])}; {_MEND[way]}")
    return ask


def _llamaindex(system: Any) -> Ask | None:
    if hasattr(system, "query"):

        def query(text: str) -> Any:
            reply = system.query(text)
            reply = reply.get_response() if hasattr(reply, "get_response") else reply  # it was streamed
            nodes = getattr(reply, "source_nodes", ())
            answer = None if not nodes and reply.response == _EMPTY else reply.response
            return {"answer": answer, "passages": _nodes(nodes)}

        return query
    if hasattr(system, "retrieve"):
        return lambda text: {"passages": _nodes(system.retrieve(text))}
    return None


def _nodes(found: Iterable[Any]) -> list[dict[str, Any]]:
    return [passage for one in found if (passage := passage_of(one))]


def _langchain(system: Any) -> Ask | None:
    if not hasattr(system, "invoke"):
        return None
    key = _input_key(system)
    return lambda text: _langchain_reply(system.invoke({key: text} if key else text))


def _input_key(system: Any) -> str:
    """The name under which a chain takes the query; empty: it takes the query alone, as a retriever does."""
    schema: Mapping[str, Any] = system.get_input_jsonschema() if hasattr(system, "get_input_jsonschema") else {}
    names: list[str] = list(schema.get("required") or schema.get("properties") or ())
    if schema.get("type") != "object" or not names:
        return ""
    found = next((name for name in _QUERY if name in names), names[0])
    if others := [name for name in schema.get("required", ()) if name != found]:
        raise InputError(f"{type(system).__name__} also wants {', '.join(others)}; {_MEND['langchain']}")
    return found


def _langchain_reply(found: Any) -> dict[str, Any]:
    if isinstance(found, Mapping):
        documents = next((found[key] for key in ("context", "source_documents", "documents") if key in found), ())
        answer = next((found[key] for key in ("answer", "result", "output", "output_text") if key in found), None)
    else:
        documents, answer = (found, None) if isinstance(found, list | tuple) else ((), found)
    passages = [passage for one in _listed(documents) if (passage := passage_of(one))]
    return {"answer": getattr(answer, "content", answer), "passages": passages}  # of a message its content


def _haystack(system: Any) -> Ask | None:
    if not hasattr(system, "run"):
        return None
    if not hasattr(system, "inputs"):  # a component, such as a retriever
        return lambda text: _haystack_reply([system.run(query=text)])
    wanted = _query_inputs(system.inputs())
    order = _in_order(system.graph)

    def run(text: str) -> Any:
        given = {name: dict.fromkeys(inputs, text) for name, inputs in wanted.items()}
        found = system.run(given, include_outputs_from=set(order))
        return _haystack_reply([found[name] for name in order if name in found])

    return run


def _query_inputs(inputs: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, list[str]]:
    """Of each component the open inputs that take the query: those named like one, and all others that want a text."""
    wanted: dict[str, list[str]] = {}
    for component, sockets in inputs.items():
        for name, socket in sockets.items():
            if name in _QUERY or (socket["is_mandatory"] and socket["type"] in {str, Any}):
                wanted.setdefault(component, []).append(name)
            elif socket["is_mandatory"]:
                raise InputError(f"the pipeline also wants {component}.{name}; {_MEND['haystack']}")
    if not wanted:
        raise InputError(f"the pipeline has no open input for a query; {_MEND['haystack']}")
    return wanted


def _in_order(graph: Any) -> list[str]:
    """The components such that each comes after those that it takes something from."""
    import networkx

    try:
        return list(networkx.topological_sort(graph))
    except networkx.NetworkXUnfeasible:  # it has a loop
        return list(graph.nodes)


def _haystack_reply(outputs: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The documents and the answer of the last component that gives some."""
    documents: Any = ()
    answer: Any = None
    for output in outputs:
        documents = output.get("documents", documents)
        for said in (*_listed(output.get("replies"))[:1], *_listed(output.get("answers"))[:1]):
            answer = next((value for key in ("data", "text") if (value := getattr(said, key, None))), said)
            documents = getattr(said, "documents", None) or documents
    return {"answer": answer, "passages": [passage for one in _listed(documents) if (passage := passage_of(one))]}


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _passage(text: Any, metadata: Any, id_: Any, score: Any = None) -> dict[str, Any]:
    known = metadata if isinstance(metadata, Mapping) else {}
    document = next((known[key] for key in _DOCUMENT if isinstance(known.get(key), str)), "")
    # Of a picture there is no text; the passage keeps its rank.
    passage = {"text": text, "document": document, "id": str(id_ or "")} if text else {"id": str(id_ or "no text")}
    return passage if score is None else {**passage, "score": float(score)}


FRAMEWORKS: dict[str, Callable[[Any], Ask | None]] = {
    "llamaindex": _llamaindex,
    "langchain": _langchain,
    "haystack": _haystack,
}
_METHODS = {"llamaindex": ("query", "retrieve"), "langchain": ("invoke",), "haystack": ("run",)}
_FUNCTION = "or name a function of your own with python:"
_MEND = {
    "llamaindex": f"name a query engine or a retriever, such as index.as_retriever(), {_FUNCTION}",
    "langchain": f"name a retriever, or a chain that takes the query alone, {_FUNCTION}",
    "haystack": f"name a pipeline that takes the query alone, or a retriever that does, {_FUNCTION}",
}
