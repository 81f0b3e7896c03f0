"""The tools of a fresh surface: `python -m gemini.server.catalogue` prints them as JSON for `dist/tools.json`.

A page registers them from that file before Python has booted.
"""

import json
from typing import Any

from gemini.agents.tools import AgentTools
from gemini.dom.tools import BrowserTools
from gemini.files.tools import FileTools
from gemini.history.tools import HistoryTools
from gemini.python.tools import ConsoleTools
from gemini.terminal.tools import TerminalTools
from gemini.tools.declaration import declaration_of
from gemini.tools.tool import Tool

ROOMS = (TerminalTools, ConsoleTools, FileTools, HistoryTools, BrowserTools, AgentTools)


def rows() -> list[dict[str, Any]]:
    """Every tool of the surface's own, as `tools/list` tells it."""
    members = [member for room in ROOMS for member in vars(room).values()]
    return [
        Tool(declaration, member).row()
        for member in members
        if (declaration := declaration_of(member)) is not None and not declaration.person_only
    ]


if __name__ == "__main__":
    print(json.dumps({"tools": rows()}, ensure_ascii=False, separators=(",", ":")))
