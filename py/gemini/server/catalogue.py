"""The catalogue of tools and actions for the build.

`python -m gemini.server.catalogue` prints the tools of a new surface as JSON for `dist/tools.json`, from which the page
registers them before Python has booted. With `--actions` it prints the panels' actions and the state that they show,
from which the build generates typed functions and types (builder/actions.py).
"""

import json
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from gemini.agents.continuing.panel_tools import PanelFollowUpTools
from gemini.agents.panel_tools import PanelRunTools
from gemini.agents.tools import AgentTools
from gemini.automations.panel_tools import PanelAutomationTools
from gemini.automations.tools import AutomationTools
from gemini.chats.panel_tools import ChatTools
from gemini.code.panel_tools import CodeTools
from gemini.dom.extra_tools import ExtraBrowserTools
from gemini.dom.page_tools import PageTools
from gemini.dom.panel_tools import PanelBrowserTools
from gemini.dom.tools import BrowserTools
from gemini.eyes.tools import EyeTools
from gemini.files.panel_tools import PanelFileTools
from gemini.files.search_panel_tools import ReplaceTools
from gemini.files.tools import FileTools
from gemini.history.panel_tools import PanelHistoryTools
from gemini.history.tools import HistoryTools
from gemini.inbox.panel_tools import InboxTools
from gemini.memory.panel_tools import PanelMemoryTools
from gemini.memory.tools import MemoryTools
from gemini.mentions.panel_tools import MentionTools
from gemini.models.panel_tools import ModelTools
from gemini.personal.calendar_tools import CalendarTools
from gemini.personal.panel_tools import PanelCalendarTools
from gemini.personal.photo_tools import PanelPhotoTools, PhotoTools
from gemini.personal.tools import PersonalTools
from gemini.python.tools import ConsoleTools
from gemini.schedules.panel_tools import PanelScheduleTools
from gemini.schedules.tools import ScheduleTools
from gemini.search.panel_tools import SearchTools
from gemini.server.shown import Snapshot, event_types
from gemini.shell.machine_panel_tools import PanelMachineTools
from gemini.skills.panel_tools import PanelSkillTools
from gemini.source_control.panel_tools import SourceControlTools
from gemini.storage.panel_tools import StorageTools
from gemini.team.agent_panel_tools import PanelAgentTools
from gemini.team.panel_tools import PanelTeamTools
from gemini.terminal.panel_tools import PanelTerminalTools
from gemini.terminal.tools import TerminalTools
from gemini.tools.declaration import declaration_of
from gemini.tools.events import ToolRow
from gemini.tools.panel_tools import ToolGroupTools
from gemini.tools.tool import Tool
from gemini.web.tools import WebTools

ROOMS = (TerminalTools, ConsoleTools, FileTools, HistoryTools, BrowserTools, PageTools, AgentTools)
# Off until the user switches them on.
EXTRA_ROOMS = (
    ExtraBrowserTools,
    MemoryTools,
    ScheduleTools,
    WebTools,
    AutomationTools,
    EyeTools,
    PersonalTools,
    CalendarTools,
    PhotoTools,
)
PANEL_ROOMS = (
    *(PanelTerminalTools, PanelFileTools, PanelBrowserTools, PanelHistoryTools, PanelRunTools, ChatTools),
    ModelTools,
    *(
        SearchTools,
        ReplaceTools,
        SourceControlTools,
        StorageTools,
        ToolGroupTools,
        CodeTools,
        PanelMemoryTools,
        MentionTools,
        PanelTeamTools,
        PanelAgentTools,
        PanelSkillTools,
        PanelAutomationTools,
        PanelScheduleTools,
        InboxTools,
        PanelMachineTools,
        PanelCalendarTools,
        PanelPhotoTools,
        PanelFollowUpTools,
    ),
)


def rows() -> list[ToolRow]:
    """Return every built-in tool as `tools/list` lists it."""
    return [tool.row() for tool in _tools(ROOMS) if not tool.declaration.person_only]


def actions() -> list[dict[str, Any]]:
    """Return the panels' actions: `{action, tool, scripts, description, input, output}`, with JSON Schemas (2020-12).

    `scripts` says whether scripts can call the tool, too.
    """
    return [
        {
            "action": tool.declaration.action,
            "tool": tool.declaration.name,
            "scripts": not tool.declaration.person_only,
            "description": tool.declaration.description,
            "input": tool.model.model_json_schema(by_alias=True),
            "output": tool.output_schema,
        }
        for tool in _tools((*ROOMS, *PANEL_ROOMS))
        if tool.declaration.action is not None
    ]


def types() -> dict[str, Any]:
    """Return JSON Schemas of the state that the page shows: `{snapshot, events: [schema]}`."""
    return {"snapshot": _schema(Snapshot), "events": [_schema(event) for event in event_types()]}


def _schema(of: Any) -> dict[str, Any]:
    return TypeAdapter(of).json_schema(mode="serialization")


def _tools(rooms: tuple[type, ...]) -> Iterator[Tool]:
    for room in rooms:
        for member in vars(room).values():
            declaration = declaration_of(member)
            if declaration is not None:
                yield Tool(declaration, member)


if __name__ == "__main__":
    catalogue = {"actions": actions(), "types": types()} if "--actions" in sys.argv else {"tools": rows()}
    print(json.dumps(catalogue, ensure_ascii=False, separators=(",", ":")))
