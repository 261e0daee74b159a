"""A reviewed dataset written as its next version: judgements applied, and every figure of the manifest as it is then."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ragset.chunking import STRATEGIES
from ragset.dataset.cut_rates import PANEL, cut_rates
from ragset.dataset.manifest import Manifest, Reviewed, Split, chunking_of, funnel_row
from ragset.dataset.numbered import next_version
from ragset.dataset.read import problems, read_dataset
from ragset.dataset.report import render_report
from ragset.dataset.review.apply import STAGE, Applied, Unapplied, apply_reviews
from ragset.dataset.review.figures import figures
from ragset.dataset.review.file import read_reviews
from ragset.dataset.review.order import read_plan
from ragset.dataset.review.records import guidelines_used, standing
from ragset.dataset.swap import claimed
from ragset.dataset.train_test_split import measure_leakage
from ragset.dataset.write import check_output, write_dataset
from ragset.documents.corpus import Corpus
from ragset.errors import InputError
from ragset.models import Golden, Model
from ragset.settings.command_line import command


class ReviewSummary(Model):
    """The result of applying a review in short."""

    folder: str
    report: str
    kept: int
    reviewed: Reviewed
    others: dict[str, int]  # judgements under other versions of the guideline, which were left alone
    unapplied: tuple[Unapplied, ...]
    notice: str = ""  # on lines that a crash cut off


def write_reviewed(folder: Path, out: Path | None = None, guideline: str | None = None) -> ReviewSummary:
    """Apply the judgements in `folder`, by default those under the newest guideline, and write the next version beside it."""
    dataset = read_dataset(folder)
    if faults := problems(dataset):
        raise InputError(f"{folder}: is damaged, make the dataset again: " + "; ".join(faults[:5]))
    read = read_reviews(folder)
    used = guidelines_used(read.lines, "golden")
    if not used or guideline not in (None, *used):
        what = f"under {guideline}; there are {', '.join(used)}" if used else "yet"
        raise InputError(f"{folder}: no golden is judged {what}; judge some with `{command('review', folder)}`")
    guideline = guideline or next(iter(used))
    applied = apply_reviews(dataset.goldens, standing(read.lines, "golden", guideline), dataset.corpus)
    if not applied.goldens:
        raise InputError(f"{folder}: every golden was called bad, so nothing would be left; make another dataset")
    out = out or next_version(folder)
    if out.resolve() == folder.resolve():
        raise InputError(
            f"--out: {out} is the dataset that was judged; name another folder, or none for the next version"
        )
    reviewed = Reviewed(
        before=folder.resolve().name,
        guideline=guideline,
        judged=applied.judged,
        removed=len(applied.rejects),
        corrected=applied.corrected,
        unapplied=len(applied.unapplied),
    )
    manifest = _manifest(dataset.manifest, dataset.goldens, applied, reviewed, dataset.corpus)
    rejects = (*dataset.rejects, *applied.rejects)
    said = figures(dataset.goldens, read.lines, read_plan(folder), guideline)
    with claimed(out):
        check_output(out)
        report = render_report(applied.goldens, rejects, manifest, None, dataset.corpus, said)
        write_dataset(
            out, goldens=applied.goldens, rejects=rejects, corpus=dataset.corpus, manifest=manifest, report=report
        )
    return ReviewSummary(
        folder=str(out),
        report=str(out / "report.html"),
        kept=manifest.kept,
        reviewed=reviewed,
        others={other: number for other, number in used.items() if other != guideline},
        unapplied=applied.unapplied,
        notice=read.notice,
    )


def _manifest(
    before: Manifest, goldens: Sequence[Golden], applied: Applied, reviewed: Reviewed, corpus: Corpus
) -> Manifest:
    own = chunking_of(before.parameters)
    alone = own.existing is None and own.strategy in STRATEGIES and own.strategy != "semantic"  # needs no embedding
    row = funnel_row(STAGE, len(goldens), len(applied.goldens), applied.rejects)
    return before.model_copy(
        update={
            "kept": len(applied.goldens),
            "reviewed": reviewed,
            "funnel": (*before.funnel, row),
            "split": before.split and _split(before.split, applied.goldens),
            "cut_rates": cut_rates(applied.goldens, corpus, chunkings=(own, *PANEL) if alone else PANEL),
        }
    )


def _split(before: Split, goldens: Sequence[Golden]) -> Split:
    """The sides as they are now. Repeats and the highest cosine are those of before: without the goldens that left they are at most so."""
    side_of = {golden.id: golden.split for golden in goldens}
    places = {golden.id: golden.equivalents for golden in goldens}
    known = {leak.sides: leak for leak in before.leakage}
    leakage = [
        leak.model_copy(update={"repeats": old.repeats, "highest_cosine": old.highest_cosine})
        for leak in measure_leakage(goldens, side_of, equivalents=places)
        if (old := known.get(leak.sides))
    ]
    sides = {}
    for name, side in before.sides.items():
        ours = [golden for golden in goldens if golden.split == name]
        sides[name] = side.model_copy(
            update={
                "goldens": len(ours),
                "documents": len({span.doc_id for golden in ours for span in golden.evidence}),
                "kinds": dict(sorted(Counter(golden.kind for golden in ours).items())),
            }
        )
    return before.model_copy(update={"sides": sides, "leakage": tuple(leakage)})
