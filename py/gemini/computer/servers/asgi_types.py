"""The types of ASGI (https://asgi.readthedocs.io/en/stable/specs/main.html)."""

from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Application = Callable[..., Awaitable[None]]
"""Called with the scope of a connection, and with functions that receive and send its messages."""
