import json
import sys
from pathlib import Path

from langfuse import Langfuse

from ragset.dataset.exporters import ExportSet, export

folder, name = Path(sys.argv[1]), sys.argv[2]
for _ in range(2):
    done = export(ExportSet.read(folder), "langfuse", name)
dataset = Langfuse(tracing_enabled=False).get_dataset(f"{name}-v1")
items = [
    {"id": item.id, "input": item.input, "expected_output": item.expected_output, "metadata": item.metadata}
    for item in dataset.items
]
print(json.dumps({"items": items, "description": dataset.description, "lost": done.lost}))
