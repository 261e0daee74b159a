from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from flows.parameters.models import MultiChunkParameters, RefreshParameters, SingleChunkParameters
from flows.steps.checks import check, check_making
from flows.steps.earlier import claimed_version, find_earlier
from ragset.dataset import write_dataset
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.generation.checks import HardnessMix
from ragset.generation.query_samples import Samples
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


@pytest.mark.parametrize(
    ("sampling", "drawn"), [({}, "chunks"), ({"min_chars": 10}, "chunks"), ({"from": "passages"}, "passages")]
)
def test_queries_are_drawn_from_what_they_were_and_of_old_from_chunks(
    tmp_path: Path, sampling: dict[str, Any], drawn: str
) -> None:
    parameters = find_earlier(asked(write(tmp_path / "demo", {"sampling": sampling}))).parameters
    assert isinstance(parameters, SingleChunkParameters)
    assert parameters.sampling.from_ == drawn
    assert parameters.sampling.min_chars == sampling.get("min_chars", 200)


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
    folder = write(tmp_path / "demo", {"contexts": {"max_chunks": 3}}, kind="multi-chunk")
    parameters = find_earlier(asked(folder)).parameters
    assert isinstance(parameters, MultiChunkParameters)
    assert parameters.contexts.max_chunks == 3


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
    check(asked(folder))
    (folder / "goldens.jsonl").write_text("{\n")
    with pytest.raises(InputError, match=r"goldens\.jsonl: line 1 is not a golden"):
        check(asked(folder))


def test_samples_are_found_beside_the_dataset_or_asked_for(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo", {"writing": {"samples": "queries.txt"}})
    with pytest.raises(InputError, match=r"demo: was made in the style of the queries in queries\.txt; put that file"):
        find_earlier(asked(folder))
    (tmp_path / "queries.txt").write_text("reset password\n")
    assert find_earlier(asked(folder)).parameters.writing.samples == str(tmp_path / "queries.txt")


def test_samples_of_other_queries_are_told(tmp_path: Path) -> None:
    (tmp_path / "queries.txt").write_text("reset password\n")
    same = Samples(queries=("reset password",)).digest
    asks = {"writing": {"samples": "queries.txt"}}
    assert find_earlier(asked(write(tmp_path / "same", asks, samples=same))).notices == ()
    (other,) = find_earlier(asked(write(tmp_path / "other", asks, samples="0" * 16))).notices
    assert "queries.txt, which are not known to be those of the other goldens" in other
    assert len(find_earlier(asked(write(tmp_path / "unknown", asks))).notices) == 1


def test_the_file_with_the_queries_that_it_was_made_with_goes_before_one_of_the_same_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, beside = tmp_path / "here", tmp_path / "out"
    for folder, text in ((here, "reset password\n"), (beside, "vpn drops\n")):
        folder.mkdir()
        (folder / "queries.txt").write_text(text)
    monkeypatch.chdir(here)
    asks = {"writing": {"samples": "queries.txt"}}
    beside_it = find_earlier(asked(write(beside / "a", asks)))
    assert beside_it.parameters.writing.samples == str(beside / "queries.txt")
    digest = Samples(queries=("reset password",)).digest
    found = find_earlier(asked(write(beside / "b", asks, samples=digest)))
    assert (found.parameters.writing.samples, found.notices) == ("queries.txt", ())


def test_datasets_whose_queries_are_not_to_be_repeated_are_found_again_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "old")
    (tmp_path / "here").mkdir()
    write(tmp_path / "here" / "other")
    monkeypatch.chdir(tmp_path / "here")
    folder = write(tmp_path / "demo", {"checks": {"earlier": ["old", "other", "gone"]}})
    earlier = find_earlier(asked(folder))
    assert earlier.parameters.checking.earlier == (str(tmp_path / "old"), "other")
    assert earlier.others == ("old", "other", "gone")
    assert earlier.notices == (
        f"Queries of gone may be repeated: the goldens were not to repeat them, and no such dataset is beside {folder}.",
    )


def test_a_version_of_its_own_is_no_other_dataset(tmp_path: Path) -> None:
    write(tmp_path / "demo")
    folder = write(tmp_path / "demo-v2", {"checks": {"earlier": ["demo"]}})
    assert find_earlier(asked(folder)).parameters.checking.earlier == ()


def making(folder: Path, **more: Any) -> SingleChunkParameters:
    return SingleChunkParameters.model_validate(
        {"documents": {"sources": [str(folder)]}, "out": str(folder / "new"), **more}
    )


def test_a_dataset_does_not_avoid_its_own_queries(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo")
    check_making(making(tmp_path, checks={"earlier": [str(folder)]}))
    (tmp_path / "link").symlink_to(folder)
    for out in (str(folder), f"{folder}/", str(tmp_path / "link")):
        with pytest.raises(InputError, match=r"checks\.earlier: .*demo is where this dataset goes"):
            check_making(making(tmp_path, checks={"earlier": [str(folder)]}, out=out))


def test_a_damaged_dataset_that_is_not_to_be_repeated_is_found_before_anything_is_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "old")
    (folder / "goldens.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match=r"old/goldens\.jsonl: line 1 is not a golden"):
        check_making(making(tmp_path, checks={"earlier": [str(folder)]}))


@pytest.mark.parametrize("weight", [float("inf"), float("nan"), -1.0])
def test_a_weight_is_a_number(weight: float) -> None:
    with pytest.raises(ValueError, match="easy"):
        HardnessMix(easy=weight)


def test_a_refresh_beside_another_is_refused_before_it_does_anything(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo")
    with (
        claimed_version(asked(folder)) as first,
        pytest.raises(InputError, match=r"demo-v2: another run is writing it; wait for that run"),
        claimed_version(asked(folder)),
    ):
        pass
    assert first.parameters.out == str(tmp_path / "demo-v2")


def test_a_refresh_goes_on_from_a_version_that_was_finished_while_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "demo")

    @contextmanager
    def claimed_late(out: Path) -> Generator[None]:
        if out.name == "demo-v2":
            write(out)
        yield

    monkeypatch.setattr("flows.steps.earlier.claimed", claimed_late)
    with claimed_version(asked(folder)) as earlier:
        assert (earlier.folder.name, Path(earlier.parameters.out).name) == ("demo-v2", "demo-v3")


def test_a_dataset_of_existing_chunks_takes_the_current_ones_and_no_other_does(tmp_path: Path) -> None:
    folder = write(tmp_path / "demo", {"chunking": {"size": 96, "existing": {"file": "chunks.jsonl"}}})
    with pytest.raises(InputError, match=r"chunks: .*demo was made of existing chunks; name the current ones"):
        find_earlier(asked(folder))
    chunking = find_earlier(asked(folder, chunks="new/chunks.jsonl")).parameters.chunking
    assert chunking.existing is not None
    assert (chunking.existing.file, chunking.name, chunking.size) == ("new/chunks.jsonl", "chunks.jsonl", 96)
    with pytest.raises(InputError, match=r"chunks: .*other was not made of any"):
        find_earlier(asked(write(tmp_path / "other"), chunks="new/chunks.jsonl"))
