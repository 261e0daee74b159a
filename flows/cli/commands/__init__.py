"""The commands: each reads parameters, runs a flow or a function of the library, prints the result and returns its exit code.

How a command is declared is in `flows.cli.app`, what is printed in `flows.cli.results`.
"""
