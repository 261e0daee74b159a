import gzip
import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

import docx
import pptx
import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Opened, Read, read_file
from ragset.documents.pages import take_page_marks
from ragset.errors import DocumentError

PARAGRAPH = (
    "The escapement hands the energy of the falling weight to the foliot in small, equal steps, and so the wheel "
    "turns no faster than the foliot swings. A heavier weight makes the clock run fast."
)


def pdf(pages: Sequence[Sequence[str]], title: str = "", password: str = "") -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    if title:
        canvas.setTitle(title)
    for page in pages:
        for number, line in enumerate(page):
            canvas.drawString(72, 780 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    if not password:
        return out.getvalue()
    writer = PdfWriter(clone_from=PdfReader(out))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
    locked = io.BytesIO()
    writer.write(locked)
    return locked.getvalue()


def read(content: bytes | str, source: str) -> list[Read | DocumentError]:
    data = content.encode() if isinstance(content, str) else content
    return list(read_file(Opened(io.BytesIO(data), source, "." + source.rpartition(".")[2], None, 50_000_000)))


def one(content: bytes | str, source: str) -> Read:
    (found,) = read(content, source)
    assert isinstance(found, Read)
    return found if not source.endswith(".pdf") else found._replace(text=take_page_marks(clean_text(found.text))[0])


def errors(found: Sequence[Read | DocumentError]) -> list[tuple[str, str]]:
    return [(error.source, error.reason) for error in found if isinstance(error, DocumentError)]


# Text and Markdown


def test_the_title_of_markdown_is_its_first_heading_without_marks() -> None:
    assert one("---\n\n# The **tower** [clock](a.md) #\n\ntext", "a.md").title == "The tower clock"
    assert one("Tower clocks\n============\n\ntext", "a.md").title == "Tower clocks"


def test_the_title_of_a_text_is_its_first_line_if_that_stands_alone() -> None:
    assert one("Tower clocks\n\nThey strike.", "a.txt").title == "Tower clocks"
    assert one("Tower clocks strike.\n\nThey do.", "tower_clocks-1.txt").title == "tower clocks 1"


def test_an_unknown_extension_is_read_as_text() -> None:
    assert one("port = 80", "settings.ini").text == "port = 80"


# Office


def packed(first: str, text: str = "Green tea.") -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(first, "<xml/>")
        archive.writestr("rest.xml", text)
    return content.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("table.xlsx", packed("xl/workbook.xml")),
        ("encrypted.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("notes.odt", packed("mimetype")),
        ("renamed.txt", packed("[Content_Types].xml")),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("old.thing", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("letter.rtf", rb"{\rtf1\ansi Dear Sir,\par}"),
        ("slides.key", b"bplist00\0\0\0"),
    ],
    ids=lambda value: (
        value if isinstance(value, str) else ""
    ),  # archives hold the time; all processes must agree on names
)
def test_what_office_programs_write_asks_to_be_saved_otherwise(name: str, content: bytes) -> None:
    with pytest.raises(
        DocumentError, match=r"not a format that is read; save it as PDF, .docx, .pptx, HTML or text, or name a reader"
    ) as caught:
        read(content, name)
    assert caught.value.source == name


@pytest.mark.parametrize("name", ["plain.doc", "public.key", "numbers.pages", "list.xls", "about.rtf"])
def test_a_text_may_have_the_extension_of_an_office_program(name: str) -> None:
    assert one("Green tea turns bitter above 80 degrees.", name).text.startswith("Green tea")


# HTML


def page(body: str, head: str = "<title>Tower clocks</title>") -> str:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def test_of_a_page_the_article_is_read_and_not_what_stands_around_it() -> None:
    article = "".join(f"<p>{PARAGRAPH} Part {number}.</p>" for number in range(4))
    found = one(
        page(
            f"<nav><a href='/'>Home</a><a href='/buy'>Buy now</a></nav><main><article><h1>Clocks</h1>{article}</article></main>"
            "<script>var secret = 1;</script><footer>Copyright 2020 Example Ltd. All rights reserved.</footer>"
        ),
        "a.html",
    )
    assert found.title == "Tower clocks"
    assert PARAGRAPH in found.text
    assert "Part 3." in found.text
    assert not [word for word in ("Buy now", "secret", "rights reserved") if word in found.text]


def test_a_short_page_is_read_whole() -> None:
    assert "Only one line" in one(page("<p>Only one line.</p><style>p {}</style>"), "a.html").text


@pytest.mark.parametrize(
    "content",
    [
        f"<p>{PARAGRAPH}<p>Second<div><b>bold</p></i></div>",
        f"<html><body><table><tr><td>{PARAGRAPH}</table></body>",
        f"<!doctype html><html><body><p>{PARAGRAPH}</p><p unfinished",
        f"{PARAGRAPH} no tags at all",
        f"<?xml version='1.0' encoding='utf-8'?><html><body><p>{PARAGRAPH}</p></body></html>",
    ],
)
def test_badly_formed_pages_are_read(content: str) -> None:
    assert PARAGRAPH in one(content, "a.html").text


def test_a_page_in_an_encoding_that_it_declares_is_read_in_it() -> None:
    content = page("<p>Башенные часы бьют каждый час.</p>", "<meta charset=windows-1251><title>Часы</title>")
    found = one(content.encode("cp1251"), "a.html")
    assert found.title == "Часы"
    assert "Башенные часы" in found.text


def test_a_page_without_text_is_empty() -> None:
    with pytest.raises(DocumentError, match="empty"):
        read("<!-- nothing -->", "a.html")


def test_a_large_page_is_read_without_what_stands_around_the_text() -> None:
    section = f"<h2>Part</h2><p>{PARAGRAPH} It has <a href='w'>wheels</a>.<br>And a weight.</p><ul><li>one<li>two</ul>"
    code = "<pre>def f():\n    <b>return</b> 1</pre><table><tr><td>1</td><td>2</td></tr></table>"
    around = f"<nav><a href='/'>Home</a></nav><h1>Clocks</h1>{code}{{}}<!-- no --><footer>Copyright 2020</footer>"
    found = one(page(around.format(section * 3_000)), "a.html")
    assert found.title == "Tower clocks"
    assert found.text.startswith(
        "# Clocks\n\ndef f():\n    return 1\n\n| 1| 2\n\n"
        f"## Part\n\n{PARAGRAPH} It has wheels.\nAnd a weight.\n\n- one\n- two\n\n## Part\n"
    )
    assert len(found.text) > 500_000
    assert not [word for word in ("Home", "Copyright", "<") if word in found.text]


# PDF


def test_a_pdf_is_read_page_by_page_with_its_title() -> None:
    found = one(pdf([["The foliot swings."], ["The wheel turns."]], title="Tower clocks"), "a.pdf")
    assert found.title == "Tower clocks"
    assert found.text.split() == ["The", "foliot", "swings.", "The", "wheel", "turns."]


def test_a_pdf_without_a_title_is_named_by_its_file() -> None:
    assert one(pdf([["The foliot swings."]]), "tower-clocks.pdf").title == "tower clocks"


def test_running_headers_and_page_numbers_of_a_pdf_go() -> None:
    bodies = ["The foliot swings.", "The wheel turns.", "The bell rings.", "The weight falls."]
    pages = [["Journal of Clocks, vol. 3", body, "in the year 1386", str(7 + n)] for n, body in enumerate(bodies)]
    pages[1][2] = "for ever"
    pages[2][2] = "at noon"
    pages[3][2] = "slowly"
    found = one(pdf(pages), "a.pdf")
    assert "Journal" not in found.text
    assert [line for line in found.text.splitlines() if line.strip()] == [
        *("The foliot swings.", "in the year 1386", "The wheel turns.", "for ever"),
        *("The bell rings.", "at noon", "The weight falls.", "slowly"),
    ]


def test_a_year_at_the_end_of_a_page_is_no_page_number() -> None:
    found = one(
        pdf([["The clock was built in", "1386"], ["It was mended in", "1956"], ["It stopped in", "1884"]]), "a.pdf"
    )
    assert [number for number in ("1386", "1956", "1884") if number in found.text] == ["1386", "1956", "1884"]


def test_a_page_of_numbers_is_kept() -> None:
    found = one(pdf([[str(number * number) for number in range(20)], ["The squares."]]), "a.pdf")
    assert found.text.split()[:20] == [str(number * number) for number in range(20)]


@pytest.mark.parametrize("form", ["{}", "Page {}", "- {} -", "{} / 9", "Seite {} von 9"])
def test_numbers_that_grow_with_the_pages_go(form: str) -> None:
    found = one(pdf([[f"Text {word}.", form.format(5 + at)] for at, word in enumerate(["a", "b", "c"])]), "a.pdf")
    assert found.text.split() == ["Text", "a.", "Text", "b.", "Text", "c."]


def test_the_lines_of_a_one_page_pdf_stay() -> None:
    assert "Journal of Clocks" in one(pdf([["Journal of Clocks", "The foliot swings."]]), "a.pdf").text


def test_a_locked_pdf_asks_to_be_unlocked() -> None:
    with pytest.raises(DocumentError, match="encrypted: it asks for a password"):
        read(pdf([["secret"]], password="open sesame"), "a.pdf")


def test_a_pdf_locked_against_changes_alone_is_read() -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf([["The foliot swings."]]))))
    writer.encrypt(user_password="", owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    assert "foliot" in one(out.getvalue(), "a.pdf").text


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6])
def test_a_damaged_pdf_is_reported_or_read_and_never_an_accident(share: float) -> None:
    whole = pdf([[PARAGRAPH[:80]]] * 3)
    cut = b"%PDF-1.4\n" + whole[9 : 9 + int(share * len(whole))]
    try:
        found = read(cut, "a.pdf")
    except DocumentError as error:
        assert error.reason.startswith(("damaged PDF", "empty"))  # noqa: PT017
    else:
        assert found


def test_every_byte_of_a_pdf_may_be_wrong() -> None:
    whole = pdf([[PARAGRAPH[:80]]])
    for place in range(0, len(whole), 23):
        broken = bytearray(whole)
        broken[place] ^= 0x15
        try:
            read(bytes(broken), "a.pdf")
        except DocumentError as error:
            assert error.source == "a.pdf"  # noqa: PT017


def test_a_pdf_of_pictures_says_what_to_do() -> None:
    with pytest.raises(DocumentError, match="OCR"):
        read(pdf([[]]), "a.pdf")


# JSON


def test_json_lines_are_documents_with_their_fields_as_metadata() -> None:
    lines = [{"text": "One.", "title": "First", "year": 1656, "none": None}, {"text": "Two.", "tags": ["a"]}]
    found = read("\n".join(map(json.dumps, lines)) + "\n\n", "a.jsonl")
    assert found == [
        Read("a.jsonl:1", "One.", "First", {"year": 1656}),
        Read("a.jsonl:2", "Two.", "", {"tags": ["a"]}),
    ]


def test_bad_json_lines_are_named_and_the_good_ones_read() -> None:
    deep = "[" * 200_000
    found = read(
        '{"text": "One."}\n{"text": \n[1]\n{"txt": "x"}\n{"text": 5}\n"text"\n' + deep + '\n{"text": "Two."}', "a.jsonl"
    )
    assert [item.text for item in found if isinstance(item, Read)] == ["One.", "Two."]
    assert [source for source, _ in errors(found)] == [f"a.jsonl:{number}" for number in (2, 3, 4, 5, 6, 7)]
    assert errors(found)[1][1] == (
        "has no text in a field `text`; name its field with --text-field (`text_field` in YAML; its fields: none)"
    )


def test_a_line_separator_inside_a_json_string_is_part_of_it() -> None:
    assert one('{"text": "a\u2028b\u0085c"}', "a.jsonl").text == "a\u2028b\u0085c"
    assert len(read('{"text": "a\u2028b"}\r\n{"text": "c"}\r\n', "a.jsonl")) == 2


def test_json_holds_one_document_or_a_list() -> None:
    assert one('{"text": "One.", "title": "T"}', "a.json") == Read("a.json", "One.", "T", {})
    assert [item.source for item in read('[{"text": "One."}, 3]', "a.json")] == ["a.json:1", "a.json:2"]


def test_json_that_is_none_is_refused() -> None:
    with pytest.raises(DocumentError, match="not JSON"):
        read("{", "a.json")


# Tables


def test_rows_of_a_table_are_documents_with_their_columns_as_metadata() -> None:
    found = read('title,text,year\nFirst,"One, two\nthree",1656\n,Four,\n', "a.csv")
    assert found == [
        Read("a.csv:2", "One, two\nthree", "First", {"year": "1656"}),
        Read("a.csv:4", "Four", "", {"year": ""}),
    ]


def test_tabs_part_the_columns_of_tsv() -> None:
    assert one("text\tyear\nOne, two\t1656\n", "a.tsv") == Read("a.tsv:2", "One, two", "", {"year": "1656"})


def test_a_mark_at_the_beginning_is_no_part_of_a_column_name() -> None:
    assert one(b"\xef\xbb\xbftext\r\nOne\r\n", "a.csv").text == "One"


def test_a_table_without_a_text_column_says_which_it_has() -> None:
    with pytest.raises(
        DocumentError, match=r"name its field with --text-field \(`text_field` in YAML; its columns: body, year\)"
    ):
        read("body,year\nx,1\n", "a.csv")


def test_a_huge_field_is_read() -> None:
    assert len(one("text\n" + "word " * 100_000 + "\n", "a.csv").text) == 500_000


def test_rows_that_are_too_long_or_too_short_are_read_as_far_as_named() -> None:
    found = read("text,year\nOne,1656,more,and more\nTwo\n,\n", "a.csv")
    assert [(item.text, dict(item.metadata)) for item in found if isinstance(item, Read)] == [
        ("One", {"year": "1656"}),
        ("Two", {}),
        ("", {"year": ""}),
    ]


# Office


def word() -> bytes:
    document = docx.Document()
    document.core_properties.title = "Tower clocks"
    document.add_heading("Escapements", 1)
    document.add_paragraph("A verge checks the foliot.")
    document.add_heading("Parts", 2)
    document.add_paragraph("Crown wheel", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells), ["part", "weight", "foliot", "2 kg"], strict=True
    ):
        cell.text = text
    return saved(document)


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_a_docx_is_read_as_markdown() -> None:
    found = one(word(), "a.docx")
    assert found.title == "Tower clocks"
    assert found.text == (
        "# Escapements\n\nA verge checks the foliot.\n\n## Parts\n\n- Crown wheel\n\n"
        "| part | weight |\n| --- | --- |\n| foliot | 2 kg |"
    )


def test_each_slide_of_a_pptx_is_a_page() -> None:
    slides = pptx.Presentation()
    for title, body in (("Foliots", "A foliot swings.\nIt has weights."), ("Bells", "A bell rings.")):
        slide = slides.slides.add_slide(slides.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, body
    slides.slides[0].notes_slide.notes_text_frame.text = "Show the drawing."
    (found,) = read(saved(slides), "clock-talk.pptx")
    assert isinstance(found, Read)
    assert found.title == "clock talk"
    text, pages = take_page_marks(clean_text(found.text))
    assert text == "# Foliots\n\nA foliot swings.\nIt has weights.\n\nShow the drawing.\n\n# Bells\n\nA bell rings."
    assert [text[start:].split("\n")[0] for start in pages] == ["# Foliots", "# Bells"]


@pytest.mark.parametrize("name", ["a.docx", "a.pptx"])
@pytest.mark.parametrize(
    "content", [packed("[Content_Types].xml"), b"PK\x03\x04 and no more", word()[:3000]], ids=["other", "short", "cut"]
)
def test_a_damaged_office_file_says_so(name: str, content: bytes) -> None:
    with pytest.raises(DocumentError, match="damaged Office file"):
        read(content, name)


# Packed texts and named fields


def test_a_gz_is_read_as_what_it_holds() -> None:
    assert one(gzip.compress(b"# Clocks\n\nA foliot swings."), "clocks.md.gz").title == "Clocks"
    assert one(gzip.compress(b"A foliot swings."), "tower-clocks.txt.gz").title == "tower clocks"
    rows = read(gzip.compress(b'{"text": "One."}\n{"text": "Two."}\n'), "rows.jsonl.gz")
    assert [row.text for row in rows if isinstance(row, Read)] == ["One.", "Two."]


@pytest.mark.parametrize("cut", [12, 40])
def test_a_damaged_gz_says_so(cut: int) -> None:
    with pytest.raises(DocumentError, match=r"damaged \.gz"):
        read(gzip.compress(b"A foliot swings, and the wheel turns by one tooth at a time.")[:cut], "a.txt.gz")


def test_a_gz_larger_than_a_document_may_be_is_not_unpacked() -> None:
    content = io.BytesIO(gzip.compress(b"tick " * 1_000_000))
    with pytest.raises(DocumentError, match="has more than `max_bytes`, 1,000;"):
        list(read_file(Opened(content, "a.txt.gz", ".gz", None, 1_000)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"body": "It swings.", "text": 3}'),
        ("a.json", '[{"body": "It swings."}]'),
        ("a.csv", "body\nIt swings.\n"),
    ],
)
def test_the_field_of_the_text_can_be_named(name: str, content: str) -> None:
    opened = Opened(io.BytesIO(content.encode()), name, "." + name.rpartition(".")[2], None, 1_000, "body")
    assert [found.text for found in read_file(opened) if isinstance(found, Read)] == ["It swings."]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", '[{"id": 7, "body": {"content": "It swings."}}]'),
        ("a.jsonl", '{"id": 7, "body": {"content": "It swings."}}'),
    ],
)
def test_a_path_names_a_field_of_a_field(name: str, content: str) -> None:
    opened = Opened(io.BytesIO(content.encode()), name, "." + name.rpartition(".")[2], None, 1_000, "body.content")
    assert [found[1:] for found in read_file(opened) if isinstance(found, Read)] == [("It swings.", "", {"id": 7})]


def test_each_object_of_a_list_within_an_object_is_a_document_and_the_message_shows_the_path() -> None:
    content = b'{"pages": [{"body": "It swings."}, {"body": "It stops."}], "site": "mill"}'
    opened = Opened(io.BytesIO(content), "a.json", ".json", None, 1_000)
    assert errors([*read_file(opened)]) == [
        (
            "a.json",
            "has no text in a field `text`; name its field with --text-field (`text_field` in YAML; its fields: pages.body, site)",
        )
    ]
    found = read_file(opened._replace(text_field="pages.body"))
    assert [(one.source, one.text) for one in found if isinstance(one, Read)] == [
        ("a.json:1", "It swings."),
        ("a.json:2", "It stops."),
    ]
