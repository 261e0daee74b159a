"""What Argilla's SDK makes of the folder: settings and records; and the records as it writes them with a person's responses."""

import json
import sys
import uuid
from pathlib import Path
from types import SimpleNamespace

import argilla as rg
from argilla.datasets._io._disk import DiskImportExportMixin
from argilla.records._io import JsonIO

# Settings ask for a client that is signed in, and use it only to send themselves.
rg.Argilla._default_client = SimpleNamespace(
    api=SimpleNamespace(**dict.fromkeys(["datasets", "fields", "questions", "metadata"]))
)
folder, back = Path(sys.argv[1]), Path(sys.argv[2])
dataset_path, settings_path, records_path = DiskImportExportMixin._define_child_paths(folder)
settings = rg.Settings.from_json(settings_path)
settings.validate()
records = JsonIO._records_from_json(records_path)
for record in records:
    for suggestion in list(record.suggestions):
        record.responses.add(rg.Response(suggestion.question_name, suggestion.value, user_id=uuid.UUID(int=1)))
    record.responses.add(rg.Response("verdict", "good", user_id=uuid.UUID(int=1)))
JsonIO.to_json(records, back)
print(
    json.dumps(
        {
            "name": DiskImportExportMixin._load_dataset_model(dataset_path).name,
            "questions": [question.name for question in settings.questions],
            "fields": [field.name for field in settings.fields],
            "records": [record.to_dict() for record in records],
        }
    )
)
