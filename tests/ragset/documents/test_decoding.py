import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragset.documents.formats.opened import decode
from ragset.errors import DocumentError

TEXT = "Señora Müller fragt: „Wie spät ist es?“ – «Es la una», dit-elle à Zürich."
LONG = "Die Uhr schlägt zwölf, und über den Dächern grüßt die Glocke die müden Bürger der Stadt. " * 20


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_every_form_of_unicode_is_read(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "a.txt") == TEXT


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_western_bytes_are_guessed(encoding: str) -> None:
    assert decode(LONG.encode(encoding), "a.txt") == LONG


def test_typographic_quotes_of_windows_are_guessed() -> None:
    text = "The “smith” of the town’s clock – a man called Henry – wound it every day. " * 10
    assert decode(text.encode("cp1252"), "a.txt") == text


def test_a_short_western_text_keeps_its_letters() -> None:
    assert decode("Café crème, señor".encode("cp1252"), "a.txt") == "Café crème, señor"


def test_a_declared_encoding_is_taken_where_utf_8_does_not_fit() -> None:
    assert decode("Привет, часы".encode("koi8-r"), "a.html", "koi8-r") == "Привет, часы"
    assert decode(TEXT.encode(), "a.html", "latin-1") == TEXT
    assert decode(LONG.encode("cp1252"), "a.html", "no-such-encoding") == LONG


@pytest.mark.parametrize(
    "content",
    [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00", b"text with\x00a NUL in it", bytes(range(256)) * 4],
    ids=["png", "NUL", "every byte"],
)
def test_binary_is_refused(content: bytes) -> None:
    with pytest.raises(DocumentError, match=r"^a\.txt: binary"):
        decode(content, "a.txt")


def test_a_mark_that_does_not_hold_is_named() -> None:
    with pytest.raises(DocumentError, match="marked as utf-16"):
        decode(b"\xff\xfea", "a.txt")


@given(st.binary(max_size=300), st.sampled_from([None, "latin-1", "hex", "utf-7", "idna", "nonsense", "a\0b"]))
def test_any_bytes_are_text_or_refused(content: bytes, declared: str | None) -> None:
    try:
        assert isinstance(decode(content, "a.txt", declared), str)
    except DocumentError as error:
        assert error.source == "a.txt"  # noqa: PT017
