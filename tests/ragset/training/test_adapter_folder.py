import yaml

from ragset.settings import EmbeddingSettings
from ragset.training.adapter_folder import usage


def test_what_to_write_is_the_setting_with_the_adapter_on_one_line() -> None:
    arguments = {"model_name": "nomic: embed", "nested": {"a": [1]}}
    embedded_by = EmbeddingSettings(model="llamaindex:OllamaEmbedding", arguments=arguments, batch_size=8)
    told = usage(embedded_by, "out/my adapter")
    assert "\n" not in told
    read = EmbeddingSettings.model_validate(yaml.safe_load(told)["embedding"])
    assert read == embedded_by.model_copy(update={"adapter": "out/my adapter"})
