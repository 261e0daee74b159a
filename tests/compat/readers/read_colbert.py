import json
import sys
from pathlib import Path

from colbert.data import Collection, Queries
from colbert.data.examples import Examples

folder = Path(sys.argv[1])
queries = Queries(path=str(folder / "queries.tsv"))
collection = Collection(path=str(folder / "collection.tsv"))
examples = Examples.cast(str(folder / "triples.jsonl"), nway=2).tolist()
read = [[queries[query], *(collection[passage] for passage in passages)] for query, *passages in examples]
print(json.dumps({"triples": read, "queries": list(queries.values()), "passages": len(collection)}))
