"""Environments for other tools' libraries, made once and kept in `.compat/`."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
CACHE = ROOT / ".compat"


def environment(name: str) -> Path:
    """The folder of the environment that `requirements/NAME.txt` describes; skips the test if it cannot be installed."""
    requirements = HERE / "requirements" / f"{name}.txt"
    wanted = requirements.read_bytes() + (ROOT / "pyproject.toml").read_bytes() * (b"-e ." in requirements.read_bytes())
    digest = hashlib.sha256(wanted + sys.version.encode()).hexdigest()[:12]
    folder = CACHE / f"{name}-{digest}"
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        python = folder / "bin" / "python"
        if uv := shutil.which("uv"):
            made = [[uv, "venv", "--quiet", "--python", sys.executable, folder]]
            made += [[uv, "pip", "install", "--quiet", "--python", python, "-r", requirements]]
        else:
            made = [[sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-qq", "-r", requirements]]
        for command in made:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                pytest.skip(f"{name} cannot be installed: {done.stderr.strip()[-500:]}")
        (folder / "installed").touch()
    return folder


def read_back(name: str, *arguments: object, reader: str = "", **variables: str) -> Any:
    """What `readers/read_NAME.py` prints as JSON, run with the library of that environment."""
    script = HERE / "readers" / f"read_{reader or name}.py"
    # Nothing of this repository is importable there but by an environment that installs it.
    given = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [environment(name) / "bin" / "python", "-X", "utf8=0", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=ROOT / ".compat",
        env={**given, "PYTHONIOENCODING": "utf-8", **variables},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout.splitlines()[-1])
