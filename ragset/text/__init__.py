"""Languages, sentences, tokens, words, quotes and overlap of texts, and in `rules/` patterns over words."""
