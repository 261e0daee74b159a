"""The commands: each reads parameters, runs a flow or a library function, prints the result and returns its exit code."""
