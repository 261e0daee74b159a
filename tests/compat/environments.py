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


class NotInstalledError(Exception):
    """What the installer said."""


def environment(name: str) -> Path:
    """The folder of the environment that `requirements/NAME.txt` describes; skips the test if it cannot be installed."""
    try:
        return install(HERE / "requirements" / f"{name}.txt", CACHE)
    except NotInstalledError as error:
        pytest.skip(f"{name} cannot be installed: {str(error)[-500:]}")


def install(requirements: Path, cache: Path) -> Path:
    """The folder in `cache` of the environment that the file describes, made with uv if it is there.

    Raises:
        NotInstalledError: something in it cannot be had for this Python.
    """
    wanted = requirements.read_bytes() + (ROOT / "pyproject.toml").read_bytes() * (b"-e ." in requirements.read_bytes())
    digest = hashlib.sha256(wanted + sys.version.encode()).hexdigest()[:12]
    folder = cache.resolve() / f"{requirements.stem}-{digest}"
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        python = folder / "bin" / "python"
        if uv := shutil.which("uv"):
            made = [[uv, "venv", "--quiet", "--python", sys.executable, folder]]
            # nltk refuses files that are hard links.
            made += [[uv, "pip", "install", "--quiet", "--link-mode", "copy", "--python", python, "-r", requirements]]
        else:
            made = [[sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "-qq", "-r", requirements]]
        for command in made:
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            if done.returncode:
                raise NotInstalledError(done.stderr.strip())
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
