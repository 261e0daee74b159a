"""The command line: options made of the parameters, commands, the server and the terminal of a command, printed results.

What a command does with parameters is in the flows and in `ragset`; parameters themselves are in `flows.parameters`.
"""
