"""Settings from the environment: addresses, keys, folders."""

from pathlib import Path
from typing import Any

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from ragset.errors import InputError
from ragset.settings.addresses import check_variable


class Environment(BaseSettings):
    """Settings from the environment or from `.env`. They never enter a parameter, a log or a cache key."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True)

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    milvus_uri: str | None = None  # the vector store; its scheme chooses the kind. None: a file of Milvus Lite
    milvus_token: SecretStr | None = None
    ragset_chunks_token: SecretStr | None = (
        None  # of the Milvus of existing chunks, where it is not that of `milvus_uri`
    )
    ragset_journal: SecretStr | None = None  # a Postgres database for replies and embeddings, instead of `ragset_home`
    ragset_home: Path = Path(".ragset")  # journal, embeddings, indexes, corpora, results of tasks (docs/formats.md)
    ragset_storage: str | None = None  # an address, such as s3://bucket/ragset, for what several machines share of it
    ragset_prompts: Path | None = None  # a folder of prompt files; each overrides the built-in one of the same name
    ragset_prices: Path | None = None  # a YAML file of prices; each overrides the built-in one of the same model
    # What runs of a service may name, separated by commas.
    ragset_roots: str | None = None  # folders, and addresses of private hosts
    ragset_systems: str | None = None  # modules (`my_module`, `other.pkg:answer`) and addresses of other systems
    ragset_models: str | None = None  # local models and cross-encoders, by name or folder
    ragset_hosts: str | None = None  # further host names of a service's servers, separated by commas
    ragset_reports: Path | None = None  # a folder that is served at `ragset_reports_url`, by which runs link reports
    ragset_reports_url: str | None = None

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except UnicodeDecodeError:
            raise InputError(".env: is not UTF-8; save it as UTF-8") from None

    @property
    def journal(self) -> Path | SecretStr:
        """What `Journal` opens."""
        return self.ragset_journal or self.ragset_home / "journal.sqlite"

    def check_addresses(self) -> None:
        """Raise InputError if an address names a user: each is shown in messages, links or the files of a service."""
        for name in ("openai_base_url", "milvus_uri", "ragset_storage", "ragset_reports_url"):
            check_variable(name.upper(), getattr(self, name))
