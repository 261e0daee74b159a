"""Questions to the Prefect server that the commands of the tests share, with its secret."""

import os
from typing import Any

import httpx
from prefect.client.orchestration import PrefectClient

from flows.deploy.service.secret import SENT


def client_of(api: str) -> PrefectClient:
    return PrefectClient(api, auth_string=os.environ[SENT])


def ask_prefect(api: str, path: str, body: Any) -> Any:
    name, _, password = os.environ[SENT].partition(":")
    return httpx.post(f"{api}/{path}", json=body, auth=(name, password)).raise_for_status().json()
