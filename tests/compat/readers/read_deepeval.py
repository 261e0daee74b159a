import json
import sys

from deepeval.dataset import EvaluationDataset

dataset = EvaluationDataset()
dataset.add_goldens_from_json_file(sys.argv[1])
print(json.dumps([golden.model_dump() for golden in dataset.goldens]))
