"""What Label Studio's SDK says of the tasks, and the values by which it knows choices and labels."""

import json
import sys
from pathlib import Path

from label_studio_sdk.label_interface import LabelInterface

folder = Path(sys.argv[1])
labels = LabelInterface((folder / "labels.xml").read_text(encoding="utf-8"))
labels.validate()
tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
faults = [
    fault
    for task in tasks
    for one in task["predictions"]
    for fault in labels.validate_prediction(one, return_errors=True)
]
print(
    json.dumps(
        {
            "faults": faults,
            "tasks": [labels.validate_task({"data": task["data"]}) for task in tasks],
            "choices": {control.name: list(control.labels) for control in labels.controls},
        }
    )
)
