"""One stage a file: a function that returns its candidate changed, or a Reject. It raises what `ask` raises."""
