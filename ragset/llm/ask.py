"""One question with a reply that fits, or the reason why there is none.

A reply that cannot be read into the prompt's model, or that a check refuses, is asked for again with what was
wrong with it, at most twice. It is never replaced by a default.
"""
