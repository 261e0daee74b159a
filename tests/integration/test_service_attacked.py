"""Web pages of other sites against a running service: they start nothing, whatever they send."""

import json
import re
from base64 import b64encode
from collections.abc import Generator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from flows.deploy.service.processes import members
from flows.deploy.service.secret import read_secret, secret_file
from tests.integration.service import ROOT, Service

pytestmark = [pytest.mark.slow, pytest.mark.service]

SITE = "http://evil.example"
"""The browser of the tests finds it on this machine, and knows it for another site than the service."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def foreign_page(browser: Browser, tmp_path: Path) -> Generator[Page]:
    """An empty page of another site."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Cats</title>")
    context = browser.new_context()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path))) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        page = context.new_page()
        page.goto(f"{SITE}:{server.server_port}/")
        yield page
        context.close()
        server.shutdown()
        thread.join()


@pytest.fixture
def harm(service: Service) -> Path:
    """A file that the attack would make."""
    return service.out / "harm"


@pytest.fixture
def attack(service: Service, harm: Path) -> dict[str, Any]:
    """Parameters of a benchmark that hands each query to a shell."""
    service.out.mkdir(exist_ok=True)
    questions = service.out / "questions.csv"
    questions.write_text(f"question,context\ntouch {harm},Cats sleep for sixteen hours a day.\n")
    system = {"name": "shell", "python": "os:system"}
    return {"datasets": [str(questions)], "grid": None, "systems": [system], "out": str(service.out / "attacked")}


def send(page: Page, address: str, body: Any) -> None:
    """As a page may send to any site without being asked: a POST without a content type, whose answer it cannot read."""
    page.evaluate(
        """([address, body]) =>
            fetch(address, {method: "POST", mode: "no-cors", body: new Blob([body])}).then(() => "", () => "")""",
        [address, json.dumps(body)],
    )


def runs(service: Service) -> int:
    return service.post("flow_runs/count", {})


def test_a_page_of_another_site_starts_no_run(
    service: Service, foreign_page: Page, attack: dict[str, Any], harm: Path
) -> None:
    deployment = service.get("deployments/name/benchmark/benchmark")["id"]
    before = runs(service)
    send(foreign_page, f"{service.api}/deployments/{deployment}/create_flow_run", {"parameters": attack})
    # a run would be there as soon as its request was answered; the harm, when a worker had taken it
    foreign_page.wait_for_timeout(2_000)
    assert runs(service) == before
    assert not harm.exists()


def test_a_page_of_another_site_makes_no_automation(
    service: Service, foreign_page: Page, attack: dict[str, Any]
) -> None:
    before = service.post("automations/count", {})
    trigger = {"type": "event", "posture": "Reactive", "expect": ["prefect.deployment.*"], "threshold": 1, "within": 0}
    action = {"type": "run-deployment", "source": "inferred", "parameters": attack}
    send(foreign_page, f"{service.api}/automations/", {"name": "cats", "trigger": trigger, "actions": [action]})
    assert service.post("automations/count", {}) == before


def test_a_name_that_leads_to_this_machine_does_not_open_the_service(service: Service, foreign_page: Page) -> None:
    for port in (service.port, service.port + 1):  # of Prefect and of the reports
        answer = foreign_page.goto(f"{SITE}:{port}/")
        assert answer is not None
        assert answer.status == 403


def test_a_page_of_another_site_hears_no_events(service: Service, foreign_page: Page) -> None:
    ended = foreign_page.evaluate(
        """(address) => new Promise((told) => {
            const socket = new WebSocket(address, "prefect");
            socket.onopen = () => told("open");
            socket.onerror = () => told("refused");
        })""",
        f"{service.api.replace('http', 'ws', 1)}/events/out",
    )
    assert ended == "refused"


def test_what_a_person_starts_calls_no_function_and_reads_no_file_that_the_worker_does_not_allow(
    service: Service, attack: dict[str, Any], harm: Path, tmp_path: Path
) -> None:
    run = service.ended(service.start("benchmark", **attack))
    assert run["state_type"] == "FAILED"
    told = service.first_error(run["id"])
    assert told.startswith("systems.python: runs may not ask 'os:system'")
    assert "RAGSET_SYSTEMS" in told
    assert not harm.exists()

    run = service.ended(service.start("index", documents={"sources": ["/etc/passwd", str(service.folder)]}))
    told = service.first_error(run["id"]) + run["state"]["message"]
    assert "/etc/passwd is in no folder that runs may use" in told
    assert "RAGSET_HOME" in told


def test_who_starts_a_run_sets_neither_the_command_nor_the_environment_of_its_process(
    service: Service, attack: dict[str, Any], harm: Path
) -> None:
    deployment = service.get("deployments/name/benchmark/benchmark")["id"]
    before = runs(service)
    for variables in ({"env": {"RAGSET_SYSTEMS": "os"}}, {"command": f"touch {harm}"}):
        asked = {"parameters": attack, "job_variables": variables}
        assert service.ask("POST", f"deployments/{deployment}/create_flow_run", asked).status_code >= 400
    assert runs(service) == before


def test_the_secret_is_in_a_file_of_this_user_and_stands_nowhere_else(service: Service) -> None:
    file = secret_file(service.folder)
    assert file.stat().st_mode & 0o777 == 0o600
    secret = read_secret(service.folder)
    service.run("index", documents={"sources": [str(ROOT / "examples" / "corpus")]})
    for shown in (secret, b64encode(secret.encode()).decode()):
        places = (path for folder in (service.home, service.out) for path in folder.rglob("*") if path.is_file())
        assert {path for path in places if shown.encode() in path.read_bytes()} <= {file}
        for pid in members(service.folder):
            assert shown.encode() not in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert httpx.post(f"{service.api}/flows/count", json={}).status_code == 401


def test_commands_find_the_secret_of_the_service_by_its_address(service: Service) -> None:
    deployed = service.command("deploy", PREFECT_API_URL=service.api)
    assert deployed.returncode == 0, deployed.stderr
    refused = service.command("deploy", PREFECT_API_URL=service.api, PREFECT_API_AUTH_STRING="ragset:guessed")
    assert refused.returncode == 3
    assert "PREFECT_API_AUTH_STRING: Prefect's server" in refused.stderr
    assert "guessed" not in refused.stderr


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_browser_that_was_given_the_link_works_in_both_versions_of_the_ui(
    browser: Browser, service: Service, version: str
) -> None:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.set_default_timeout(90_000)
    context.add_cookies([{"name": "prefect_ui_version", "value": version, "url": service.ui}])
    page = context.new_page()
    page.goto(service.link)
    page.get_by_text("Deployments", exact=True).first.click()
    # The dashboard, and each row of the list, also link to the flow that is called "index".
    page.locator("a[href*='/deployments/deployment/']", has_text=re.compile("^index$")).first.click()
    assert page.url.startswith(f"{service.ui}/v2/") == (version == "v2")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Quick run", exact=True).click()
    with page.expect_response(lambda answer: answer.url.endswith("/create_flow_run")) as answered:
        page.get_by_role("dialog").get_by_role("button", name="Run", exact=True).click()
    run = answered.value.json()["id"]
    context.close()  # an open page would ask and draw until the run has ended
    assert service.ended(run)["state_type"] == "COMPLETED"


def test_a_browser_without_the_link_is_asked_for_the_secret(browser: Browser, service: Service) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(service.ui)
    expect(page.get_by_role("button", name="Login")).to_be_visible(timeout=90_000)
    page.goto(f"{service.ui}/sign-in#ragset:guessed")
    expect(page.get_by_text("This link does not open this service")).to_be_visible(timeout=90_000)
    assert page.evaluate("localStorage.getItem('prefect-password')") is None
    context.close()
