import fnmatch
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragset.settings import Environment

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "deployments" / "compose.yaml"
DOCKERFILE = (ROOT / "deployments" / "Dockerfile").read_text(encoding="utf-8")
STACK: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = STACK["services"]
BUILT = sorted(name for name, service in SERVICES.items() if "build" in service)
READY_MADE = sorted(SERVICES.keys() - set(BUILT))
PREFECT = sorted(name for name in BUILT if SERVICES[name]["build"]["target"] == "prefect")

# Read by prefect-redis (`RedisMessagingSettings`), which the image holds and requirements.lock does not.
PREFECT_REDIS = {"PREFECT_REDIS_MESSAGING_HOST", "PREFECT_REDIS_MESSAGING_PORT", "PREFECT_REDIS_MESSAGING_DB"}

# Read by s3fs, for addresses such as RAGSET_STORAGE=s3://….
S3 = {"AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION"}


def filled(value: Any, **given: str) -> str:
    """`${NAME:-default}` and `${NAME:?message}` as Compose fills them in, for the `given` variables."""

    def one(match: re.Match[str]) -> str:
        name, operator, text = match.groups()
        if name in given:
            return given[name]
        assert operator == ":-", f"{name} is not set, and has no default"
        return text

    return re.sub(r"\$\{(\w+)(:-|:\?)([^}]*)\}", one, str(value))


def environment(service: str) -> dict[str, str]:
    """What the service is given when only the passwords are set."""
    written: dict[str, Any] = SERVICES[service].get("environment", {})
    return {
        name: filled(value, POSTGRES_PASSWORD="p@ss/w:rd#%+ x", PREFECT_API_AUTH_STRING="ragset:secret")
        for name, value in written.items()
        if value is not None
    }


def instructions(name: str) -> list[list[str]]:
    joined = DOCKERFILE.replace("\\\n", " ")
    return [shlex.split(line)[1:] for line in joined.splitlines() if line.startswith(f"{name} ")]


def targets(service: str) -> set[str]:
    """The folders of a container that outlive it."""
    mounts: list[Any] = SERVICES[service]["volumes"]
    return {mount["target"] if isinstance(mount, dict) else mount.split(":")[1] for mount in mounts}


def test_every_published_port_is_bound_to_loopback() -> None:
    ports = [filled(port) for service in SERVICES.values() for port in service.get("ports", [])]
    assert sorted(ports) == ["127.0.0.1:4200:4200", "127.0.0.1:4201:4201"]


def test_no_secret_stands_in_the_file() -> None:
    for service in SERVICES.values():
        for name, value in service.get("environment", {}).items():
            if re.search(r"PASSWORD|SECRET|TOKEN|_KEY|AUTH", name):
                assert value is None or re.fullmatch(r"\$\{\w+:\?[^}]+\}", value), name
            assert not re.search(r"//[^/]*:[^/]*@", str(value)), name


def test_a_missing_password_is_said_with_its_name_and_the_mend() -> None:
    passwords = dict.fromkeys(PREFECT, 2) | {"postgres": 1, "deploy": 1, "worker": 1}
    for service, number in passwords.items():
        wanted = [value for value in SERVICES[service]["environment"].values() if ":?" in str(value)]
        assert len(wanted) == number
        assert all(".env" in one.partition(":?")[2] for one in wanted)


def test_whatever_a_service_refers_to_is_declared_and_whatever_is_declared_is_used() -> None:
    volumes: set[str] = set()
    networks = {"default"}
    configs: set[str] = set()
    for service in SERVICES.values():
        volumes |= {mount.split(":")[0] for mount in service.get("volumes", []) if isinstance(mount, str)}
        networks |= set(service.get("networks", []))
        configs |= {config["source"] for config in service.get("configs", [])}
        assert set(service.get("depends_on", {})) <= set(SERVICES)
    assert volumes == set(STACK["volumes"])
    assert networks == set(STACK["networks"])
    assert configs == set(STACK["configs"])


def test_what_is_waited_for_as_healthy_says_what_healthy_is() -> None:
    awaited = {
        name
        for service in SERVICES.values()
        for name, wait in service.get("depends_on", {}).items()
        if wait["condition"] == "service_healthy"
    }
    assert awaited
    assert all("healthcheck" in SERVICES[name] for name in awaited)


def test_what_is_waited_for_to_end_is_not_started_again() -> None:
    for service in SERVICES.values():
        for name, wait in service.get("depends_on", {}).items():
            assert (wait["condition"] == "service_completed_successfully") == ("restart" not in SERVICES[name])


@pytest.mark.parametrize("name", READY_MADE)
def test_the_image_has_a_version(name: str) -> None:
    _, _, tag = SERVICES[name]["image"].partition(":")
    assert re.match(r"v?\d", tag)


def test_an_image_that_is_built_is_a_stage_of_the_dockerfile() -> None:
    stages = {words[2] for words in instructions("FROM")}
    targets = {SERVICES[name]["image"]: SERVICES[name]["build"]["target"] for name in BUILT}
    assert targets == {"ragset-prefect:local": "prefect", "ragset:local": "ragset"}
    assert set(targets.values()) <= stages


def test_server_and_workers_have_the_same_packages() -> None:
    # One stage installs, the stage of the server takes it whole, the stage with the code stands on that of the server.
    assert [words[0] for words in instructions("FROM")][2:] == ["prefect"]
    assert [words for words in instructions("COPY") if words[0] == "--from=packages"] == [
        ["--from=packages", "/opt/venv", "/opt/venv"]
    ]


def test_what_the_images_add_is_locked_by_hash_once_and_as_the_tests_run_it() -> None:
    def locked(path: str) -> dict[str, str]:
        blocks = re.findall(r"^([\w-]+)(==.+(?:\n +--hash=.+)+)", (ROOT / path).read_text("utf-8"), flags=re.MULTILINE)
        return dict(blocks)

    added, tested = locked("deployments/images.lock"), locked("requirements-engines.lock")
    assert {"prefect-redis", "distributed", "prefect-dask", "psycopg", "psycopg-binary", "s3fs"} <= set(added)
    assert not set(added) & set(locked("requirements.lock"))
    assert {name: lock for name, lock in added.items() if name != "prefect-redis"}.items() <= tested.items()


@pytest.mark.parametrize("name", PREFECT)
def test_prefect_knows_the_settings_of_its_server(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import Settings

    given = {key: value for key, value in environment(name).items() if key not in {*PREFECT_REDIS, "RAGSET_HOSTS"}}
    for key, value in given.items():
        monkeypatch.setenv(key, value)
    assert set(given) <= set(Settings().to_environment_variables(exclude_unset=True))


def test_a_password_reaches_the_database_whatever_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import Settings
    from sqlalchemy import make_url

    for key, value in environment("prefect-server").items():
        monkeypatch.setenv(key, value)
    address = Settings().server.database.connection_url
    assert address is not None
    url = make_url(address.get_secret_value())
    assert (url.drivername, url.host, url.database) == ("postgresql+asyncpg", "postgres", "prefect")
    assert url.password == "p@ss/w:rd#%+ x"


@pytest.mark.parametrize("name", ["deploy", "worker"])
def test_ragset_and_prefect_know_the_settings_of_a_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import Settings

    known = {field.upper() for field in Environment.model_fields}
    given = environment(name)
    for key, value in given.items():
        monkeypatch.setenv(key, value)
    assert set(given) - known <= set(Settings().to_environment_variables(exclude_unset=True))
    assert {key for key, value in SERVICES[name]["environment"].items() if value is None} <= known | S3


def test_the_deployments_are_made_with_the_settings_that_runs_have() -> None:
    assert SERVICES["deploy"]["environment"] == SERVICES["worker"]["environment"]


def test_what_a_run_keeps_and_writes_is_mounted() -> None:
    given = environment("worker")
    assert {given["RAGSET_HOME"], given["RAGSET_REPORTS"]} <= targets("worker")
    assert Path(given["PREFECT_RESULTS_LOCAL_STORAGE_PATH"]).is_relative_to(given["RAGSET_HOME"])


def test_the_server_is_guarded_and_known_by_the_name_that_workers_use() -> None:
    assert SERVICES["prefect-server"]["command"][:3] == ["python", "-m", "flows.deploy.prefect_server"]
    host = environment("worker")["PREFECT_API_URL"].partition("//")[2].partition(":")[0]
    assert host in environment("prefect-server")["RAGSET_HOSTS"].split(",")
    assert environment("prefect-server")["PREFECT_SERVER_API_AUTH_STRING"] == "ragset:secret"
    assert environment("worker")["PREFECT_API_AUTH_STRING"] == "ragset:secret"


def test_what_the_server_runs_of_ours_is_copied_before_the_flows() -> None:
    stage = DOCKERFILE.partition("FROM prefect AS")[0]
    assert re.findall(r"^COPY (flows\S+)", stage, flags=re.MULTILINE) == [
        "flows/__init__.py",
        "flows/deploy/prefect_server/",
    ]
    files = [*(ROOT / "flows" / "deploy" / "prefect_server").glob("*.py"), ROOT / "flows" / "__init__.py"]
    assert len(files) > 1
    for file in files:
        ours = re.findall(r"^\s*(?:from|import) ((?:flows|tasks|ragset)\S*)", file.read_text(), flags=re.MULTILINE)
        assert all(module.startswith("flows.deploy.prefect_server.") for module in ours)


def test_runs_may_name_what_is_mounted_for_them() -> None:
    given = environment("worker")
    assert {"/documents", given["RAGSET_REPORTS"]} <= set(given["RAGSET_ROOTS"].split(","))
    assert given["RAGSET_HOME"] not in given["RAGSET_ROOTS"].split(",")


def test_reports_are_served_from_the_folder_that_runs_write_to() -> None:
    given = environment("worker")
    assert given["RAGSET_REPORTS"] in targets("reports")
    assert given["RAGSET_REPORTS"] in SERVICES["reports"]["command"]
    port = given["RAGSET_REPORTS_URL"].rpartition(":")[2]
    assert [filled(published) for published in SERVICES["reports"]["ports"]] == [f"127.0.0.1:{port}:{port}"]


def test_documents_are_mounted_read_only() -> None:
    (documents,) = (
        mount
        for mount in SERVICES["worker"]["volumes"]
        if isinstance(mount, dict) and mount["target"] == "/documents"  # pyright: ignore[reportUnknownArgumentType]
    )
    assert documents["read_only"]


def test_a_missing_folder_is_an_error_and_not_made_by_root() -> None:
    binds = [mount for service in BUILT for mount in SERVICES[service].get("volumes", []) if isinstance(mount, dict)]
    assert binds
    assert all(mount["bind"]["create_host_path"] is False for mount in binds)


def test_the_worker_polls_the_pool_of_the_deployments() -> None:
    file = ROOT / "deployments" / "prefect.yaml"
    if not file.exists():
        pytest.skip("no deployments/prefect.yaml")
    deployments = yaml.safe_load(file.read_text(encoding="utf-8"))["deployments"]
    command: list[str] = SERVICES["worker"]["command"]
    assert {deployment["work_pool"]["name"] for deployment in deployments} == {command[command.index("--pool") + 1]}


def test_what_the_image_copies_is_there_and_is_let_through() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = [source for words in instructions("COPY") if "--from" not in words[0] for source in words[:-1]]
    assert "*" in lines
    assert all((ROOT / source).exists() for source in copied)
    assert {source.split("/")[0] for source in copied} == let_through


def test_no_secret_and_no_data_reach_the_image() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = [line.removeprefix("!") for line in lines if line.startswith("!")]
    for name in (".env", ".git", ".venv", ".ragset", "out"):
        assert not any(fnmatch.fnmatch(name, pattern) for pattern in let_through)


def test_packages_are_installed_from_the_lock_by_hash_and_name_no_registry() -> None:
    (install,) = (words for words in instructions("RUN") if "install" in words and "pip" in words)
    assert {"--no-deps", "--require-hashes", "/requirements.lock", "/images.lock"} <= set(install)
    assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", DOCKERFILE)


def test_a_changed_line_of_code_installs_nothing_again() -> None:
    before_install = DOCKERFILE.partition("pip install")[0]
    assert re.findall(r"^COPY (.+)", before_install, flags=re.MULTILINE) == [
        "requirements.lock deployments/images.lock /"
    ]


def test_the_image_does_not_run_as_root() -> None:
    assert instructions("USER") == [["$UID"]]
    assert "UID=1000" in [words[0] for words in instructions("ARG")]
    assert filled(SERVICES["worker"]["build"]["args"]["UID"]) == "1000"


def test_modules_import_from_any_folder_of_the_image() -> None:
    (workdir,) = instructions("WORKDIR")
    settings = [setting for words in instructions("ENV") for setting in words]
    assert f"PYTHONPATH={workdir[0]}" in settings
    assert f"RAGSET_HOME={environment('worker')['RAGSET_HOME']}" in settings
