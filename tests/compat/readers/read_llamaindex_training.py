import json
import sys

from llama_index.core.evaluation import EmbeddingQAFinetuneDataset

read = EmbeddingQAFinetuneDataset.from_json(sys.argv[1])
print(json.dumps({"dataset": read.model_dump(), "pairs": [list(pair) for pair in read.query_docid_pairs]}))
