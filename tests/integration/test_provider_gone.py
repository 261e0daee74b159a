"""A provider that answers nobody any more in the middle of a run."""

import asyncio
import time
from pathlib import Path

from prefect.client.schemas.filters import LogFilter, LogFilterLevel

from tests.fake_openai import Fake
from tests.integration.conftest import ROOT, Command, url
from tests.integration.prefect import client_of

RETRIES = 2


def test_the_run_says_so_at_once_and_ends_without_a_try_for_each_candidate(
    command: Command, fake: Fake, tmp_path: Path, prefect_api: str
) -> None:
    config = tmp_path / "run.yaml"
    config.write_text(f"generator: {{model: fake, max_retries: {RETRIES}, max_concurrency: 1}}\n")
    documents = str(ROOT / "examples" / "corpus")
    process = command.start(
        "single-chunk", documents, "--n", "66", "--config", str(config), "--out", str(tmp_path / "out"), **url(fake)
    )
    while process.poll() is None and fake.stats()["answered"] < 10:
        time.sleep(0.01)
    fake.set(status=503, retry_after="")
    before = fake.stats()["requests"]
    _, err = process.communicate(timeout=400)
    assert process.returncode == 3
    assert "Error: fake at" in err
    assert "nothing that was answered is lost" in err
    told = f"no answer from {fake.url} (status 503): trying again"
    assert err.index(told) < err.index("Error: ")
    # Three batches are tried three times each; in each try one call uses up its tries. Some sixty candidates wait.
    tried = fake.stats()["requests"] - before
    assert RETRIES + 1 <= tried <= 3 * 3 * (RETRIES + 1) + 1
    assert any(told in line for line in asyncio.run(warnings(prefect_api)))


async def warnings(api: str) -> list[str]:
    """In the logs of all runs."""
    async with client_of(api) as client:
        return [log.message for log in await client.read_logs(LogFilter(level=LogFilterLevel(ge_=30, le_=30)))]
