"""The surface's rooms. A new one needs a line here, and a `setup(kernel)` in the module `setup` of its folder."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

ROOMS = (
    "computer.shell",
    "computer.terminal",
    "computer.python",
    "code_mode",
    "computer.files",
    "pages.tabs",
    "models.providers",
    "agents.mentions",
    "agents",
    "agents.teamwork",
    "agents.memory",
    "agents.skills",
    "automations.scripts",
    "pages.vision",
    "personal",
    "automations.schedules",
    "automations.inbox",
    "pages.web",
    "pages.mcp_servers",
    "agents.chats",
    "computer.search",
    "tools",
    "computer.code",
    "computer.source_control",
    "computer.history",
    "storage",
)
"""The packages in the order in which their tools are listed. Each may use what those before it have made."""

SETUPS: list[Callable[[Any], None]] = [import_module(f"gemini.{room}.setup").setup for room in ROOMS]
"""The functions that make each room's objects and register its tools, on a `Kernel`."""
