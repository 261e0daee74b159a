"""Make the files of `corpus/` that no editor would keep as they are: odd bytes, odd line ends, a PDF.

    python examples/make_corpus.py

Reads `sources/` and writes into `corpus/`; the same bytes each time. Needs reportlab.
"""

import re
import textwrap
import unicodedata
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.pagesizes import A5
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.units import cm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

WIDTH = 64
# Before a consonant that a vowel follows, or between two consonants; never a syllable without a vowel.
BREAK = re.compile(
    r"(?<=[a-z][aeiouy])(?=[b-df-hj-np-tv-xz][aeiouy][a-z])|(?<=[aeiouy][lmnrst])(?=[bcdfgklmnprstv][a-z]*[aeiouy][a-z])",
    re.IGNORECASE,
)
HERE = Path(__file__).parent
SOURCES, CORPUS = HERE / "sources", HERE / "corpus"


def old_windows_file() -> None:
    """CRLF line ends, accents as separate marks (NFD), a byte order mark, a few control characters."""
    text = unicodedata.normalize("NFD", (SOURCES / "incense-clocks.txt").read_text(encoding="utf-8"))
    paragraphs = text.split("\n\n")
    paragraphs[1] += "\x0b"
    paragraphs[3] = "\x07" + paragraphs[3].replace(" the ", " the\u00ad ", 1)
    content = "\ufeff" + "\n\n".join(paragraphs).replace("\n", "\r\n")
    (CORPUS / "incense-clocks.txt").write_bytes(content.encode("utf-8"))


def hard_wrapped_file() -> None:
    """Lines of at most 64 characters with words broken at their ends, as copied out of an old PDF."""
    paragraphs = (SOURCES / "sundials.txt").read_text(encoding="utf-8").strip().split("\n\n")
    wrapped = ["\n".join(_wrapped(paragraph.split())) for paragraph in paragraphs]
    (CORPUS / "sundials.txt").write_text("\n\n".join(wrapped) + "\n", encoding="utf-8", newline="\n")


def _wrapped(words: list[str]) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        room = WIDTH - len(lines[-1]) - 1
        if len(word) <= room:
            lines[-1] += f" {word}"
            continue
        cuts = [found.start() for found in BREAK.finditer(word) if found.start() < room]
        if cuts:
            lines[-1] += f" {word[: cuts[-1]]}-"
        lines.append(word[cuts[-1] :] if cuts else word)
    return lines


def run_together_file() -> None:
    """No blank line anywhere: paragraphs follow one another as lines."""
    text = (SOURCES / "hourglasses.txt").read_text(encoding="utf-8").replace("\n\n", "\n")
    (CORPUS / "hourglasses.txt").write_text(text, encoding="utf-8", newline="\n")


def pdf_file() -> None:
    """A small book page with running heads and page numbers."""
    styles = getSampleStyleSheet()
    title, *paragraphs = (SOURCES / "quartz.txt").read_text(encoding="utf-8").strip().split("\n\n")
    story = [Paragraph(escape(title), styles["Title"]), Spacer(1, 0.4 * cm)]
    for paragraph in paragraphs:
        style = styles["Heading2"] if len(paragraph) < 60 and not paragraph.endswith(".") else styles["BodyText"]
        story += [Paragraph(escape(" ".join(paragraph.split())), style), Spacer(1, 0.15 * cm)]

    def furniture(canvas: Canvas, document: SimpleDocTemplate) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(1.8 * cm, A5[1] - 1.1 * cm, "Keeping time: a reader")
        canvas.drawCentredString(A5[0] / 2, 1.0 * cm, str(document.page))

    document = SimpleDocTemplate(
        str(CORPUS / "quartz.pdf"), pagesize=A5, title=textwrap.shorten(title, 80), author="ragset", invariant=1,
        leftMargin=1.8 * cm, rightMargin=1.8 * cm, topMargin=1.8 * cm, bottomMargin=1.8 * cm,
    )  # fmt: skip
    document.build(story, onFirstPage=furniture, onLaterPages=furniture)


if __name__ == "__main__":
    old_windows_file()
    hard_wrapped_file()
    run_together_file()
    pdf_file()
