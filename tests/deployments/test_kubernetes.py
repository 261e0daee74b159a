import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from flows.deploy.prefect_server.guard import known_hosts
from ragset.settings import Environment
from tests.deployments.test_compose import DOCKERFILE, SERVICES, environment

FOLDER = Path(__file__).parents[2] / "deployments" / "kubernetes"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text(encoding="utf-8"))
OBJECTS: list[dict[str, Any]] = [
    made
    for name in KUSTOMIZATION["resources"]
    for made in yaml.safe_load_all((FOLDER / name).read_text(encoding="utf-8"))
]
PODS = {made["metadata"]["name"]: made["spec"]["template"] for made in OBJECTS if "template" in made.get("spec", {})}

SECRETS = {
    "prefect-server": {"PREFECT_SERVER_API_AUTH_STRING", "PREFECT_SERVER_DATABASE_PASSWORD"},
    "ragset": {"PREFECT_API_AUTH_STRING"},
}
"""What has to be in each secret; that of `ragset` takes any other variable of a run too."""
ADDRESSES = {"PREFECT_SERVER_DATABASE_HOST", "MILVUS_URI", "RAGSET_ROOTS", "RAGSET_HOSTS"}
"""What differs between compose.yaml and a cluster."""
OF_A_CLUSTER = {"PREFECT_HOME", "RAGSET_STORAGE"}
"""What compose.yaml leaves to its writable containers and its shared volume."""


def named(kind: str) -> dict[str, dict[str, Any]]:
    return {made["metadata"]["name"]: made for made in OBJECTS if made["kind"] == kind}


def containers() -> Iterator[dict[str, Any]]:
    for pod in PODS.values():
        yield from pod["spec"]["containers"]
        yield from pod["spec"].get("initContainers", ())


def test_every_file_of_the_folder_is_applied() -> None:
    assert {*KUSTOMIZATION["resources"], "kustomization.yaml"} == {path.name for path in FOLDER.iterdir()}


@pytest.mark.parametrize(("settings", "service"), [("prefect-server", "prefect-server"), ("ragset", "worker")])
def test_variables_are_those_of_compose(settings: str, service: str) -> None:
    given: dict[str, str] = named("ConfigMap")[settings]["data"]
    theirs = environment(service)
    assert set(given) | SECRETS[settings] == set(theirs) | (set(given) & OF_A_CLUSTER)
    same = set(theirs) - SECRETS[settings] - ADDRESSES
    assert {name: given[name] for name in same} == {name: theirs[name] for name in same}


def test_ragset_and_prefect_know_the_settings_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import Settings

    given: dict[str, str] = named("ConfigMap")["ragset"]["data"]
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    known = {field.upper() for field in Environment.model_fields}
    assert set(given) - known <= set(Settings().to_environment_variables(exclude_unset=True))


def test_commands_are_those_of_compose() -> None:
    compared = [container for container in containers() if container["name"] in SERVICES]
    assert {container["name"] for container in compared} >= {"migrate", "prefect-server", "worker", "deploy", "reports"}
    for container in compared:
        assert container["command"] == SERVICES[container["name"]]["command"]


def test_images_are_stages_of_the_dockerfile_and_that_of_redis_is_the_one_of_compose() -> None:
    ours = {"ragset": "ragset", "ragset-prefect": "prefect"}
    assert {container["image"] for container in containers()} == {*ours, SERVICES["redis"]["image"]}
    assert {image["name"] for image in KUSTOMIZATION["images"]} == set(ours)
    assert all(re.search(rf"^FROM \S+ AS {stage}$", DOCKERFILE, flags=re.MULTILINE) for stage in ours.values())


def test_a_secret_is_named_and_never_written_down() -> None:
    assert not named("Secret")
    for container in containers():
        assert all(list(one["valueFrom"]) == ["secretKeyRef"] for one in container.get("env", ()))
        used = {next(iter(one.values()))["name"] for one in container.get("envFrom", ())}
        assert used <= set(named("ConfigMap"))
        assert used <= set(SECRETS)
    for settings in named("ConfigMap").values():
        assert not [name for name in settings["data"] if re.search(r"PASSWORD|SECRET|TOKEN|_KEY|AUTH|JOURNAL", name)]


@pytest.mark.parametrize("name", PODS)
def test_a_pod_may_run_where_the_restricted_standard_holds(name: str) -> None:
    spec = PODS[name]["spec"]
    assert named("Namespace")["ragset"]["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    assert spec["securityContext"]["runAsNonRoot"]
    assert spec["securityContext"]["runAsUser"] > 0
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        confined = {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["securityContext"] == confined
        assert {"cpu", "memory"} <= set(container["resources"]["requests"])
        assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("name", PODS)
def test_kubernetes_adds_no_variables_and_no_token(name: str) -> None:
    # PREFECT_SERVER_PORT=tcp://… of a service `prefect-server` would be a setting of Prefect's.
    assert PODS[name]["spec"]["enableServiceLinks"] is False
    assert PODS[name]["spec"]["automountServiceAccountToken"] is False


@pytest.mark.parametrize("name", PODS)
def test_what_a_container_writes_is_mounted(name: str) -> None:
    spec = PODS[name]["spec"]
    claimed = named("StatefulSet").get(name, {}).get("spec", {}).get("volumeClaimTemplates", ())
    volumes = {volume["name"] for volume in spec.get("volumes", ())} | {one["metadata"]["name"] for one in claimed}
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        assert {mount["name"] for mount in container.get("volumeMounts", ())} <= volumes
    claims = {
        volume["persistentVolumeClaim"]["claimName"]
        for volume in spec.get("volumes", ())
        if "persistentVolumeClaim" in volume
    }
    assert claims <= set(named("PersistentVolumeClaim"))


def test_no_worker_starts_without_a_journal_that_outlives_it() -> None:
    spec = PODS["worker"]["spec"]
    assert {"name": "home", "emptyDir": {}} in spec["volumes"]
    assert {one["name"] for one in spec["containers"][0]["env"]} == {"RAGSET_JOURNAL"}
    assert named("ConfigMap")["ragset"]["data"]["RAGSET_STORAGE"]


def test_a_run_writes_to_volumes() -> None:
    (worker,) = PODS["worker"]["spec"]["containers"]
    mounted = [Path(mount["mountPath"]) for mount in worker["volumeMounts"] if not mount.get("readOnly")]
    given = named("ConfigMap")["ragset"]["data"]
    for name in ("RAGSET_HOME", "RAGSET_REPORTS", "PREFECT_HOME", "PREFECT_RESULTS_LOCAL_STORAGE_PATH"):
        assert any(Path(given[name]).is_relative_to(folder) for folder in mounted), name


def test_what_is_asked_whether_it_is_well_answers_that_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSET_HOSTS", named("ConfigMap")["prefect-server"]["data"]["RAGSET_HOSTS"])
    probed = 0
    for container in containers():
        for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
            if asked := container.get(kind, {}).get("httpGet"):
                probed += 1
                assert {"containerPort": asked["port"]} in container["ports"]
                if container["name"] != "worker":  # Prefect's own, which answers to any name
                    (host,) = asked["httpHeaders"]
                    assert (host["name"], host["value"] in known_hosts()) == ("Host", True)
    assert probed == 7


def test_services_and_policies_find_their_pods() -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    selectors = [made["spec"]["selector"] for made in named("Service").values()]
    for policy in named("NetworkPolicy").values():
        rules = [*policy["spec"].get("ingress", ()), *policy["spec"].get("egress", ())]
        peers = [peer for rule in rules for peer in (*rule.get("from", ()), *rule.get("to", ()))]
        selectors += [peer["podSelector"]["matchLabels"] for peer in peers if "namespaceSelector" not in peer]
        selectors.append(policy["spec"]["podSelector"].get("matchLabels", {}))
    for made in OBJECTS:
        if made["kind"] in {"Deployment", "StatefulSet"}:
            wanted = made["spec"]["selector"]["matchLabels"]
            assert wanted.items() <= made["spec"]["template"]["metadata"]["labels"].items()
    assert all(any(wanted.items() <= one.items() for one in labels) for wanted in selectors)


def test_workers_reach_the_server_by_its_name_and_port() -> None:
    address = named("ConfigMap")["ragset"]["data"]["PREFECT_API_URL"]
    assert named("Service")["prefect-server"]["spec"]["ports"] == [{"port": 4200}]
    assert address == "http://prefect-server:4200/api"
