"""Which passages are relevant to which golden, derived from spans: by ids of chunks, evidence and repeats of it."""
