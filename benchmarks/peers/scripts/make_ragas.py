"""Testset generation as on the first page of Ragas's documentation: default transforms, personas and kinds of queries."""

import asyncio

import openai
from job import AT_ONCE, MODEL, N, texts, write
from langchain_core.documents import Document
from langchain_openai import ChatOpenAI
from ragas import RunConfig
from ragas.embeddings import OpenAIEmbeddings
from ragas.llms import LangchainLLMWrapper
from ragas.testset import TestsetGenerator

generator = TestsetGenerator(
    llm=LangchainLLMWrapper(ChatOpenAI(model=MODEL)), embedding_model=OpenAIEmbeddings(client=openai.OpenAI())
)
documents = [Document(page_content=text) for text in texts()]


async def main() -> None:
    """As in a notebook: with a loop under way Ragas has one loop, without one each step gets its own, and connections break."""
    testset = generator.generate_with_langchain_docs(
        documents, testset_size=N, run_config=RunConfig(max_workers=AT_ONCE)
    )
    write((sample.eval_sample.user_input, sample.eval_sample.reference) for sample in testset.samples)


asyncio.run(main())
