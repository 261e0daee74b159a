import pytest

from ragset.errors import InputError
from ragset.retrieval.embedding import connect_embedder
from ragset.retrieval.embedding.offline import OfflineEmbedder
from ragset.settings import EmbeddingSettings, Environment


def environment(**values: str | None) -> Environment:
    return Environment(_env_file=None, **{"openai_api_key": None, "openai_base_url": None, **values})  # type: ignore[arg-type]


def test_the_default_is_the_offline_embedding_of_512_dimensions() -> None:
    embedder = connect_embedder(EmbeddingSettings(), environment())
    assert isinstance(embedder, OfflineEmbedder)
    assert embedder.name == "offline-512"


def test_the_offline_embedding_takes_other_dimensions() -> None:
    assert connect_embedder(EmbeddingSettings(dimensions=64), environment()).name == "offline-64"


def test_an_endpoint_model_is_named_with_the_dimensions_asked_for() -> None:
    settings = EmbeddingSettings(model="text-embedding-3-small", dimensions=256)
    embedder = connect_embedder(settings, environment(openai_api_key="sk-1"))
    assert embedder.name == "text-embedding-3-small-256"


def test_an_endpoint_without_key_and_address_says_what_to_set() -> None:
    with pytest.raises(InputError, match=r"OPENAI_API_KEY.*OPENAI_BASE_URL"):
        connect_embedder(EmbeddingSettings(model="text-embedding-3-small"), environment())


def test_a_local_model_without_its_extra_says_what_to_install() -> None:
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        with pytest.raises(InputError, match=r"pip install 'ragset\[local\]'"):
            connect_embedder(EmbeddingSettings(model="local:all-MiniLM-L6-v2"), environment())
    else:
        pytest.skip("the extra is installed")
