"""The error that ends a pip command."""


class PipError(Exception):
    """An error that ends a pip command; its message follows `ERROR: ` and may have several lines."""
