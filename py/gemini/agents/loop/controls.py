"""Controls: the calls with which a model ends its run, asks, notes a fact, finds tools or opens a skill.

The loops handle them; the registry doesn't know them.
"""

from collections.abc import Sequence
from typing import Any

from gemini.models.interface.model import ToolRow

DONE, FAIL, ASK, NOTE, FIND, SKILL = "done", "fail", "ask", "note", "tool_find", "skill_open"
FILE = "file"


def _row(tool: str, description: str, optional: Sequence[str] = (), /, **parameters: str) -> ToolRow:
    properties: dict[str, Any] = {
        parameter: {"type": "string", "description": text} for parameter, text in parameters.items()
    }
    required = [parameter for parameter in parameters if parameter not in optional]
    schema = {"type": "object", "properties": properties, "required": required}
    return ToolRow(tool, description, schema)


CONTROLS: dict[str, ToolRow] = {
    row.name: row
    for row in (
        _row(
            DONE,
            "End the run: the task is done, and you have checked that it is.",
            result="The complete answer: the user reads nothing else.",
        ),
        _row(
            FAIL,
            "End the run: the task can't be done.",
            reason="Why, and what you tried.",
        ),
        _row(
            ASK,
            "Ask the user something that only they can answer, and wait for the answer.",
            question="One question.",
        ),
        _row(
            NOTE,
            "Save a fact that you will need: older messages are dropped when the conversation grows long.",
            fact="The fact, and its source.",
        ),
        _row(
            FIND,
            "Find more tools, and have them from the next turn on. There are some for files, terminals, Python, "
            "browser tabs and the pages in them, the web, other agents, and what the user's scripts add.",
            query="What the tool should do, in a few words.",
        ),
        _row(
            SKILL,
            "Open one of your skills, and follow it. Your tools become those that the skill names, if it names any.",
            [FILE],
            name="The skill's name.",
            file="One of its files to read, as its text names it. Scripts are run by their path in `folder`.",
        ),
    )
}


def control_argument(name: str, arguments: dict[str, Any]) -> str:
    """Return the value of the argument that a control requires."""
    [parameter] = CONTROLS[name].schema["required"]
    return str(arguments.get(parameter, ""))


def controls_of(*names: str) -> list[ToolRow]:
    """Return the declarations of controls, as a model gets them."""
    return [CONTROLS[name] for name in names]
