import json
import sys
from pathlib import Path

from llama_index.core.evaluation import EmbeddingQAFinetuneDataset
from llama_index.core.llama_dataset import LabelledRagDataset

folder = Path(sys.argv[1])
examples = LabelledRagDataset.from_json(str(folder / "rag_dataset.json")).examples
pairs = EmbeddingQAFinetuneDataset.from_json(str(folder / "embedding_qa_dataset.json"))
print(json.dumps({"examples": [example.model_dump() for example in examples], "pairs": pairs.model_dump()}))
