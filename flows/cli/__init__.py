"""The command line: options made of the parameters' models, commands, progress, and what commands print.

The flows that commands run are one folder up.
"""
