import json
import sys

from datasets import load_dataset

names = ("corpus", "queries", "default", "goldens")
loaded = {name: load_dataset(sys.argv[1], name) for name in names}
print(json.dumps({name: {split: rows.to_list() for split, rows in one.items()} for name, one in loaded.items()}))
