"""Settings from the environment: addresses, keys, folders."""

from pathlib import Path

from pydantic import SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from ragset.settings.addresses import check_variable


class Environment(BaseSettings):
    """Settings from the environment or from `.env`. They never enter a parameter, a log or a cache key."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", populate_by_name=True)

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    milvus_uri: str | None = None
    """The vector store; its scheme chooses the kind (`ragset.retrieval.stores`). None: Milvus Lite in a file of `ragset_home`."""
    milvus_token: SecretStr | None = None
    ragset_home: Path = Path(".ragset")
    """Journal, embeddings, indexes, corpora and results of tasks, which make a second run free (docs/formats.md)."""
    ragset_prompts: Path | None = None
    """A folder of prompt files; each overrides the built-in file of the same name."""
    ragset_prices: Path | None = None
    """A YAML file of prices; each overrides the built-in price of the same model."""
    ragset_roots: str | None = None
    """Folders, and addresses of private hosts, that runs of a service may name; separated by commas."""
    ragset_systems: str | None = None
    """Modules (`my_module`, `other.pkg:answer`) and addresses that runs of a service may ask as other systems."""
    ragset_models: str | None = None
    """Local models and cross-encoders, by name or folder, that runs of a service may load."""
    ragset_hosts: str | None = None
    """Further host names of a service's servers, separated by commas."""
    ragset_reports: Path | None = None
    """A folder that is served over HTTP at `ragset_reports_url`. Runs link the reports in it by that address."""
    ragset_reports_url: str | None = None

    def check_addresses(self) -> None:
        """Raise InputError if an address names a user: each is shown in messages, links or the files of a service."""
        for name in ("openai_base_url", "milvus_uri", "ragset_reports_url"):
            check_variable(name.upper(), getattr(self, name))
