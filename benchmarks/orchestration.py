"""How much of the ideal a run reaches: calls × latency ÷ concurrency, over the time from first question to last answer.

python -m benchmarks.orchestration
"""

from benchmarks.shared import bench

GOLDENS, CONCURRENCY = 1_000, 64


def main() -> None:
    print(f"{GOLDENS} goldens, {CONCURRENCY} calls at once, over real HTTP; share of the ideal")
    for latency in (0.05, 1.0):
        with bench(latency=latency) as here:
            run = here.run(here.corpus(int(GOLDENS * 1.1)), "home", GOLDENS, CONCURRENCY)
            ideal = run.answered * latency / CONCURRENCY
            print(
                f"  latency {latency * 1000:5.0f} ms: {run.answered} calls, ideal {ideal:6.1f} s, asking {run.asking:6.1f} s, "
                f"share {ideal / run.asking:.2f}; whole command {run.seconds:.1f} s"
            )


if __name__ == "__main__":
    main()
