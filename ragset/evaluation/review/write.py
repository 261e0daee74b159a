"""Write into a folder of results what people's judgements say: into its manifest, and into its report."""

from pathlib import Path

from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import read_plan
from ragset.errors import InputError
from ragset.evaluation.results.corrected import Judged
from ragset.evaluation.results.folder import MANIFEST, REPORT, manifest_text, read_results
from ragset.evaluation.results.report.people import with_people
from ragset.evaluation.review.estimates import judged
from ragset.evaluation.review.pool import read_pool
from ragset.settings.whole_file import replace_text


def correct_results(folder: Path) -> tuple[Judged, ...]:
    """Estimate anew from all judgements beside the results; nothing where nobody judged.

    The manifest is written last, so that it says what the report says.
    """
    stored = read_results(folder)
    found = judged(stored, read_pool(folder, read_plan(folder)), read_reviews(folder).lines)
    if found == stored.benchmark.judged:
        return found
    benchmark = stored.benchmark.model_copy(update={"judged": found})
    try:
        page = (folder / REPORT).read_text(encoding="utf-8")
        for name, text in {REPORT: with_people(page, benchmark), MANIFEST: manifest_text(benchmark)}.items():
            replace_text(folder / name, text)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
    return found
