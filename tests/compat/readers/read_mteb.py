import importlib
import json
import sys

import mteb

folder, name = sys.argv[1:]
sys.path.insert(0, folder)
task = getattr(importlib.import_module("mteb_task"), name)()
task.load_data()
[data] = task.dataset.values()
read = {
    "corpus": {row["id"]: row["text"] for row in data["test"]["corpus"]},
    "queries": {row["id"]: row["text"] for row in data["test"]["queries"]},
    "qrels": data["test"]["relevant_docs"],
}
model = mteb.get_model("mteb/baseline-random-encoder")
[result] = mteb.evaluate(model, [task], cache=None, show_progress_bar=False).task_results
print(json.dumps({**read, "score": result.get_score(), "splits": list(result.scores)}))
