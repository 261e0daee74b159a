"""Rules that cost nothing: what plain patterns see about a chunk or a query, without asking a model.

They serve every run. Rules that stand in for a model are in `ragset.generation.offline`; nothing here knows a model.
"""

LANGUAGES = ("en", "es", "de", "fr")
"""Those that the rules have words for."""
