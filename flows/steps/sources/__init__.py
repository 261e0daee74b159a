"""Sources of candidates: chunks, passages, contexts of linked chunks, themes. Each draws more as a run needs them."""
