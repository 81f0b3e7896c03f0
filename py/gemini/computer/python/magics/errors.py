"""The error of magics."""


class UsageError(Exception):
    """A magic doesn't exist, or its arguments are wrong."""


# Tracebacks show it by its name alone, as IPython does.
UsageError.__module__ = "builtins"
