"""Files that are replaced while others may read them."""

from pathlib import Path


def replace_text(path: Path, text: str) -> None:
    """Write a file that a reader sees whole or not at all; the text stays as it is, line ends too."""
    partial = path.with_name(f".{path.name}.partial")
    partial.write_text(text, encoding="utf-8", newline="")
    partial.replace(path)
