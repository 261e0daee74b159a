"""The service as a user runs it: a real Prefect server, a worker in another folder, runs started over the API and in the UI.

RAGSET_SCREENSHOTS names a folder to write pictures of the UI into: form.png and run.png.
"""

import os
import re
from collections.abc import Callable, Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from flows.deploy.service.secret import read_secret
from ragset.dataset import problems, read_dataset
from ragset.evaluation.results.folder import read_results
from tests.fake_openai import Fake
from tests.integration.service import Service

pytestmark = [pytest.mark.slow, pytest.mark.service]

CHUNKING = {"strategy": "recursive", "size": 100}
LOOPBACK = "http://127.0.0.1:"
TO_LOAD = 60_000
"""Milliseconds, for a page on a busy machine."""
TO_RUN = 500_000
KEY = "sk-planted-4f1c9e72b8"


def table(artifact: dict[str, Any]) -> str:
    assert artifact["type"] == "table"
    return artifact["data"]


def report(service: Service, artifacts: dict[str, Any]) -> str:
    """The page behind the link that a run shows."""
    link = artifacts["report"]["data"].partition("(")[2].rstrip(")")
    assert link.startswith(service.reports)
    return httpx.get(link).raise_for_status().text


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three short documents whose every paragraph is a chunk with a dated event, which the offline rules ask for."""
    folder = tmp_path / "docs"
    folder.mkdir()
    towns = ["Ambridge", "Borchester", "Casterbridge", "Darrowby", "Emmerdale", "Felpersham", "Gilling", "Hollerday"]
    for name, subject in (("bells", "bell"), ("glasses", "hourglass"), ("dials", "sundial")):
        paragraphs = [
            f"The {subject} of {town} was finished in {1500 + 7 * place}. It stood for {90 + place} years. Its keeper "
            f"measured {place * 3 + 2} errors of the {subject} in each season, because damp air in the tower slowed it "
            f"down. The council of {town} paid {place + 11} crowns a year to have it mended. Nobody in {town} knows who "
            f"cast the {subject}, and its makers left no mark on it."
            for place, town in enumerate(towns)
        ]
        (folder / f"{name}.md").write_text(f"# {name.title()}\n\n" + "\n\n".join(paragraphs) + "\n")
    return folder


def test_each_deployment_runs_with_parameters_and_a_refresh_starts_the_benchmark(
    service: Service, corpus: Path
) -> None:
    assert (service.folder / "work").is_dir()
    documents = {"sources": [str(corpus)], "corpus": "towns"}
    with service.real_runs():
        index = service.run("index", documents=documents, chunking=CHUNKING)
    assert index["name"] == "towns as recursive-100-0-tokens"

    single, multi, bench = service.out / "single", service.out / "multi", service.out / "bench"
    run = service.run("single-chunk", documents=documents, chunking=CHUNKING, n=6, out=str(single))
    dataset = read_dataset(single)
    assert len(dataset.goldens) == 6
    assert problems(dataset) == []
    shown = service.artifacts(run["id"])
    assert "draft" in table(shown["funnel"])
    assert table(shown["cost"])
    assert shown["progress"]["data"] == 100
    assert "6 of 6 accepted" in shown["progress"]["description"]
    assert "<html" in report(service, shown)
    token = {"authorization": f"Bearer {read_secret(service.home / 'review')}"}
    review = httpx.post(f"{service.reports}/-/review/single/api/start", json={"reviewer": "Ada"}, headers=token)
    assert review.raise_for_status().json()["progress"]["items"] == 6

    run = service.run("multi-chunk", n=4, out=str(multi))  # of the example corpus, as the deployment has it
    assert len(read_dataset(multi).goldens) == 4
    assert "expand" in table(service.artifacts(run["id"])["funnel"])

    run = service.run("benchmark", datasets=[str(single)], out=str(bench))
    read_results(bench)
    shown = service.artifacts(run["id"])
    assert "95 % interval" in table(shown["leaderboard"])
    assert "<html" in report(service, shown)

    adapter = service.out / "adapter"
    trained = service.run("train-adapter", dataset=str(single), chunking=CHUNKING, out=str(adapter))
    shown = service.artifacts(trained["id"])
    assert "ndcg@10" in table(shown["effect"])
    assert "Effect of the adapter" in report(service, shown)
    train_after = trigger(service, "train-adapter")
    assert train_after["enabled"] is False
    service.change(f"automations/{train_after['id']}", {"enabled": True})

    (corpus / "glasses.md").unlink()
    service.run("refresh", dataset=str(single), documents=documents)
    newer = str(service.out / "single-v2")
    assert problems(read_dataset(Path(newer))) == []
    for started, name, given, out in (
        (run, "datasets", [newer], "out/benchmarks/single"),
        (trained, "dataset", newer, "out/adapters/single"),
    ):
        runs = {"flow_runs": {"deployment_id": {"any_": [started["deployment_id"]]}}}

        def by_event(runs: Any = runs, name: str = name, given: Any = given) -> list[dict[str, Any]]:
            return [one for one in service.post("flow_runs/filter", runs) if one["parameters"][name] == given]

        (one,) = service.wait(by_event, 300)
        assert one["parameters"]["out"] == out
        service.set_state(one["id"], "CANCELLING", "Cancelling")
    service.change(f"automations/{train_after['id']}", {"enabled": False})


def test_a_failed_run_says_first_what_is_wrong_and_what_to_do(service: Service) -> None:
    # Prefect's form looks at one field at a time, so this one comes through.
    run = service.ended(service.start("index", chunking={"strategy": "token", "size": 64, "overlap": 64}))
    assert run["state_type"] == "FAILED"
    told = "chunking: overlap (64) must be smaller than size (64)"
    assert service.first_error(run["id"]) == told
    assert told in run["state"]["message"]
    assert service.artifacts(run["id"])["progress"]["description"].startswith(f"stopped: {told}")

    creating = f"deployments/{run['deployment_id']}/create_flow_run"
    refused = service.ask("POST", creating, {"parameters": {"chunking": {"size": 5}}})
    assert refused.status_code == 409
    assert "size" in refused.text
    for unknown in ({"nn": 3}, {"chunkings": CHUNKING}):
        refused = service.ask("POST", creating, {"parameters": unknown})
        assert refused.status_code == 409
        assert f"'{next(iter(unknown))}' was unexpected" in refused.text


def trigger(service: Service, name: str) -> dict[str, Any]:
    """The automation by which a refresh starts a deployment."""
    (found,) = [one for one in service.post("automations/filter", {}) if one["name"] == f"ragset-{name}-after-refresh"]
    return found


def schedules(service: Service, name: str) -> dict[Any, dict[str, Any]]:
    """Of a deployment, by slug."""
    return {one["slug"]: one for one in service.get(f"deployments/name/{name}/{name}")["schedules"]}


def test_what_was_changed_in_the_ui_is_not_undone_when_all_is_deployed_again(service: Service) -> None:
    weekly, nightly = schedules(service, "refresh")["weekly"], schedules(service, "single-chunk")["nightly-words"]
    refresh, single = weekly["deployment_id"], nightly["deployment_id"]
    service.change(f"deployments/{refresh}/schedules/{weekly['id']}", {"active": False})
    mine = {"cron": "5 3 * * 2", "timezone": "Europe/Berlin"}
    service.change(
        f"deployments/{single}/schedules/{nightly['id']}", {"active": True, "schedule": mine, "parameters": {"n": 7}}
    )
    hourly = {"schedule": {"cron": "0 * * * *", "timezone": "UTC"}, "active": False}
    (own,) = service.post(f"deployments/{single}/schedules", [hourly])
    semantic = schedules(service, "single-chunk")["nightly-semantic"]
    service.ask("DELETE", f"deployments/{single}/schedules/{semantic['id']}").raise_for_status()
    benchmark, train = trigger(service, "benchmark"), trigger(service, "train-adapter")
    service.change(f"automations/{benchmark['id']}", {"enabled": False})
    service.change(f"automations/{train['id']}", {"enabled": True})
    service.change("work_pools/ragset/queues/multi-chunk", {"concurrency_limit": 4})
    try:
        deployed = service.command("deploy", PREFECT_API_URL=service.api)
        assert deployed.returncode == 0, deployed.stderr
        after = schedules(service, "single-chunk")
        assert schedules(service, "refresh")["weekly"]["active"] is False
        kept = after["nightly-words"]
        assert (kept["active"], kept["parameters"]) == (True, {"n": 7})
        assert {name: kept["schedule"][name] for name in mine} == mine
        assert after[None]["id"] == own["id"]
        # one that is not there comes as it is written
        assert after["nightly-semantic"]["schedule"]["cron"] == "40 1 * * *"
        assert after["nightly-semantic"]["active"] is False
        assert len(after) == 8  # six nightly ones, the monthly one, and one of our own
        assert trigger(service, "benchmark")["enabled"] is False
        assert trigger(service, "train-adapter")["enabled"] is True
        assert service.get("work_pools/ragset/queues/multi-chunk")["concurrency_limit"] == 4
    finally:
        service.ask("DELETE", f"deployments/{single}/schedules/{own['id']}").raise_for_status()
        # Deploying has made them anew.
        service.change(f"automations/{trigger(service, 'benchmark')['id']}", {"enabled": True})
        service.change(f"automations/{trigger(service, 'train-adapter')['id']}", {"enabled": False})


@pytest.fixture
def planted(service: Service, fake: Fake) -> Generator[None]:
    """The model server wants a key, and only a Secret block of Prefect holds it."""
    kind = service.get("block_types/slug/secret")["id"]
    (schema,) = service.post("block_schemas/filter", {"block_schemas": {"block_type_id": {"any_": [kind]}}})[:1]
    block = {"name": "openai-api-key", "data": {"value": KEY}, "block_type_id": kind, "block_schema_id": schema["id"]}
    made = service.post("block_documents/", block)
    fake.set(key=KEY)
    yield
    service.ask("DELETE", f"block_documents/{made['id']}").raise_for_status()


def _bytes_of(path: Path) -> bytes:
    """What the file holds; nothing where the running service has taken it away meanwhile, as it does with leases."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def test_a_key_from_a_secret_block_is_used_and_stands_nowhere(
    service: Service, fake: Fake, planted: None, corpus: Path, tmp_path: Path
) -> None:
    parameters: dict[str, Any] = {
        "documents": {"sources": [str(corpus)]},
        "n": 3,
        "generator": {"model": "guarded"},
        "out": str(service.out / "guarded"),
    }
    runs = [service.run("single-chunk", **parameters)["id"]]
    assert len(read_dataset(service.out / "guarded").goldens) == 3

    fake.set(key="another")
    run = service.ended(service.start("single-chunk", **{**parameters, "generator": {"model": "refused"}}))
    assert run["state_type"] == "FAILED"
    assert "set OPENAI_API_KEY" in service.first_error(run["id"])
    runs.append(run["id"])

    places = {path for folder in (service.home, service.out) for path in folder.rglob("*") if path.is_file()}
    assert any(path.suffix == ".db" and "service" in path.parts for path in places)
    assert {path for path in places if KEY.encode() in _bytes_of(path)} == set()
    for run_id in runs:
        told = [
            service.get(f"flow_runs/{run_id}"),
            service.post("logs/filter", {"logs": {"flow_run_id": {"any_": [run_id]}}}),
            service.post("artifacts/filter", {"artifacts": {"flow_run_id": {"any_": [run_id]}}}),
            service.post("task_runs/filter", {"flow_runs": {"id": {"any_": [run_id]}}}),
        ]
        assert all(told[:3])
        assert KEY not in repr(told)


@pytest.fixture
def ui(browser: Browser, service: Service) -> Generator[Page]:
    """The start page. Whatever it asks of other machines than this one is stopped."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(TO_LOAD)
    context.route(lambda url: not url.startswith((LOOPBACK, "blob:")), lambda route: route.abort())
    page = context.new_page()
    page.goto(service.link)
    yield page
    context.close()


def take_picture(page: Page, name: str) -> None:
    if folder := os.environ.get("RAGSET_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / name, animations="disabled")


def open_form(page: Page, deployment: str) -> None:
    page.get_by_role("link", name="Deployments", exact=True).first.click()
    page.get_by_role("row", name=deployment).get_by_role("link", name=deployment).first.click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Custom run").click()
    expect(page.get_by_role("heading", name="Parameters")).to_be_visible(timeout=TO_LOAD)


def open_tab(page: Page, run: str, name: str, wanted: Locator) -> None:
    """Of the page of a run that has ended; opened anew where it was shown before all was there, for it looks once."""
    for _ in range(5):
        page.goto(run)
        page.get_by_role("tab", name=name).click()
        with suppress(AssertionError):
            expect(wanted).to_be_visible(timeout=TO_LOAD // 3)
            return
    expect(wanted).to_be_visible()


def open_artifact(page: Page, run: str, key: str) -> None:
    """The newest one under a key."""
    link = page.get_by_role("link", name=key)
    open_tab(page, run, "Artifacts", link)
    link.click()
    page.get_by_role("main").get_by_role("link", name=re.compile(r"^[0-9a-f]{8}$")).first.click()


def test_a_run_is_asked_for_in_the_form_watched_and_read(
    ui: Page, service: Service, open_alone: Callable[[str], Page]
) -> None:
    open_form(ui, "single-chunk")
    goldens = ui.get_by_role("tabpanel", name="A number").first.get_by_role("spinbutton")
    expect(goldens).to_have_value("40")
    strategy = ui.get_by_role("button", name="Select Built in")
    expect(strategy).to_have_text("recursive")

    # A bad value is refused by the form itself, and says why.
    size = ui.get_by_label("Size (Optional)", exact=True)
    size.fill("5")
    ui.get_by_role("button", name="Submit").click()
    assert size.evaluate("field => field.validationMessage") == "Value must be greater than or equal to 8."
    expect(ui.get_by_role("heading", name="Parameters")).to_be_visible()

    size.fill("96")
    goldens.fill("39")
    ui.get_by_label("Output folder (Optional)").fill(str(service.out / "sentences"))
    strategy.click()
    choices = ui.get_by_role("option")
    expect(choices).to_have_text(["recursive", "sentence", "semantic", "markdown", "token", "words"])
    take_picture(ui, "form.png")
    choices.filter(has_text="sentence").click()
    expect(strategy).to_have_text("sentence")
    ui.get_by_role("button", name="Submit").click()
    ui.get_by_role("button", name="View run").click()

    # The page before this one lists other runs that completed.
    expect(ui).to_have_url(re.compile("/runs/flow-run/"), timeout=TO_LOAD)
    run = ui.url
    main = ui.get_by_role("main")
    expect(main.get_by_text("Completed", exact=True).first).to_be_visible(timeout=TO_RUN)
    expect(main.get_by_text("39 of corpus as sentence-96-0-tokens").first).to_be_visible(timeout=TO_LOAD)
    open_tab(ui, run, "Logs", main.get_by_text("15 documents read, 0 could not be"))
    take_run_picture(ui, run)

    open_artifact(ui, run, "corpus-funnel")
    funnel = ui.get_by_role("table")
    expect(funnel.get_by_role("row").last).to_contain_text("keep", timeout=TO_LOAD)
    expect(funnel.get_by_role("row", name=re.compile("^draft"))).to_contain_text("nothing to ask")

    open_artifact(ui, run, "corpus-report")
    link = ui.get_by_role("link", name="report.html")
    expect(link).to_be_visible(timeout=TO_LOAD)
    address = link.get_attribute("href")
    assert address is not None
    assert address.startswith(service.reports)
    report = open_alone(address)
    golden = report.get_by_role("article", name="The golden chosen")
    expect(golden).to_contain_text("1 of 39")
    golden.get_by_role("button", name="Next golden").click()
    expect(golden).to_contain_text("2 of 39")
    expect(golden.locator("mark").first).to_be_visible()


def take_run_picture(page: Page, run: str) -> None:
    """The artifacts of a run; opened anew, as it was when nobody watched, and without the note of its start."""
    if "RAGSET_SCREENSHOTS" not in os.environ:
        return
    open_tab(page, run, "Artifacts", page.get_by_role("link", name="corpus-report"))
    page.mouse.move(0, 0)
    page.wait_for_timeout(2000)
    take_picture(page, "run.png")


def test_the_server_has_lost_nothing_to_a_locked_database(service: Service) -> None:
    # The last test of this file: it looks back on all runs before it.
    assert "database is locked" not in (service.folder / "logs" / "server.log").read_text()
