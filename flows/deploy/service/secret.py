"""The secret of a service. Whoever knows it can start runs, and so run code, as the user who serves."""

import json
import os
import secrets
from pathlib import Path

from ragset.errors import InputError
from ragset.settings.command_line import command

SENT = "PREFECT_API_AUTH_STRING"  # Prefect's clients send it
ASKED = "PREFECT_SERVER_API_AUTH_STRING"  # Prefect's server asks for it


def new_secret() -> str:
    """A secret as Prefect wants it: a name, a colon, a password."""
    return f"ragset:{secrets.token_urlsafe(32)}"


def secret_file(folder: Path) -> Path:
    """Where the service of `folder` keeps its secret."""
    return folder / "secret"


def read_secret(folder: Path) -> str:
    """The secret of the service of `folder`, made if there is none; only this user can read its file.

    Raises:
        InputError: others can read it.
    """
    file = secret_file(folder)
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as written:
            written.write(new_secret() + "\n")
    except FileExistsError:
        if file.stat().st_mode & 0o077:
            raise InputError(
                f"{file}: other users can read the secret of the service; end the service ({command('stop')}), delete "
                "the file and serve again"
            ) from None
    return file.read_text(encoding="utf-8").strip()


def use_secret(api: str, home: Path) -> None:
    """Let Prefect in this process send the secret, if `api` is the server of the service of `home`."""
    folder = home / "service"
    try:
        running = json.loads((folder / "service.json").read_text(encoding="utf-8"))["where"]["api"]
    except (OSError, ValueError, KeyError):
        return
    if running == api.rstrip("/") and SENT not in os.environ and secret_file(folder).exists():
        os.environ[SENT] = read_secret(folder)
