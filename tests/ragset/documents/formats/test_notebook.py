import io
import json
from typing import Any

import pytest

from ragset.documents.formats import Opened, Read, read_file
from ragset.errors import DocumentError


def read(content: str) -> Read:
    [found] = read_file(Opened(io.BytesIO(content.encode()), "a.ipynb", ".ipynb", None, 1_000_000))
    assert isinstance(found, Read)
    return found


def test_a_notebook_is_its_cells_without_output() -> None:
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "source": ["# Wheel\n", "\n", "It turns."]},
        {"cell_type": "code", "source": "turn(2)", "outputs": [{"text": "done"}]},
        {"cell_type": "code", "source": []},
    ]
    notebook = {"metadata": {"language_info": {"name": "julia"}}, "cells": cells}
    found = read(json.dumps(notebook))
    assert (found.title, found.text) == ("Wheel", "# Wheel\n\nIt turns.\n\n```julia\nturn(2)\n```")


@pytest.mark.parametrize("content", ["[]", "{}", '{"cells": 3}', '{"cells": [{}]}', "# no JSON"])
def test_what_is_no_notebook_says_so(content: str) -> None:
    with pytest.raises(DocumentError, match="not a notebook of format 4"):
        read(content)
