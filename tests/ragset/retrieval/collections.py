"""Collections of Milvus as the integrations of LlamaIndex and LangChain write them (llama-index-vector-stores-milvus 1.2,
langchain-milvus 0.3), written to Milvus Lite here without those packages."""

import json
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragset.retrieval.milvus.connection import connect, load_pymilvus
from ragset.settings import Environment

LLAMA_INDEX, LANG_CHAIN = "llamacollection", "LangChainCollection"


@contextmanager
def written(path: Path, name: str, dimensions: int, vector: str, *, auto: bool, dynamic: bool) -> Generator[Any]:
    """An empty collection, whose schema the block completes, and then its client."""
    kinds = load_pymilvus().DataType
    env = Environment(_env_file=None, ragset_home=path.parent, milvus_uri=str(path))  # type: ignore[call-arg]
    with closing(connect(env)) as connection:
        client: Any = connection.client
        schema = client.create_schema(auto_id=auto, enable_dynamic_field=dynamic)
        yield schema, kinds
        schema.add_field(vector, kinds.FLOAT_VECTOR, dim=dimensions)
        indexes = client.prepare_index_params()
        indexes.add_index(vector, index_type="FLAT", metric_type="IP")
        client.create_collection(name, schema=schema, index_params=indexes)
        client.insert(name, data=schema.rows)
        client.flush(name)
        client.release_collection(name)


def write_llama_index(path: Path, chunks: Sequence[tuple[str, str, int]], vectors: NDArray[np.float32]) -> list[str]:
    """Chunks of text, file and start; their ids."""
    ids = [f"acbe9f7f-23f0-463a-835e-{number:012d}" for number in range(len(chunks))]
    with written(path, LLAMA_INDEX, vectors.shape[1], "embedding", auto=False, dynamic=True) as (schema, kinds):
        schema.add_field("id", kinds.VARCHAR, is_primary=True, max_length=65_535)
        schema.add_field("doc_id", kinds.VARCHAR, max_length=65_535)
        schema.add_field("text", kinds.VARCHAR, max_length=65_535)
        schema.rows = [
            _node(id_, *chunk, vector.tolist()) for id_, chunk, vector in zip(ids, chunks, vectors, strict=True)
        ]
    return ids


def _node(id_: str, text: str, file: str, start: int, vector: list[float]) -> dict[str, Any]:
    metadata = {"file_name": file, "file_path": f"/data/{file}", "file_type": "text/plain"}
    parent = "51b96f60-e708-4ef1-8fba-5c0025991dc2"
    content = {
        "id_": id_,
        "embedding": None,
        "metadata": metadata,
        "relationships": {"1": {"node_id": parent, "node_type": "4", "metadata": metadata}},
        "text": "",
        "start_char_idx": start,
        "end_char_idx": start + len(text),
        "class_name": "TextNode",
    }
    ids = {"id": id_, "doc_id": parent, "document_id": parent, "ref_doc_id": parent}
    return {
        **ids,
        **metadata,
        "text": text,
        "embedding": vector,
        "_node_content": json.dumps(content),
        "_node_type": "TextNode",
    }


def write_lang_chain(
    path: Path, chunks: Sequence[tuple[str, str, int]], vectors: NDArray[np.float32], *, in_one_field: bool
) -> None:
    """Chunks of text, file and start, with their metadata in a field each, or all `in_one_field`."""
    with written(path, LANG_CHAIN, vectors.shape[1], "vector", auto=True, dynamic=False) as (schema, kinds):
        schema.add_field("text", kinds.VARCHAR, max_length=65_535)
        schema.add_field("pk", kinds.INT64, is_primary=True, auto_id=True)
        if in_one_field:
            schema.add_field("metadata", kinds.JSON)
        else:
            schema.add_field("source", kinds.VARCHAR, max_length=65_535)
            schema.add_field("start_index", kinds.INT64)
        schema.rows = []
        for (text, file, start), vector in zip(chunks, vectors, strict=True):
            metadata = {"source": file, "start_index": start}
            told = {"metadata": metadata} if in_one_field else metadata
            schema.rows.append({"text": text, "vector": vector.tolist(), **told})
