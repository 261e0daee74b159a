"""Goldens for people who judge with another tool, and what they said there as reviews."""

from ragset.dataset.review.exchange.importing import Imported, import_reviews

__all__ = ["Imported", "import_reviews"]
