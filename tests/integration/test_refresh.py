"""A dataset refreshed as a user does it: real processes, real Prefect, real Milvus Lite, HTTP on loopback."""

import json
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ragset.dataset import problems, read_dataset
from tests.fake_openai import Fake
from tests.integration.conftest import Command, asked, files_of, url
from tests.integration.prefect import ask_prefect

pytestmark = pytest.mark.slow


def event(api: str, folder: Path) -> dict[str, Any]:
    """The payload of the event about that folder; events are sent beside the run and may come a little later."""
    wanted = {"filter": {"event": {"name": ["ragset.dataset.refreshed"]}}}
    for _ in range(50):
        found = ask_prefect(api, "events/filter", wanted)["events"]
        for one in found:
            if one["payload"]["dataset"] == str(folder):
                assert one["resource"]["prefect.resource.id"] == f"ragset.dataset.{folder.name.removesuffix('-v2')}"
                return one["payload"]
        time.sleep(0.2)
    raise AssertionError("no event came")


def test_goldens_stay_move_or_leave_and_the_set_is_filled_up_again(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path, prefect_api: str
) -> None:
    out = tmp_path / "out" / "demo"
    options = ["--chunk-size", "100", "--n", "12", "--model", "test-model", "--out", str(out), "--corpus", "towns"]
    made = command.run("single-chunk", str(corpus), *options, **url(fake))
    assert made.code == 0, made.err
    old = read_dataset(out)
    before = files_of(out)
    files = Counter(old.corpus[golden.evidence[0].doc_id].sources[0] for golden in old.goldens)
    assert set(files) == {"bells.md", "dials.md", "glasses.md"}

    bells = corpus / "bells.md"
    bells.write_text(bells.read_text().replace("# Bells\n", "# Bells\n\nSomebody put in a paragraph at the top.\n"))
    (corpus / "glasses.md").unlink()
    text = (corpus / "dials.md").read_text()
    (corpus / "dials.md").rename(corpus / "sundials.md")
    (corpus / "gongs.md").write_text(
        text.replace("sundial", "gong").replace("town", "harbour").replace("# Dials", "# Gongs")
    )
    fake.reset()
    ended = command.run("refresh", str(out), "--documents", str(corpus), "--json", **url(fake))

    assert ended.code == 0, ended.err
    said, version = ended.json, tmp_path / "out" / "demo-v2"
    counts = {"valid": files["dials.md"], "moved": files["bells.md"], "stale": files["glasses.md"]}
    assert {name: said[name] for name in counts} == counts
    assert (said["state"], said["folder"], said["kept"], said["added"]) == (
        "refreshed",
        str(version),
        12,
        counts["stale"],
    )
    assert files_of(out) == before
    new = read_dataset(version)
    assert problems(new) == []
    assert Counter(golden.metadata["refresh"] for golden in new.goldens) == {
        "valid": counts["valid"],
        "moved": counts["moved"],
        "added": counts["stale"],
    }
    known = {golden.id: golden for golden in old.goldens}
    kept = [golden for golden in new.goldens if golden.id in known]
    assert len(kept) == counts["valid"] + counts["moved"]
    for golden in kept:
        then = known[golden.id]
        assert (golden.query, golden.answer, golden.lineage) == (then.query, then.answer, then.lineage)
        assert [new.corpus.text(span) for span in golden.evidence] == [old.corpus.text(span) for span in then.evidence]
        assert (golden.evidence == then.evidence) == (golden.metadata["refresh"] == "valid")
        (chunk,) = golden.chunks
        assert any(chunk.startswith(f"{span.doc_id}:") for span in golden.evidence)
    # what is new is not drawn from what is asked already
    used = Counter(chunk for golden in new.goldens for chunk in golden.chunks)
    assert max(used.values()) == 1
    assert asked(fake), "the missing goldens were asked of the model that the dataset was made with"
    assert new.manifest.models.generator == "test-model"
    assert new.manifest.wanted == 12
    assert new.manifest.refreshed is not None
    assert new.manifest.refreshed.before == "demo"
    row = next(row for row in new.manifest.funnel if row.stage == "refresh")
    assert (row.entered, row.left, row.rejected) == (12, 12 - counts["stale"], {"stale": counts["stale"]})
    stale = [reject for reject in new.rejects if reject.stage == "refresh"]
    assert len(stale) == counts["stale"]
    assert all("its document is gone" in reject.detail for reject in stale)
    lines = [json.loads(line) for line in (version / "changes.jsonl").read_text().splitlines()]
    assert sum(line["of"] == "golden" for line in lines) == 12 + counts["stale"]
    log = (version / "CHANGES.md").read_text()
    documents = ["added: gongs.md", "changed: bells.md", "removed: glasses.md", "renamed: sundials.md (was dials.md)"]
    assert all(f"- {line}" in log for line in documents)
    payload = event(prefect_api, version)
    folders = {"name": "demo", "dataset": str(version), "before": str(out)}
    assert payload == {**folders, **counts, "added": counts["stale"]}
    wanted = {"artifacts": {"key": {"any_": ["towns-changes"]}}}
    (artifact,) = ask_prefect(prefect_api, "artifacts/filter", wanted)
    assert artifact["data"] == log

    answered = len(asked(fake))
    again = command.run("refresh", str(version), "--documents", str(corpus), **url(fake))
    assert again.code == 0, again.err
    assert "unchanged: the documents are, and 12 goldens" in again.out
    assert sorted(path.name for path in out.parent.iterdir()) == ["demo", "demo-v2"]
    assert len(asked(fake)) == answered


def test_of_two_refreshes_at_once_the_second_ends_before_it_asks_anything(
    command: Command, fake: Fake, corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out" / "demo"
    options = ["--chunk-size", "100", "--n", "6", "--model", "test-model", "--out", str(out)]
    assert command.run("single-chunk", str(corpus), *options, **url(fake)).code == 0
    (corpus / "bells.md").unlink()
    (corpus / "glasses.md").unlink()
    fake.reset()
    fake.set(latency=0.5)
    first = command.start("refresh", str(out), "--documents", str(corpus), **url(fake))
    while first.poll() is None and not fake.stats()["answered"]:
        time.sleep(0.05)
    first.send_signal(signal.SIGSTOP)
    other = command.beside(tmp_path / "other")
    second = other.run("refresh", str(out), "--documents", str(corpus), **url(fake))
    assert second.code == 2
    assert "demo-v2: another run is writing it; wait for that run" in second.err
    assert not (other.home / "journal.sqlite").exists()
    first.send_signal(signal.SIGCONT)
    said, err = first.communicate(timeout=400)
    assert first.returncode in {0, 4}, err + said
    assert sorted(path.name for path in out.parent.iterdir()) == ["demo", "demo-v2"]
