"""What each command does: parameters in, a flow run, a result out, an exit code."""
