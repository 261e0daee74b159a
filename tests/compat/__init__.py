"""Whether other tools read what ragset exports: each real library in an environment of its own (`make test-compat`)."""
