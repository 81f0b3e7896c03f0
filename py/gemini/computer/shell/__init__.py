"""Backends of terminals: the embedded shell and the shell of the host."""
