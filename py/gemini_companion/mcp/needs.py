"""Abilities that a client must have declared before it may call a tool.

https://modelcontextprotocol.io/specification/2026-07-28/basic
"""

from collections.abc import Iterable
from typing import Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

from gemini_companion.mcp.clients import Context

TASKS = "tasks"
EXTENSION = "io.modelcontextprotocol/tasks"


def declares(context: Context, need: str) -> bool:
    """Return whether the client of a request has declared an ability, such as `sampling` or `tasks`."""
    able = context.session.client_capabilities
    if able is None:
        return False
    if need == TASKS:
        return EXTENSION in (able.extensions or {})
    return getattr(able, need) is not None


def require(context: Context, needs: Iterable[str], what: str) -> None:
    """Check that the client has declared what a call needs.

    Raises:
        MCPError: It hasn't; `data` names the missing capabilities.
    """
    missing = [need for need in needs if not declares(context, need)]
    if not missing:
        return
    required: dict[str, Any] = {need: {} for need in missing if need != TASKS}
    if TASKS in missing:
        required["extensions"] = {EXTENSION: {}}
    raise MCPError(
        types.MISSING_REQUIRED_CLIENT_CAPABILITY,
        f"{what} needs a client that supports {' and '.join(missing)}",
        {"requiredCapabilities": required},
    )
