"""`serve` and `stop`: the processes of a service on this machine, its secret, its reports, and what the commands print."""
