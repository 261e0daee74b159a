"""All benchmarks, one after another; each can be run on its own, as `python -m benchmarks.NAME`."""

from importlib import import_module

NAMES = (
    "chunking",
    "index",
    "checks",
    "throughput",
    "runs",
    "verdicts",
    "ppi",
    "thresholds",
)


def main() -> None:
    for name in NAMES:
        print(f"\n{name}\n{'-' * len(name)}", flush=True)
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
