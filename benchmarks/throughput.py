"""How many calls a second the models get: shares of the ideal, time of the processor a call, and what more workers buy.

    python -m benchmarks.throughput [--goldens 1000] [--workers 4] [--parts stages,run,many,workers]
    python -m benchmarks.throughput --goldens 250,1000,4000 --parts run      what grows faster than the goldens

The ideal time is calls × latency ÷ concurrency, over the time from the first draft to the last answer. The fake server runs on
the same cores, and its time is not ours. On a busy machine only the time of the processor says something. The workers need Dask.
"""

import asyncio
import os
import time
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path

from benchmarks.shared import BenchmarkRunner, bench, options, paragraph
from ragset.generation.stage import Case, Models
from ragset.llm.client import OpenAIClient
from ragset.llm.gather import gather_all
from ragset.llm.journal import Journal
from ragset.llm.journaled import BudgetTracker, Journaled
from ragset.llm.usage import Meter, Metered, load_prices
from ragset.models import Candidate, Chunk
from ragset.settings import Budget, Environment, ModelSettings, WritingSettings
from tasks.batches import Recipe

_DEEP = 4  # times as many candidates under way as calls, as in a run


def candidates(number: int) -> Iterator[Candidate]:
    """Of one passage each."""
    for place in range(number):
        text, doc_id = paragraph(place), sha256(b"%d" % (place // 50)).hexdigest()[:16]
        start = 10_000 * (place % 50)
        yield Candidate(chunks=(Chunk(doc_id=doc_id, start=start, end=start + len(text), text=text),))


async def ask_alone(home: Path, url: str, number: int, concurrency: int) -> tuple[int, float, float]:
    """Calls, seconds and seconds of the processor of the stages that ask, without Prefect and without searching."""
    settings = ModelSettings(model="fake", max_concurrency=concurrency)
    recipe = Recipe.load(WritingSettings(), settings, settings, seed=0)
    env = Environment(_env_file=None, ragset_home=home, openai_base_url=url)  # type: ignore[call-arg]
    client, journal, meter = OpenAIClient(settings, env), Journal(env.journal), Meter(recipe.prices)
    budget = BudgetTracker(journal, "throughput", Budget(), load_prices())
    model = Metered(Journaled(client, journal, budget, at_once=concurrency), meter)
    case = Case(recipe.setup, recipe.prompts, Models(model, model, model))
    stages = [stage for stage in recipe.stages() if not stage.searches]
    turns = asyncio.Semaphore(_DEEP * concurrency)

    async def make(candidate: Candidate) -> None:
        async with turns:
            for stage in stages:
                (outcome,) = await stage.run(candidate, case)
                assert isinstance(outcome, Candidate)
                candidate = outcome

    await client.check()
    began, used = time.perf_counter(), time.process_time()
    await gather_all(*map(make, candidates(number)))
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    await client.aclose()
    journal.close()
    return sum(row.calls for row in meter.rows()), seconds, processor


def show(what: str, calls: int, ideal: float, seconds: float, processor: float, server: float | None = None) -> None:
    a_call = f"{1000 * processor / calls:.2f} ms of the processor a call"
    if server is not None:
        a_call += f" and {1000 * server / calls:.2f} of Prefect's server"
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"  {what}: {calls} calls in {seconds:.1f} s, share {ideal / seconds:.2f}, {a_call}; {load}", flush=True)


def show_run(here: BenchmarkRunner, what: str, goldens: int, concurrency: int, latency: float) -> None:
    run = here.run(here.corpus(int(goldens * 1.1)), f"home-{goldens}", goldens, concurrency)
    what = f"{what} of {goldens:,} goldens"
    show(what, run.answered, run.answered * latency / concurrency, run.asking, run.processor, run.server)


def show_workers(here: BenchmarkRunner, most: int, each: int, latency: float) -> None:
    """Calls a second of one worker and of `most`, each with `each` calls at once and as many goldens to make.

    Few calls of long latency, since otherwise the cores of one machine are the limit, and not the worker.
    """
    homes = (f"workers-{number}" for number in count())
    paces: list[float] = []
    for workers in (1, most):
        goldens = 64 * workers
        asked = ("--runner", "dask", "--workers", str(workers))
        run = here.run(here.corpus(int(goldens * 1.1)), next(homes), goldens, each * workers, *asked)
        paces.append(run.answered / run.asking)
        share = paces[-1] * latency / (each * workers)
        print(f"  {workers} Dask workers: {paces[-1]:.1f} calls a second, share of the ideal {share:.2f}", flush=True)
    print(f"  {most} workers at {paces[1] / paces[0]:.2f} times one")


def main() -> None:
    asked = options(__doc__, goldens="1000", workers=4, parts="stages,run,many,workers")
    parts, sizes = asked.parts.split(","), [int(size) for size in asked.goldens.split(",")]
    with bench(latency=0.05) as here:
        if "stages" in parts:
            calls, seconds, processor = asyncio.run(ask_alone(here.folder / "alone", here.fake.url, sizes[0], 64))
            show("64 at once, 50 ms, stages alone", calls, calls * 0.05 / 64, seconds, processor)
        for goldens in sizes if "run" in parts else ():
            show_run(here, "64 at once, 50 ms, a run", goldens, 64, 0.05)
    with bench(latency=1.0) as here:
        for goldens in sizes if "many" in parts else ():
            show_run(here, "512 at once, 1 s, a run", 4 * goldens, 512, 1.0)
        if "workers" in parts:
            show_workers(here, asked.workers, 4, 1.0)


if __name__ == "__main__":
    main()
