"""Hooks of MkDocs: files of the repository that the docs link to, and the reports of the gallery, become part of the site."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "examples/README.md": "examples.md"}
"""Pages outside docs/, and their names on the site."""
GALLERY = {
    "a test set": "single-chunk",
    "a test set over several chunks": "multi-chunk",
    "a benchmark of twelve configurations": "benchmark",
}
"""What docs/gallery.md calls each report, and its folder in out/gallery, which `make docs` fills."""


def on_files(files: Files, config: Any) -> Files:
    """Add pages outside docs/, files that pages link to, and reports."""
    for source, name in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
        for linked, its_name in PAGES.items():
            text = text.replace(f"]({linked}", f"]({its_name}")
        files.append(File.generated(config, name, content=text))
    linked = "".join(page.content_string for page in files.documentation_pages())
    for place in sorted(set(re.findall(r"\]\(\.\./([\w./-]+)", linked)) - set(PAGES)):
        files.append(File.generated(config, f"files/{place}", content=(ROOT / place).read_bytes()))
    for name in GALLERY.values():
        if (report := _report(name)).is_file():
            files.append(File.generated(config, f"gallery/{name}.html", abs_src_path=str(report)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to where these are on the site."""
    for source, name in PAGES.items():
        markdown = markdown.replace(f"](../{source}", f"]({name}")
    markdown = markdown.replace("](../", "](files/")
    if page.file.src_uri == "gallery.md":
        for title, name in GALLERY.items():
            assert f"| {title} |" in markdown, title
            if _report(name).is_file():
                markdown = markdown.replace(f"| {title} |", f"| [{title}](gallery/{name}.html) |")
    return markdown


def _report(name: str) -> Path:
    return ROOT / "out" / "gallery" / name / "report.html"
