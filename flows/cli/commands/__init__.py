"""What each command does: it reads parameters, runs a flow or a function of the library, and prints the result.

A command returns its exit code. How options are declared is in `flows.cli.options`, what is printed in `flows.cli.results`.
"""
