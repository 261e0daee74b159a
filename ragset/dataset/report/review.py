"""The section of the report on what people said, which can be renewed without the rest of the page."""

import math
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from ragset.dataset.read import read_dataset
from ragset.dataset.report.page import HERE, template_of
from ragset.dataset.review.figures import Figures, figures_of
from ragset.dataset.review.file import REVIEWS
from ragset.errors import InputError
from ragset.settings.whole_file import replace_text

REPORT = "report.html"
_MARKED = re.compile(r"(?<=<!-- review -->).*?(?=<!-- /review -->)", re.DOTALL)


def review_section(figures: Figures | None) -> str:
    """As HTML; empty where nothing is judged."""
    return str(_template().render(review=figures))


def renew_report(folder: Path) -> Figures | None:
    """Put today's judgements into the report of a dataset, and return their figures; a report of an older ragset stays."""
    dataset = read_dataset(folder)
    found, path = figures_of(folder, dataset.goldens), folder / REPORT
    if found is None:  # nothing was judged here; the page may tell of an earlier version
        return None
    try:
        page = path.read_bytes().decode()
        now = _MARKED.sub(lambda _: "\n" + review_section(found), page, count=1)
        if now != page:
            replace_text(path, now)
    except OSError as error:
        raise InputError(f"{path}: cannot be renewed ({error.strerror})") from None
    return found


def is_behind(folder: Path) -> bool:
    """Whether something was judged since the report was written, or within the same tick of the file system's clock."""
    try:
        return (folder / REVIEWS).stat().st_mtime_ns >= (folder / REPORT).stat().st_mtime_ns
    except OSError:
        return False


@lru_cache(maxsize=1)
def _template() -> Any:
    return template_of(HERE / "review.html.jinja", {"figure": _figure})


def _figure(value: float) -> str:
    return "not defined" if math.isnan(value) else f"{value:.2f}".replace("-", "−")
