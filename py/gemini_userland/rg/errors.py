"""Errors in patterns."""

from __future__ import annotations


class PatternError(Exception):
    """The pattern is invalid; the message says why."""


def syntax_error(pattern: str, at: int, message: str, length: int = 1) -> PatternError:
    """Return an error that points at a place of the pattern."""
    return PatternError(f"regex parse error:\n    {pattern}\n    {' ' * at}{'^' * length}\nerror: {message}")
