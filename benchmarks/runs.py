"""Whole runs against a fake server: what faults cost, and what a run again costs.

python -m benchmarks.runs
"""

from benchmarks.shared import bench


def faults(goldens: int = 200) -> None:
    with bench(latency=0.05) as here:
        corpus = here.corpus(int(goldens * 1.2))
        config = here.folder / "run.yaml"
        config.write_text("generator: {timeout: 2.0}\ncritic: {model: fake, timeout: 2.0}\n", encoding="utf-8")
        calm = here.run(corpus, "calm", goldens, 32, "--config", str(config))
        here.fake.set(errors=0.1, malformed=0.1, hung=0.05, max_concurrent=16)
        rough = here.run(corpus, "rough", goldens, 32, "--config", str(config))
    print("10 % status 500, 10 % malformed, 5 % never answered, 429 above 16 at once")
    for name, run in (("undisturbed", calm), ("disturbed", rough)):
        counts = (
            f"{run.answered} replies, {run.requests} requests, {run.answered - run.distinct} replies asked for twice"
        )
        print(f"  {name:12} {run.result['kept']} of {goldens} goldens, {counts}, {run.seconds:.1f} s")
    print(f"  replies {rough.answered / calm.answered:.2f} times, requests {rough.requests / calm.answered:.2f} times")


def resume(goldens: int = 300, concurrency: int = 16, latency: float = 1.0) -> None:
    with bench(latency=latency) as here:
        corpus = here.corpus(int(goldens * 1.2))
        first, second = (here.run(corpus, "home", goldens, concurrency) for _ in range(2))
    print(f"{goldens} goldens, {concurrency} calls at once of {latency:g} s; a Prefect server is running")
    print(f"  first  {first.seconds:6.1f} s, {first.answered} calls")
    share = second.seconds / first.seconds
    print(f"  again  {second.seconds:6.1f} s, {second.requests} calls, {share:.3f} of the first")


def main() -> None:
    faults()
    resume()


if __name__ == "__main__":
    main()
