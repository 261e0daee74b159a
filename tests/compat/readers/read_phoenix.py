import json
import sys
from pathlib import Path

from phoenix.client import Client

from ragset.dataset.exporters import ExportSet, export

folder, name = Path(sys.argv[1]), sys.argv[2]
for _ in range(2):
    done = export(ExportSet.read(folder), "phoenix", name)
client = Client()
dataset = client.datasets.get_dataset(dataset=f"{name}-v1")
trained = client.datasets.get_dataset(dataset=f"{name}-v1", splits=["train"])
print(json.dumps({"examples": dataset.examples, "train": len(trained), "lost": done.lost}))
