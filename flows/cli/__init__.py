"""The command line: commands with their options, the server and the terminal of a command, printed results.

What a command does with parameters is in the flows and in `ragset`; the parameters are in `flows.parameters`.
"""
