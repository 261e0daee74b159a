"""Lists, and what `KDProcessing` makes of the files for distillation."""

import json
import sys
from pathlib import Path

from datasets import Dataset, load_dataset
from pylate.utils import KDProcessing

folder = Path(sys.argv[1])


def table(name: str) -> Dataset:
    path = str(folder / f"{name}.parquet")
    return load_dataset("parquet", data_files=path, split="train", cache_dir=str(folder / "cache"))


distillation = table("distillation")
distillation.set_transform(KDProcessing(queries=table("queries"), documents=table("documents")).transform)
rows = [distillation[n] for n in range(len(distillation))]
print(json.dumps({"lists": table("lists").to_list(), "triplets": table("triplets").to_list(), "distillation": rows}))
