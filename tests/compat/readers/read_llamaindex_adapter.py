import json
import sys

from llama_index.core.embeddings import MockEmbedding
from llama_index.embeddings.adapter import LinearAdapterEmbeddingModel

folder, vector = sys.argv[1], json.loads(sys.argv[2])


class Given(MockEmbedding):
    """Any text has the vector that is given."""

    def _get_query_embedding(self, query: str) -> list[float]:
        return vector

    def _get_text_embedding(self, text: str) -> list[float]:
        return vector


model = LinearAdapterEmbeddingModel(Given(embed_dim=len(vector)), folder)
print(json.dumps({"query": model.get_query_embedding("q"), "passage": model.get_text_embedding("p")}))
