"""Requests sent through a provider's Batch API: half the price, and replies within a day."""
