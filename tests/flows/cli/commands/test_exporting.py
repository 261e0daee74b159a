import json

import pytest

from flows.cli.commands.exporting import print_export, print_formats
from ragset.dataset.exporters import EXPORTERS, PARTS, Exported


def test_what_is_lost_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    lost = {"grades": 3, "queries without a passage": 1}
    print_export(
        Exported(to="csv", out="out/demo.csv", dataset="demo", version=1, chunking="", goldens=1200, lost=lost)
    )
    out, err = capsys.readouterr()
    assert out == "1,200 goldens of demo written as csv\nExport: out/demo.csv\n"
    assert err == "lost: 3 queries with graded relevance\nlost: 1 queries without a passage\n"


def test_each_format_says_what_it_keeps_and_loses(capsys: pytest.CaptureFixture[str]) -> None:
    print_formats(json=True)
    shown = json.loads(capsys.readouterr().out)
    assert list(shown) == list(EXPORTERS)
    assert all(sorted([*one["keeps"], *one["loses"]]) == sorted(PARTS) for one in shown.values())
    print_formats(json=False)
    assert "jsonl" in capsys.readouterr().out
