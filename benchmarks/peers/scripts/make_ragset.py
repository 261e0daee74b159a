"""`python -m flows single-chunk` with the standard checks and the embedding that needs no server."""

import json
import subprocess
import sys
from pathlib import Path

from job import AT_ONCE, FOLDER, N, write

ROOT = Path(__file__).parents[3]
out = Path("dataset").resolve()
asked = f"--model fake --n {N} --concurrency {AT_ONCE} --out {out}".split()
done = subprocess.run([sys.executable, "-m", "flows", "single-chunk", FOLDER, *asked], cwd=ROOT, check=False)
if done.returncode not in {0, 4}:  # 4: fewer goldens than asked for
    sys.exit(done.returncode)
goldens = [json.loads(line) for line in (out / "goldens.jsonl").read_text(encoding="utf-8").splitlines()]
write((golden["query"], golden["answer"]) for golden in goldens)
