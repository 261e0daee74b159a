from pathlib import Path
from typing import Any

import pytest

from flows.checks import check_refresh
from flows.earlier import find_earlier
from flows.parameters import MultiChunkParameters, RefreshParameters, SingleChunkParameters
from ragset.corpus import Corpus
from ragset.dataset import write_dataset
from ragset.errors import InputError
from ragset.models import Document
from tests.small_dataset import TEA, corpus_of, golden_of, manifest_of

GIVEN: dict[str, Any] = {"sources": ["docs"], "corpus": "teas", "drop_references": True}


def write(folder: Path, parameters: dict[str, Any] | None = None, **changes: Any) -> Path:
    corpus: Corpus = corpus_of(folder.parent, TEA, Document.of("Black tea.", source="black.md"))
    values = {"documents": GIVEN, "chunking": {"size": 96}, "seed": 3, **(parameters or {})}
    manifest = manifest_of(corpus).model_copy(update={"parameters": values, **changes})
    write_dataset(folder, goldens=[golden_of()], rejects=[], corpus=corpus, manifest=manifest, report="")
    return folder


def asked(folder: Path, **more: Any) -> RefreshParameters:
    return RefreshParameters.model_validate(
        {"documents": {"sources": [str(folder.parent)]}, "dataset": str(folder), **more}
    )


def test_where_nothing_is_given_all_is_as_it_was_made(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo", {"generator": {"model": "m"}, "budget": {"max_calls": 9}})
    earlier = find_earlier(asked(folder))
    parameters = earlier.parameters
    assert isinstance(parameters, SingleChunkParameters)
    assert (parameters.generator.model, parameters.critic, parameters.budget.max_calls) == ("m", None, 9)
    assert (parameters.chunking.size, parameters.seed, parameters.n, earlier.wanted) == (96, 3, 2, 2)
    assert parameters.out == str(tmp_path / "demo-v2")
    assert parameters.documents.sources == (str(tmp_path),)
    # cleaned and indexed as they were
    assert (parameters.documents.drop_references, parameters.documents.corpus) == (True, "teas")


def test_what_is_given_goes_first(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo", {"generator": {"model": "m"}})
    given = {"generator": {"model": "x"}, "critic": {"model": "y"}, "budget": {"max_cost": 1.0}, "out": "elsewhere"}
    parameters = find_earlier(asked(folder, **given)).parameters
    assert parameters.critic is not None
    assert (parameters.generator.model, parameters.critic.model, parameters.out) == ("x", "y", "elsewhere")
    assert parameters.budget.max_cost == 1.0


def test_a_set_of_all_goldens_is_filled_up_to_as_many_as_it_had(tmp_path: Path) -> None:
    assert find_earlier(asked(write(tmp_path / "demo", wanted="all"))).wanted == 1


def test_a_set_over_several_chunks_goes_on_with_its_contexts(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo", {"contexts": {"min_similarity": 0.25}}, kind="multi-chunk")
    parameters = find_earlier(asked(folder)).parameters
    assert isinstance(parameters, MultiChunkParameters)
    assert parameters.contexts.min_similarity == 0.25


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"parameters": {"magic": 1}}, r"manifest\.json: parameters\.magic: .* make the dataset again"),
        ({"kind": "foreign"}, "only single-chunk and multi-chunk can be refreshed"),
        ({"kept": 0}, "holds no golden to refresh"),
        ({"format": 7}, "has format 7, and this ragset reads 1; update ragset"),
    ],
)
def test_what_cannot_be_gone_on_from_is_an_error_that_says_why(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    folder = (
        write(tmp_path / "demo", **changes) if "parameters" not in changes else write(tmp_path / "demo", {"magic": 1})
    )
    with pytest.raises(InputError, match=said):
        find_earlier(asked(folder))


def test_the_version_gone_on_from_is_not_written_over(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo")
    with pytest.raises(InputError, match="is the version to go on from"):
        find_earlier(asked(folder, out=str(folder)))


def test_a_damaged_dataset_is_found_before_anything_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo")
    check_refresh(asked(folder))
    (folder / "goldens.jsonl").write_text("{\n")
    with pytest.raises(InputError, match=r"goldens\.jsonl: line 1 is not a golden"):
        check_refresh(asked(folder))


def test_samples_are_found_beside_the_dataset_or_asked_for(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo", {"writing": {"samples": "queries.txt"}})
    with pytest.raises(InputError, match=r"demo: was made in the style of the queries in queries\.txt; put that file"):
        find_earlier(asked(folder))
    (tmp_path / "queries.txt").write_text("reset password\n")
    assert find_earlier(asked(folder)).parameters.writing.samples == str(tmp_path / "queries.txt")
