import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.peers import measure
from benchmarks.peers.measure import Bench, Measured, Run, count, error_line
from tests.fake_openai import fake_openai

SCRIPT = """
import json, os, sys, urllib.request
_, folder, n, at_once, out = sys.argv
made = []
for number in range(int(n)):
    asked = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": f"{number} with keys 'question' and 'answer'."}]}
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", json.dumps(asked).encode())
    reply = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
    made.append(json.dumps({"query": reply, "answer": ""}))
open(out, "w").write("\\n".join(made))
"""


def entry(**more: Any) -> dict[str, Any]:
    usual = {"path": "/v1/chat/completions", "status": 200, "digest": "a", "prompt_tokens": 10}
    return {**usual, "started": 1.0, "ended": 2.0, **more}


def run(**more: Any) -> Run:
    made = [json.dumps({"query": "Who?", "answer": "He."})]
    return Run(**{**vars(count([entry()], made, (5.0, 1.0))), **more})


def test_calls_are_answered_chats_and_the_time_of_asking_ends_with_the_last_answer() -> None:
    log = [
        entry(started=1.0, ended=1.5),
        entry(started=1.2, ended=3.0, digest="b"),
        entry(started=0.5, ended=9.0, status=500, digest="c"),
        entry(started=2.0, ended=2.5, path="/v1/embeddings"),
    ]
    made = ['{"query": "Who?", "answer": "He."}', '{"query": "Of course! Who? and so on", "answer": "He."}']
    found = count(log, made, (5.0, 1.0))
    assert (found.calls, found.embeddings, found.tokens) == (2, 1, 20)
    assert found.asking == 3.0 - 0.5
    assert (found.goldens, found.garbled) == (2, 1)


def test_what_was_asked_again_is_what_both_runs_have_above_an_undisturbed_one() -> None:
    # 100 undisturbed; 50 before the kill; a run that keeps all but 4 asks for 54, one that keeps nothing for 100.
    def of(again: int) -> int | None:
        runs = {"undisturbed": run(calls=100), "killed": run(calls=50), "again": run(calls=again)}
        return Measured("x", runs=runs).asked_again

    assert [of(54), of(100), of(50), of(120), of(30)] == [4, 50, 0, 50, 0]
    stopped = {"undisturbed": run(), "killed": run(), "again": run(ended="hung, stopped after 9 s")}
    assert Measured("x", runs=stopped).asked_again is None
    assert Measured("x", runs={"undisturbed": run()}).asked_again is None


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("Traceback:\n  File x\nValueError: bad\n", "ValueError: bad"),
        (
            "openai.APIError: 500\n\nThe above was the cause\nragas.exceptions.RagasError: no\nbye\n",
            "ragas.exceptions.RagasError: no",
        ),
        ("│ KeyError: 'x'  │\n╰──────╯\n", "KeyError: 'x'"),
        ("it stops\n\n", "it stops"),
        ("", "it said nothing"),
    ],
)
def test_an_error_is_told_by_the_last_line_that_names_one(said: str, line: str) -> None:
    assert error_line(said) == line


def test_a_run_is_killed_after_its_calls_and_what_it_asks_again_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "make_x.py").write_text(SCRIPT)
    monkeypatch.setattr(measure, "HERE", tmp_path)
    with fake_openai(program="benchmarks.peers.server", latency=0.1) as fake:
        bench = Bench(fake, tmp_path, tmp_path, tmp_path, n=4, at_once=1, limit=20)
        killed = bench.run("x", Path(sys.executable), "killed", most=2)
        assert (killed.ended, killed.goldens) == ("killed", 0)
        assert 2 <= killed.calls < 4
        again = bench.run("x", Path(sys.executable), "killed")
        assert (again.ended, again.goldens, again.calls) == ("", 4, 4)
        refused = bench.run("x", Path(sys.executable), "errors", faults={"errors": 1.0})
        assert refused.ended == "urllib.error.HTTPError: HTTP Error 500: Internal Server Error"
        hung = Bench(fake, tmp_path, tmp_path, tmp_path, 4, 1, limit=0.5).run(
            "x", Path(sys.executable), "hung", faults={"hung": 1.0}
        )
        assert hung.ended == "hung, stopped after 0.5 s"
