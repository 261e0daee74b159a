"""Asking models: one protocol, an OpenAI-compatible client, its limiter, the journal, prices, prompts and their replies.

What is asked is in `ragset.generation` and `ragset.evaluation`; the rules that stand in for a model are there, too.
"""
