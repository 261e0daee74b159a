"""Keys from Prefect's Secret blocks, for flow runs whose environment holds none."""

import os

from prefect.blocks.system import Secret

from ragset.settings import Environment

BLOCKS = {"openai_api_key": "openai-api-key", "milvus_token": "milvus-token"}
"""The block that stands in for each variable that is not set."""


async def load_secrets() -> None:
    """Put the values of the blocks into this process's environment, where nothing but `Environment` reads them.

    What the environment or `.env` holds goes first. A block that does not exist is no error: not every run needs keys.
    """
    known = Environment()
    for variable, block in BLOCKS.items():
        if getattr(known, variable) is not None:
            continue
        try:
            secret = await Secret.aload(block)  # pyright: ignore[reportUnknownVariableType]
        except ValueError:
            continue
        os.environ[variable.upper()] = str(secret.get())
