"""What each stage costs for a golden that is kept, where everything passes: calls, and tokens as characters by four.

python -m benchmarks.checks
"""

import json

from benchmarks.running import BenchmarkRunner, bench

_EVERYTHING = """
writing:
  evolutions: {reasoning: 1, constraints: 1, deepen: 1, concretise: 1, more_steps: 1}
  depth: 2
  compress: true
"""


def main() -> None:
    with bench(by_heart=1.0) as here:
        corpus = here.corpus(200)
        for preset in ("quick", "standard", "thorough"):
            rows = _usage(here, str(corpus), preset)
            print(
                f"{preset}: {_sums(rows, 'calls'):.1f} calls, {_sums(rows, 'prompt_tokens'):,.0f} prompt tokens a golden"
            )
        everything = here.folder / "everything.yaml"
        everything.write_text(_EVERYTHING, encoding="utf-8")
        print("\nthorough, with two evolutions and a compression, and a reader that knows every answer:")
        for stage, prompt, calls, sent, said in _usage(here, str(corpus), "thorough", "--config", str(everything)):
            print(f"{stage:12} {prompt:24} {calls:5.2f} calls {sent:7,.0f} prompt tokens {said:5,.0f} reply tokens")


def _usage(here: BenchmarkRunner, corpus: str, preset: str, *more: str) -> list[tuple[str, str, float, float, float]]:
    """For each stage and prompt calls, prompt tokens and reply tokens, by goldens kept."""
    home = f"{preset}{len(more)}"
    here.run(here.folder / corpus, home, 60, 16, "--preset", preset, *more)
    manifest = json.loads((here.folder / "out" / "manifest.json").read_text(encoding="utf-8"))
    kept = manifest["kept"]
    return [
        (
            row["stage"],
            row["prompt"],
            row["calls"] / kept,
            row["prompt_tokens"] / kept,
            row["completion_tokens"] / kept,
        )
        for row in manifest["usage"]
    ]


def _sums(rows: list[tuple[str, str, float, float, float]], what: str) -> float:
    return sum(row[2 if what == "calls" else 3] for row in rows)


if __name__ == "__main__":
    main()
