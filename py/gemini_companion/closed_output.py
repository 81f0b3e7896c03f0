"""Ends a command whose reader has gone, as in `control-surface doctor | head -1`."""

import os
import sys

# The shell's exit code for a program that SIGPIPE ended.
CODE = 141


def end_quietly() -> int:
    """Discard what is still to be printed, and return the exit code."""
    # Python would report the closed pipe once more when it flushes its buffer at the end.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return CODE
