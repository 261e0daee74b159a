"""The command line: commands with their options, the server and the terminal of a command, printed results."""
