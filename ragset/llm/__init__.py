"""Asking models: one protocol, an OpenAI-compatible client, its limiter, the Batch API, the journal, prices, prompts and their replies."""
