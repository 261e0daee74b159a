import io

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Opened, Read, read_file

ADOC = """\
= The mill
Ada Finch <ada@mill.example>
:toc:

// a comment
[[wheel]]
== The wheel

The wheel was built in 1904; see https://town.example/mill[the town] and <<bell,the bell>>.

[source,sh]
----
mill --turn  # twice
= no heading
----

[NOTE]
Oil the pivots.
"""


def read() -> Read:
    [found] = read_file(Opened(io.BytesIO(ADOC.encode()), "mill.adoc", ".adoc", None, 1_000_000))
    assert isinstance(found, Read)
    return found._replace(text=clean_text(found.text))


def test_asciidoc_is_read_as_markdown() -> None:
    found = read()
    assert found.title == "The mill"
    assert found.text == (
        "# The mill\n\nAda Finch <ada@mill.example>\n\n## The wheel\n\nThe wheel was built in 1904; see "
        "[the town](https://town.example/mill) and the bell.\n\n```sh\nmill --turn  # twice\n= no heading\n```\n\n"
        "Note:\nOil the pivots."
    )
