"""Why pip can't do what it was asked."""


class PipProblem(Exception):
    """The message is what follows `ERROR: ` on standard error; it may have several lines."""
