"""What a run of a service may name. The same with a server, a worker and a browser: tests/integration."""

from pathlib import Path
from typing import Any

import pytest

from flows import ROOT
from flows.parameters.models import (
    BenchmarkParameters,
    IndexParameters,
    MultiChunkParameters,
    RefreshParameters,
    SingleChunkParameters,
)
from flows.parameters.permissions import Permissions, check_permitted
from ragset.errors import InputError
from ragset.settings import Environment, Names, Settings


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that runs may use, where they start, with RAGSET_HOME in it."""
    folder = tmp_path / "place"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("ROOTS", "SYSTEMS", "MODELS", "REPORTS"):
        monkeypatch.delenv(f"RAGSET_{name}", raising=False)
    monkeypatch.setenv("RAGSET_ROOTS", str(folder))
    monkeypatch.setenv("RAGSET_HOME", str(folder / "home"))
    return folder


def check(parameters: Settings, *, service: bool = True) -> None:
    check_permitted(parameters, Permissions.of(Environment(), service=service))


def index(*sources: str, **documents: Any) -> IndexParameters:
    return IndexParameters.model_validate({"documents": {"sources": sources, **documents}})


def asking(**system: Any) -> BenchmarkParameters:
    systems = [{"name": "other", **system}]
    return BenchmarkParameters.model_validate({"datasets": ["set"], "grid": None, "systems": systems})


@pytest.mark.parametrize("source", ["/etc", "../secrets", "docs/../../secrets", "link-out/a.md"])
def test_a_folder_outside_is_refused_by_where_it_leads(place: Path, source: str) -> None:
    (place / "link-out").symlink_to(place.parent)
    with pytest.raises(InputError, match=r"^documents\.sources: .* is in no folder that runs may use .*RAGSET_ROOTS"):
        check(index("docs", source))


@pytest.mark.parametrize("source", ["docs", "docs/a.md", "./", "https://example.org/page"])
def test_a_folder_inside_and_a_public_page_are_read(source: str) -> None:
    if source == "./":
        with pytest.raises(InputError, match="RAGSET_HOME"):  # which is in it, and not hidden
            check(index(source))
    else:
        check(index(source))


@pytest.mark.parametrize("source", ["home/service/secret", "home", ".env", "docs/.git/config"])
def test_neither_what_is_hidden_nor_ragsets_own_folder_is_named(source: str) -> None:
    with pytest.raises(InputError, match=r"documents\.sources: .*(RAGSET_HOME|is hidden)"):
        check(index(source))


def test_every_parameter_that_names_a_file_or_folder_is_looked_at() -> None:
    out = "/elsewhere"
    making = {"documents": {"sources": ["a"]}, "writing": {"samples": out}, "checks": {"earlier": [out]}, "out": out}
    for model in (SingleChunkParameters, MultiChunkParameters):
        with pytest.raises(InputError) as refused:
            check(model.model_validate(making))
        fields = [line.partition(":")[0] for line in str(refused.value).splitlines()]
        assert sorted(fields) == ["checks.earlier", "out", "writing.samples"]
    with pytest.raises(InputError, match=r"(?s)^dataset: .*\nout: "):
        check(RefreshParameters.model_validate({"documents": {"sources": ["a"]}, "dataset": out, "out": out}))
    bench = {
        "datasets": [out],
        "documents": {"sources": [out]},
        "systems": [{"name": "x", "runs": out, "chunks": out}],
        "out": out,
    }
    with pytest.raises(InputError) as refused:
        check(BenchmarkParameters.model_validate(bench))
    assert [line.partition(":")[0] for line in str(refused.value).splitlines()] == [
        "datasets", "out", "documents.sources", "systems.runs", "systems.chunks",
    ]  # fmt: skip


def test_functions_and_addresses_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for system in ({"python": "os:system"}, {"http": "http://169.254.169.254/latest"}):
        with pytest.raises(InputError, match=r"systems\.(python|http): .*RAGSET_SYSTEMS"):
            check(asking(**system))
    monkeypatch.setenv("RAGSET_SYSTEMS", "my_module, other.pkg:answer, http://localhost:9000/rag")
    for system in (
        {"python": "my_module:answer"},
        {"python": "other.pkg:answer"},
        {"http": "http://localhost:9000/rag"},
        {"http": "http://localhost:9000/rag/query"},
    ):
        check(asking(**system))
    for system in (
        {"python": "os:system"},
        {"python": "my_module.sub:answer"},
        {"python": "other.pkg:delete"},
        {"python": "my_modules:answer"},
        {"http": "http://localhost:9001/rag"},
        {"http": "http://localhost:9000/ragged"},
        {"http": "http://localhost:9000/rag/../admin"},
        {"http": "http://localhost:9000/rag/%2e%2e/admin"},
        {"http": "http://localhost:9000.evil.example/rag"},
    ):
        with pytest.raises(InputError, match="RAGSET_SYSTEMS"):
            check(asking(**system))


def test_models_that_are_loaded_into_the_process_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = {
        "embedding": ["local:docs/model", "offline", "endpoint-model"],
        "reranker": ["none", "cross-encoder:some/name"],
    }
    parameters = BenchmarkParameters.model_validate({"datasets": ["set"], "grid": grid})
    with pytest.raises(InputError, match=r"(?s)^grid\.reranker: some/name .*\ngrid\.embedding\.model: docs/model"):
        check(parameters)
    monkeypatch.setenv("RAGSET_MODELS", "docs/model,some/name")
    check(parameters)


def test_learned_rerankers_are_read_from_folders_that_are_allowed(place: Path) -> None:
    def reranked(folder: str) -> BenchmarkParameters:
        return BenchmarkParameters.model_validate({"datasets": ["docs"], "grid": {"reranker": [f"learned:{folder}"]}})

    check(reranked("docs/reranker"))
    with pytest.raises(InputError, match=r"^grid\.reranker: /etc/reranker is in no folder that runs may use"):
        check(reranked("/etc/reranker"))


def test_chunks_are_read_from_folders_and_stores_that_are_allowed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def chunked(existing: Any) -> IndexParameters:
        values = {"documents": {"sources": ["docs"]}, "chunking": {"existing": existing}}
        return IndexParameters.model_validate(values)

    check(chunked("docs/chunks.jsonl"))
    check(chunked({"milvus": "docs/rag.db", "collection": "c"}))
    for outside in ("/etc/chunks.jsonl", {"milvus": "/data/rag.db", "collection": "c"}):
        with pytest.raises(InputError, match=r"^chunking\.existing\.\w+: .* is in no folder that runs may use"):
            check(chunked(outside))
    server = chunked({"milvus": "http://milvus.internal:19530", "collection": "c"})
    with pytest.raises(InputError, match=r"^chunking\.existing\.milvus: runs may not ask .*RAGSET_SYSTEMS"):
        check(server)
    monkeypatch.setenv("RAGSET_SYSTEMS", "http://milvus.internal:19530")
    check(server)


def test_pages_of_private_hosts_are_read_where_their_address_is_allowed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = "http://wiki.internal/space/page"
    with pytest.raises(InputError, match=r"^documents\.allow_private_hosts: http://wiki"):
        check(index(wiki, allow_private_hosts=True))
    monkeypatch.setenv("RAGSET_ROOTS", f"{place},http://wiki.internal/space")
    check(index(wiki, "docs", allow_private_hosts=True))
    with pytest.raises(InputError, match="http://other"):
        check(index(wiki, "http://other.internal/", allow_private_hosts=True))


def test_where_nothing_is_set_a_service_has_the_project_and_its_reports_and_a_command_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAGSET_ROOTS")
    monkeypatch.setenv("RAGSET_REPORTS", str(tmp_path / "reports"))
    check(index(str(ROOT / "examples" / "corpus"), str(tmp_path / "reports" / "set")))
    with pytest.raises(InputError, match="RAGSET_ROOTS"):
        check(index("docs"))
    check(index("/etc", "docs", allow_private_hosts=True), service=False)
    check(asking(python="os:system"), service=False)


def test_a_command_is_limited_where_the_operator_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_SYSTEMS", "my_module")
    with pytest.raises(InputError, match="RAGSET_SYSTEMS"):
        check(asking(python="os:system"), service=False)
    with pytest.raises(InputError, match="RAGSET_ROOTS"):
        check(index("/etc"), service=False)


PLAIN = {
    "audience", "baseline", "closed_book_reader", "collection", "corpus", "document", "end", "extension", "field", "id", "label", "language",
    "model", "name", "primary", "splits", "start", "text", "text_field", "to", "vector", "voice",
}  # fmt: skip
"""Parameters of text that name nothing outside the run; a `model` or `reader` is one at the endpoint. Think before you add one."""


def test_every_parameter_of_text_says_whether_it_names_something_outside_the_run() -> None:
    texts = {
        name
        for kind in _kinds(Settings)
        if kind.__module__.startswith(("ragset.", "flows."))
        for name, field in kind.model_fields.items()
        if str(field.annotation) in {str(str), str(tuple[str, ...])}
        and not any(isinstance(one, Names) for one in field.metadata)
    }
    assert texts == PLAIN


def _kinds(model: type[Settings]) -> set[type[Settings]]:
    return {model}.union(*(_kinds(kind) for kind in model.__subclasses__()))


def test_classes_of_llamaindex_are_those_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    def chunking(strategy: str) -> IndexParameters:
        return IndexParameters.model_validate({"documents": {"sources": ["docs"]}, "chunking": {"strategy": strategy}})

    check(chunking("recursive"))
    check(chunking("llamaindex:os:system"), service=False)
    with pytest.raises(InputError, match=r"^chunking\.strategy: runs may not ask 'SentenceSplitter'.*RAGSET_SYSTEMS"):
        check(chunking("llamaindex:SentenceSplitter"))
    monkeypatch.setenv("RAGSET_SYSTEMS", "SentenceSplitter,my_module")
    check(chunking("llamaindex:SentenceSplitter"))
    check(chunking("llamaindex:my_module:Parser"))
    with pytest.raises(InputError, match="os:system"):
        check(chunking("llamaindex:os:system"))
    documents = {"sources": ["docs"]}
    embedding = IndexParameters.model_validate({"documents": documents, "embedding": {"model": "llamaindex:os:system"}})
    with pytest.raises(InputError, match=r"^embedding\.model: .*'os:system'.*RAGSET_SYSTEMS"):
        check(embedding)
    reader = {"extension": ".epub", "llamaindex": "EpubReader"}
    with pytest.raises(InputError, match=r"^documents\.readers\.llamaindex: .*'EpubReader'.*RAGSET_SYSTEMS"):
        check(index("docs", readers=[reader]))


def test_an_address_is_used_only_if_the_operator_names_one_above_it(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_to = SingleChunkParameters.model_validate(
        {"documents": {"sources": ["s3://company/docs"]}, "out": "s3://company/sets/a"}
    )
    with pytest.raises(
        InputError, match=r"(?s)^out: s3://company/sets/a is no address.*RAGSET_ROOTS\n.*sources: s3://company/docs"
    ):
        check(set_to)
    monkeypatch.setenv("RAGSET_ROOTS", f"{place},s3://company/")
    check(set_to)
    monkeypatch.setenv("RAGSET_STORAGE", "s3://company/ragset")
    check(set_to)
    for inside in ("s3://company/ragset/results", "s3://company/ragset", "s3://company"):
        with pytest.raises(InputError, match="holds RAGSET_STORAGE, or is in it"):
            check(index(inside))
    for outside in ("s3://company/../other", "s3://company2/docs", "memory://company/docs", "file:///etc"):
        with pytest.raises(InputError, match="is no address that runs may use"):
            check(index(outside))
    # the path of a copy is as good as its address, and no way around it
    copy = place / "home" / "copies" / "s3" / "company%2Fsets" / "a"
    check(RefreshParameters.model_validate({"documents": {"sources": ["docs"]}, "dataset": str(copy)}))
    with pytest.raises(InputError, match="is no address that runs may use"):
        check(index(str(place / "home" / "copies" / "s3" / "other" / "docs")))


def test_an_address_with_a_key_is_refused_where_it_is_given() -> None:
    with pytest.raises(ValueError, match="leave them out of the address"):
        SingleChunkParameters.model_validate({"documents": {"sources": ["docs"]}, "out": "s3://key:secret@bucket/a"})
