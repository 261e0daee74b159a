"""One process, one Dask worker and four, against a fake server: calls a second, and the ratio that more workers buy.

The server, Prefect's server and the workers share the cores of this machine: four workers gain what cores are left to them.

python -m benchmarks.runners
"""

import os

from benchmarks.shared import bench, options


def main() -> None:
    asked = options(__doc__, goldens=600, concurrency=128, latency=0.05)
    runners = {
        "one process": (),
        "1 Dask worker": ("--runner", "dask", "--workers", "1"),
        "4 Dask workers": ("--runner", "dask", "--workers", "4"),
    }
    print(
        f"{asked.goldens} goldens, {asked.concurrency} calls at once of {asked.latency * 1000:.0f} ms, {os.cpu_count()} cores"
    )
    pace: dict[str, float] = {}
    for name, more in runners.items():
        with bench(latency=asked.latency) as here:
            run = here.run(here.corpus(int(asked.goldens * 1.1)), "home", asked.goldens, asked.concurrency, *more)
        pace[name] = run.answered / run.asking
        ratio = pace[name] / pace.get("1 Dask worker", pace[name])
        print(
            f"  {name:15} {run.answered} calls, {pace[name]:6.0f} a second while asking, ratio {ratio:.2f}; "
            f"whole command {run.seconds:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
