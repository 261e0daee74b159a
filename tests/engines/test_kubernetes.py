"""The manifests by the schemas of real Kubernetes releases, which kubernetes-validate carries."""

from typing import Any

import pytest

from tests.deployments.test_kubernetes import OBJECTS

pytestmark = pytest.mark.engines


@pytest.mark.parametrize("release", ["1.29", "1.37"])
def test_manifests_are_valid(release: str) -> None:
    from kubernetes_validate import validate

    for made in OBJECTS:
        assert validate(made, release, strict=True) == release


def test_a_misspelt_field_is_found() -> None:
    from kubernetes_validate import ValidationError, validate

    (worker,) = (made for made in OBJECTS if made["metadata"]["name"] == "worker" and made["kind"] == "Deployment")
    wrong: dict[str, Any] = {**worker, "spec": {**worker["spec"], "replica": 2}}
    with pytest.raises(ValidationError, match="replica"):
        validate(wrong, "1.37", strict=True)
