"""Which passages are relevant to which golden, derived from spans: by ids of chunks (`layout`), evidence and repeats of it (`qrels`)."""
