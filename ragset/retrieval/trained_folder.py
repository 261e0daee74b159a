"""How results name a folder that holds something trained, wherever it is."""

import hashlib
from pathlib import Path


def name_of(folder: Path, file: str) -> str:
    """Its last name with a digest of its `file`; without one if there is no such file."""
    name, path = folder.resolve().name, folder / file
    return f"{name}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}" if path.is_file() else name
