"""Whose Python the running code uses."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

own_python: ContextVar[str | None] = ContextVar("gemini_own_python", default=None)
"""The agent in whose own interpreter `python_run` and `python` run; None for the shared one.

What a run starts inherits it, so that an agent can't leave its interpreter by starting another agent."""


@contextmanager
def python_of(agent: str | None) -> Generator[None]:
    """Have the code inside use an agent's own interpreter; None for the shared one."""
    token = own_python.set(agent)
    try:
        yield
    finally:
        own_python.reset(token)
