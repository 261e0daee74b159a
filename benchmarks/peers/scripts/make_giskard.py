"""Giskard's RAGET over a knowledge base of paragraphs: six kinds of questions. It has no setting for calls at once."""

import pandas as pd
from giskard.llm import set_embedding_model, set_llm_model
from giskard.rag import KnowledgeBase, generate_testset
from job import MODEL, N, texts, write

set_llm_model(MODEL)
set_embedding_model("text-embedding-3-small")
paragraphs = [part for text in texts() for part in text.split("\n\n") if len(part) > 200]
base = KnowledgeBase.from_pandas(pd.DataFrame({"text": paragraphs}))
testset = generate_testset(base, num_questions=N, agent_description="A chatbot that answers questions about clocks")
write((sample.question, sample.reference_answer) for sample in testset.samples)
