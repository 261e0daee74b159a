import json
import sys

from beir.datasets.data_loader import GenericDataLoader

read = {}
for split in sys.argv[2:]:
    corpus, queries, qrels = GenericDataLoader(data_folder=sys.argv[1]).load(split=split)
    read[split] = {"corpus": corpus, "queries": queries, "qrels": qrels}
print(json.dumps(read))
