"""One stage a file: a function that takes a candidate and returns it changed, or a Reject with the reason.

Functions that ask a model raise what `ragset.llm.ask.ask` raises. Which stages a golden goes through is in `ragset.generation.pipeline`.
"""
