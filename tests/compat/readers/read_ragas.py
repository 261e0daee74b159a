import json
import sys

from ragas import EvaluationDataset

dataset = EvaluationDataset.from_jsonl(sys.argv[1])
print(json.dumps({"features": dataset.features(), "samples": [sample.model_dump() for sample in dataset.samples]}))
