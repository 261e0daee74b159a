"""Documents on S3 indexed by Dask workers that have a RAGSET_HOME of their own, and share RAGSET_STORAGE with the run."""

from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster
from prefect import flow

from ragset.settings import ChunkingSettings, DocumentSettings, EmbeddingSettings, RunnerSettings
from tasks.documents import read_corpus
from tasks.index import IndexFile, index_corpus
from tasks.run.models import Account
from tasks.workers.cluster import cluster_of
from tests.engines.test_dask import _prefect  # noqa: F401 # pyright: ignore[reportPrivateUsage]
from tests.engines.test_s3 import s3, server  # noqa: F401
from tests.tasks.test_indexing_on_workers import at_home, clocks, files  # noqa: F401

pytestmark = [pytest.mark.engines, pytest.mark.xdist_group("dask")]


@pytest.mark.usefixtures("_prefect")
async def test_the_index_that_dask_workers_make_is_that_of_one_process(
    s3: Any,  # noqa: F811
    at_home: Any,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for document in clocks():
        s3.pipe_file(f"bucket/docs/{document.sources[0]}", document.text.encode())

    @flow
    async def index(settings: RunnerSettings) -> IndexFile:
        async with cluster_of(settings):
            corpus = await read_corpus(DocumentSettings(sources=("s3://bucket/docs",)))
            return await index_corpus(corpus, ChunkingSettings(size=64), EmbeddingSettings(), Account(run="r"))

    one = at_home("one")
    alone = await index(RunnerSettings())
    monkeypatch.setenv("RAGSET_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("RAGSET_STORAGE", "s3://bucket/ragset")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        many = at_home("many")
        # The workers are processes of their own, which these changes do not reach.
        for function in ("reading._read_slab", "cutting.cut_lines", "embedding._embed_slab"):
            monkeypatch.setattr(f"tasks.{function}", None)
        together = await index(RunnerSettings(kind="dask", address=cluster.scheduler_address))
    assert together.model_copy(update={"home": one}) == alone
    assert files(many) == files(one) != {}
    assert not s3.glob("bucket/ragset/parts/*")
