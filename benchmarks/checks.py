"""What each stage costs for a golden that is kept, where everything passes: calls, and tokens as characters by four.

python -m benchmarks.checks
"""

import json
from typing import Any

from benchmarks.shared import BenchmarkRunner, bench
from ragset.generation.checks import PRESETS

_EVERYTHING = """
writing:
  evolutions: {reasoning: 1, constraints: 1, deepen: 1, concretise: 1, more_steps: 1}
  depth: 2
  compress: true
"""


def main() -> None:
    with bench(by_heart=1.0) as here:
        for preset in PRESETS:
            rows = _usage(here, preset)
            calls, tokens = sum(row["calls"] for row in rows), sum(row["prompt_tokens"] for row in rows)
            print(f"{preset}: {calls:.1f} calls, {tokens:,.0f} prompt tokens a golden")
        everything = here.folder / "everything.yaml"
        everything.write_text(_EVERYTHING, encoding="utf-8")
        print("\nthorough, with two evolutions and a compression, and a reader that knows every answer:")
        for row in _usage(here, "thorough", "--config", str(everything)):
            tokens = f"{row['prompt_tokens']:7,.0f} prompt tokens {row['completion_tokens']:5,.0f} reply tokens"
            print(f"{row['stage']:12} {row['prompt']:24} {row['calls']:5.2f} calls {tokens}")


def _usage(here: BenchmarkRunner, preset: str, *more: str) -> list[dict[str, Any]]:
    """The rows of usage, with calls and tokens for each golden kept."""
    here.run(here.corpus(200), f"{preset}{len(more)}", 60, 16, "--preset", preset, *more)
    manifest = json.loads((here.folder / "out" / "manifest.json").read_text(encoding="utf-8"))
    counts = ("calls", "prompt_tokens", "completion_tokens")
    return [{**row, **{name: row[name] / manifest["kept"] for name in counts}} for row in manifest["usage"]]


if __name__ == "__main__":
    main()
