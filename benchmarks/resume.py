"""The same command again: how many calls, and which share of the first run's time?

python -m benchmarks.resume
"""

from benchmarks.shared import bench

GOLDENS, CONCURRENCY, LATENCY = 300, 16, 1.0


def main() -> None:
    with bench(latency=LATENCY) as here:
        corpus = here.corpus(int(GOLDENS * 1.2))
        first = here.run(corpus, "home", GOLDENS, CONCURRENCY)
        second = here.run(corpus, "home", GOLDENS, CONCURRENCY)
    print(f"{GOLDENS} goldens, {CONCURRENCY} calls at once of {LATENCY:g} s; a Prefect server is running")
    print(f"  first  {first.seconds:6.1f} s, {first.answered} calls")
    print(
        f"  again  {second.seconds:6.1f} s, {second.requests} calls, {second.seconds / first.seconds:.3f} of the first"
    )


if __name__ == "__main__":
    main()
