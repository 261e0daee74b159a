import json
import sys
from pathlib import Path

from mlflow.genai.datasets import get_dataset

from ragset.dataset.exporters import ExportSet, export

folder, name = Path(sys.argv[1]), sys.argv[2]
for _ in range(2):
    done = export(ExportSet.read(folder), "mlflow", name)
dataset = get_dataset(name=f"{name}-v1")
records = [
    {name: row[name] for name in ("inputs", "expectations", "tags")} for row in dataset.to_df().to_dict("records")
]
print(json.dumps({"records": records, "tags": dataset.tags, "lost": done.lost}))
