import json
import sys
from pathlib import Path

from ir_datasets.formats import TrecQrels, TrecScoredDocs, TsvQueries
from ir_datasets.util import LocalDownload

folder = Path(sys.argv[1])
qrels = {
    path.name: [list(one)[:3] for one in TrecQrels(LocalDownload(path), {0: "no", 1: "yes", 2: "very"}).qrels_iter()]
    for path in folder.glob("qrels.*")
}
runs = {
    path.name: [list(one)[:2] for one in TrecScoredDocs(LocalDownload(path)).scoreddocs_iter()]
    for path in (folder / "runs").glob("*")
}
topics = [list(one)[:2] for one in TsvQueries(LocalDownload(folder / "topics.tsv"), lang="en").queries_iter()]
print(json.dumps({"qrels": qrels, "runs": runs, "topics": topics}))
