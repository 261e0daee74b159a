"""A server that fails often: are there n goldens all the same, at how many more calls, and is anything asked twice?

python -m benchmarks.faults
"""

from benchmarks.shared import bench

GOLDENS = 200


def main() -> None:
    with bench(latency=0.05) as here:
        corpus = here.corpus(int(GOLDENS * 1.2))
        config = here.folder / "run.yaml"
        config.write_text("generator: {timeout: 2.0}\ncritic: {model: fake, timeout: 2.0}\n", encoding="utf-8")
        calm = here.run(corpus, "calm", GOLDENS, 32, "--config", str(config))
        here.fake.set(errors=0.1, malformed=0.1, hung=0.05, max_concurrent=16)
        rough = here.run(corpus, "rough", GOLDENS, 32, "--config", str(config))
    print("10 % status 500, 10 % malformed, 5 % never answered, 429 above 16 at once")
    for name, run in (("undisturbed", calm), ("disturbed", rough)):
        print(
            f"  {name:12} {run.result['kept']} of {GOLDENS} goldens, {run.answered} replies, {run.requests} requests, "
            f"{run.answered - run.distinct} replies asked for twice, {run.seconds:.1f} s"
        )
    print(f"  replies {rough.answered / calm.answered:.2f} times, requests {rough.requests / calm.answered:.2f} times")


if __name__ == "__main__":
    main()
