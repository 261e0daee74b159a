import json
import sys
from pathlib import Path

import pandas as pd
from autorag.evaluation.metric import retrieval_recall
from autorag.schema.metricinput import MetricInput
from autorag.utils import cast_corpus_dataset, cast_qa_dataset, validate_qa_from_corpus_dataset

folder = Path(sys.argv[1])
qa = pd.read_parquet(folder / "qa.parquet", engine="pyarrow")
corpus = pd.read_parquet(folder / "corpus.parquet", engine="pyarrow")
validate_qa_from_corpus_dataset(qa, corpus)
qa, corpus = cast_qa_dataset(qa), cast_corpus_dataset(corpus)
inputs = MetricInput.from_dataframe(qa)
for given in inputs:
    given.retrieved_ids = [ids[0] for ids in given.retrieval_gt if ids] or ["none"]
recall = retrieval_recall(metric_inputs=inputs)
texts = corpus.drop(columns="metadata").to_json(orient="records")
print(json.dumps({"qa": json.loads(qa.to_json(orient="records")), "corpus": json.loads(texts), "recall": recall}))
