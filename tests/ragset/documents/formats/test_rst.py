import io

import pytest

from ragset.documents.cleaning import clean_text
from ragset.documents.formats import Opened, Read, read_file

PAGE = """\
:orphan:

.. _mill:

==========
 The mill
==========

.. contents::
   :local:

The wheel
=========

The wheel was built in 1904 by :ref:`Ada Finch
<ada>`, as ``mill --turn`` shows; see `the town <https://town.example>`_ and :class:`~mill.wheel.Wheel`.

.. note::

   Oil the pivots once a year.

   .. code-block:: console

      $ mill --turn

.. a comment
   of two lines

Buckets
-------

.. versionadded:: 2.1

Each holds::

    12 litres

of water.

.. function:: turn(times)
   :module: mill

   Turn the wheel.

.. [1] By the brook.

The bell
========

.. _town: https://town.example
"""


def converted(text: str) -> Read:
    [found] = read_file(Opened(io.BytesIO(text.encode()), "the-mill.rst", ".rst", None, 1_000_000))
    assert isinstance(found, Read)
    return found._replace(text=clean_text(found.text))


def test_headings_code_notes_roles_and_links_are_markdown() -> None:
    found = converted(PAGE)
    assert found.title == "The mill"
    assert found.text == (
        "# The mill\n\n## The wheel\n\n"
        "The wheel was built in 1904 by Ada Finch, as `mill --turn` shows; see [the town](https://town.example) and "
        "`mill.wheel.Wheel`.\n\n"
        "Note:\nOil the pivots once a year.\n\n```console\n$ mill --turn\n```\n\n"
        "### Buckets\n\nNew in version 2.1\n\nEach holds:\n\n```\n12 litres\n```\n\nof water.\n\n"
        "`turn(times)`\nTurn the wheel.\n\n[1] By the brook.\n\n## The bell"
    )


def test_levels_go_by_the_order_in_which_adornments_come() -> None:
    text = 'One\n~~~\n\nTwo\n"""\n\nThree\n~~~~~\n\n=====\nFour\n=====\n'
    assert converted(text).text == "# One\n\n## Two\n\n# Three\n\n### Four"


def test_a_word_that_is_a_link_loses_its_mark_and_a_name_in_code_keeps_it() -> None:
    targets = ".. _mill: https://mill.example\n.. _mod_wheel: https://wheel.example\n"
    text = f"Mill_ and mod_wheel_ turn, self_ does not.\n\n{targets}"
    assert converted(text).text == "Mill and mod_wheel turn, self_ does not."


def test_a_text_without_headings_is_named_by_its_file() -> None:
    assert converted("Just a line.\n\n- and *another*\n").title == "the mill"
    assert converted("Just a line.\n\n- and *another*\n").text == "Just a line.\n\n- and *another*"


@pytest.mark.parametrize("text", ["..", "::", "====", "=====  =====\na      b\n=====  =====", ".. note::", "x\n-"])
def test_fragments_of_markup_are_no_accident(text: str) -> None:
    [found] = read_file(Opened(io.BytesIO(text.encode()), "a.rst", ".rst", None, 1_000_000))
    assert isinstance(found, Read)
    assert found.title == "a"


@pytest.mark.parametrize("line", ["a\n\n\n\n", "a\n", "``a\n", "::\n", ".. x\n", ":a:`b\n", "=\n", "`a <b\n", "a_ b"])
def test_reading_takes_time_in_proportion_to_the_lines(line: str) -> None:
    assert converted(line * 20_000).title == "the mill"
