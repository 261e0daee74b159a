"""Asking models: one protocol, an OpenAI-compatible client, offline rules, and a journal."""
