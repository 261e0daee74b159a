"""LlamaIndex's RagDatasetGenerator over the first nodes of its default splitter, two questions each."""

from math import ceil

from job import AT_ONCE, MODEL, N, texts, write
from llama_index.core import Document
from llama_index.core.llama_dataset.generator import RagDatasetGenerator
from llama_index.core.node_parser import SentenceSplitter
from llama_index.llms.openai import OpenAI

nodes = SentenceSplitter().get_nodes_from_documents([Document(text=text) for text in texts()])
generator = RagDatasetGenerator(
    nodes[: ceil(N / 2)], llm=OpenAI(model=MODEL), num_questions_per_chunk=2, workers=AT_ONCE
)
dataset = generator.generate_dataset_from_nodes()
write((example.query, example.reference_answer) for example in dataset.examples)
