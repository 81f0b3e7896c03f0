"""Whose Python the running code uses."""

from contextvars import ContextVar

own_python: ContextVar[str | None] = ContextVar("gemini_own_python", default=None)
"""The agent in whose own interpreter `python_run` and `python` run; None for the shared one.

What a run starts inherits it, so that an agent can't leave its interpreter by starting another agent."""
