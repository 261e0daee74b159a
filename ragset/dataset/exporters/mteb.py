"""MTEB: a repository as for Hugging Face, with a task class that runs on it."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from ragset.dataset.exporters.export_set import ExportSet
from ragset.dataset.exporters.huggingface import write_repository
from ragset.dataset.exporters.registry import PARTS, exporter
from ragset.settings import OFFLINE

TASK = "mteb_task.py"
_LANGUAGES = dict(
    pair.split("=")
    for pair in [
        "ar=arb-Arab",
        "ca=cat-Latn",
        "cs=ces-Latn",
        "da=dan-Latn",
        "de=deu-Latn",
        "el=ell-Grek",
        "en=eng-Latn",
        "es=spa-Latn",
        "fa=fas-Arab",
        "fi=fin-Latn",
        "fr=fra-Latn",
        "he=heb-Hebr",
        "hi=hin-Deva",
        "hu=hun-Latn",
        "id=ind-Latn",
        "it=ita-Latn",
        "ja=jpn-Jpan",
        "ko=kor-Hang",
        "nl=nld-Latn",
        "no=nob-Latn",
        "pl=pol-Latn",
        "pt=por-Latn",
        "ro=ron-Latn",
        "ru=rus-Cyrl",
        "sv=swe-Latn",
        "th=tha-Thai",
        "tr=tur-Latn",
        "uk=ukr-Cyrl",
        "vi=vie-Latn",
        "zh=cmn-Hans",
    ]
)
"""As MTEB names them: ISO 639-3 and ISO 15924, by ISO 639-1."""
_UNKNOWN = "und-Zyyy"


@exporter("mteb", f"the repository of huggingface, with a task class in {TASK} that mteb runs", keeps=PARTS)
def write_mteb(given: ExportSet, folder: Path) -> Mapping[str, int]:
    """The task evaluates on the split `test`, or on all where that has no judgements."""
    name = "".join(part.capitalize() for part in "".join(c if c.isalnum() else " " for c in given.name).split())
    name = f"Ragset{name}V{given.version}"
    usage = f"""
With mteb, from within this folder:

```python
import mteb
from mteb_task import {name}

results = mteb.evaluate(mteb.get_model("sentence-transformers/all-MiniLM-L6-v2"), [{name}()])
```
"""
    write_repository(given, folder, tags=("mteb",), usage=usage)
    judged = [*given.judged_splits]
    words = {
        "NAME": name,
        "SPLITS": ["test"] if "test" in judged or not judged else judged,
        "LANGUAGE": _LANGUAGES.get(given.language, _UNKNOWN),
        "ANNOTATORS": "algorithmic" if given.manifest.models.generator == OFFLINE else "LM-generated",
        "REVISION": str(given.version),
        "DESCRIPTION": f"Test set {given.name}, version {given.version}, made with ragset.",
    }
    text = (files("ragset.dataset.exporters") / "mteb_task.py.txt").read_text(encoding="utf-8")
    for key, value in words.items():
        # As JSON, so that no name can end its string.
        text = text.replace(f'"${key}"', json.dumps(value)).replace(f"${key}", name)
    (folder / TASK).write_text(text, encoding="utf-8")
    return given.unreached
