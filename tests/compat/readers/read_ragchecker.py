import json
import sys
from pathlib import Path

from ragchecker import RAGResults

print(json.dumps(RAGResults.from_json(Path(sys.argv[1]).read_text()).to_dict()))
