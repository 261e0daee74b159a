"""What patterns see in a chunk or a query; rules that stand in for a model are in `ragset.generation.offline`."""

LANGUAGES = ("en", "es", "de", "fr")  # those that the rules have words for
