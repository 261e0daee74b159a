import uuid
from pathlib import Path
from typing import Any

import pytest
from fsspec.core import url_to_fs
from pydantic import BaseModel

from flows.parameters.models import BenchmarkParameters, SingleChunkParameters
from flows.parameters.places import with_copies, without_copies
from ragset.errors import InputError
from ragset.storage import address_of
from tests.homes import other_home


class Export(BaseModel):
    out: str


class Summary(BaseModel):
    folder: str
    report: str
    kept: int
    exports: tuple[Export, ...]
    notices: tuple[str, ...] = ()


@pytest.fixture
def bucket() -> str:
    address = f"memory://bucket-{uuid.uuid4().hex}"
    system: Any = url_to_fs(address)[0]
    system.pipe({f"{address}/docs/a.txt": b"tea", f"{address}/sets/qrels.tsv": b"1"})
    return address


def test_every_place_that_is_named_by_its_address_becomes_a_copy(bucket: str) -> None:
    given: dict[str, Any] = {
        "documents": {"sources": [f"{bucket}/docs"]},
        "out": f"{bucket}/sets/demo",
        "export": [{"to": "beir", "out": f"{bucket}/sets/demo-beir"}, {"to": "csv", "out": "here.csv"}],
    }
    with other_home() as home:
        asked = SingleChunkParameters.model_validate(given)
        found = with_copies(asked)
        assert Path(found.out).is_relative_to(home.path)
        assert [address_of(Path(one)) for one in (found.out, found.export[0].out)] == [
            f"{bucket}/sets/demo",
            f"{bucket}/sets/demo-beir",
        ]
        assert found.export[1].out == "here.csv"
        assert found.documents == asked.documents  # whose corpus has the same name on every machine
        assert with_copies(found) is found


def test_what_is_read_must_be_there_and_is_copied(bucket: str) -> None:
    with other_home():
        given = {
            "datasets": [f"{bucket}/sets/qrels.tsv", "out/other"],
            "grid": {"reranker": ["none", f"learned:{bucket}/docs", "cross-encoder:name"]},
        }
        found = with_copies(BenchmarkParameters.model_validate(given))
        first, other = found.datasets
        assert (Path(first).read_bytes(), other) == (b"1", "out/other")
        assert found.grid is not None
        none, learned, encoder = found.grid.reranker
        assert (none, encoder) == ("none", "cross-encoder:name")
        assert address_of(Path(learned.removeprefix("learned:"))) == f"{bucket}/docs"
        with pytest.raises(InputError, match=f"{bucket}/sets/none: there is no such file or folder"):
            with_copies(BenchmarkParameters.model_validate({"datasets": [f"{bucket}/sets/none"]}))


def test_a_result_names_addresses_but_for_the_report_which_a_browser_opens() -> None:
    with other_home() as home:
        copy = str(home.path / "copies" / "s3" / "company%2Fsets" / "demo")
        made = Summary(
            folder=copy, report=f"{copy}/report.html", kept=3, exports=(Export(out=f"{copy}-beir"),), notices=("a",)
        )
        assert without_copies(made) == Summary(
            folder="s3://company/sets/demo",
            report=f"{copy}/report.html",
            kept=3,
            exports=(Export(out="s3://company/sets/demo-beir"),),
            notices=("a",),
        )
        assert without_copies((made, None))[1] is None
