"""Controls: the calls with which a model ends its run, asks the user, notes a fact or finds further tools.

The loops handle them; the registry doesn't know them.
"""

from typing import Any

from gemini.agents.model.interface import ToolRow

DONE, FAIL, ASK, NOTE, FIND = "done", "fail", "ask", "note", "tool_find"


def _row(name: str, description: str, **parameters: str) -> ToolRow:
    properties: dict[str, Any] = {
        parameter: {"type": "string", "description": text} for parameter, text in parameters.items()
    }
    schema = {"type": "object", "properties": properties, "required": list(parameters)}
    return ToolRow(name, description, schema)


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
    )
}


def control_argument(name: str, arguments: dict[str, Any]) -> str:
    """Return the value of a control's only argument."""
    [parameter] = CONTROLS[name].schema["required"]
    return str(arguments.get(parameter, ""))


def controls_of(*names: str) -> list[ToolRow]:
    """Return the declarations of controls, as a model gets them."""
    return [CONTROLS[name] for name in names]
