"""What can be said of a text without a model or an index.

Languages, sentences, tokens, words, quotes found again, overlap, and in `rules/` patterns over words. How documents are read is
in `documents`, how they are cut in `chunking`.
"""
