"""AutoRAG's data creation as its documentation has it: a factoid query of one chunk, two answers, no "I don't know"."""

import pandas as pd
from autorag.data.qa.filter.dontknow import dontknow_filter_rule_based
from autorag.data.qa.generation_gt.llama_index_gen_gt import make_basic_gen_gt, make_concise_gen_gt
from autorag.data.qa.query.llama_gen_query import factoid_query_gen
from autorag.data.qa.sample import random_single_hop
from autorag.data.qa.schema import Raw
from job import AT_ONCE, MODEL, PATHS, N, texts, write
from llama_index.llms.openai import OpenAI

raw = Raw(
    pd.DataFrame({"texts": texts(), "path": [str(path) for path in PATHS], "page": -1, "last_modified_datetime": None})
)
corpus = raw.chunk("llama_index_chunk", chunk_method="token", chunk_size=256, chunk_overlap=0)
llm = OpenAI(model=MODEL)
qa = (
    corpus.sample(random_single_hop, n=N)
    .map(lambda rows: rows.reset_index(drop=True))
    .make_retrieval_gt_contents()
    .batch_apply(factoid_query_gen, batch_size=AT_ONCE, llm=llm)
    .batch_apply(make_basic_gen_gt, batch_size=AT_ONCE, llm=llm)
    .batch_apply(make_concise_gen_gt, batch_size=AT_ONCE, llm=llm)
    .filter(dontknow_filter_rule_based, lang="en")
)
write((row["query"], row["generation_gt"][0]) for row in qa.data.to_dict("records"))
