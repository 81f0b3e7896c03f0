"""Errors of secrets. None has a value, or a part of one."""

from gemini.errors import GeminiError


class SecretProblem(GeminiError):
    """The base of these errors."""


class SecretUnknown(SecretProblem):
    """There is no secret of that name."""


class SecretUnusable(SecretProblem):
    """The name, the value, an origin or a place can't be saved."""


class SecretUnavailable(SecretProblem):
    """The keyring doesn't release the value, or doesn't accept it."""


class SecretNotForThis(SecretProblem):
    """The user has not allowed the secret in this place."""
