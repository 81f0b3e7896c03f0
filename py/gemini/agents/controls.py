"""What a model does to its own run: end it, ask the person, note a fact. The loops know these; the registry doesn't."""

from typing import Any

from gemini.agents.model import ToolRow

DONE, FAIL, ASK, NOTE = "done", "fail", "ask", "note"


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
            result="The answer, whole: the person reads nothing else.",
        ),
        _row(
            FAIL,
            "End the run: the task can't be done.",
            reason="Why, and what you tried.",
        ),
        _row(
            ASK,
            "Ask the person something that only they can tell, and wait for the answer.",
            question="One question.",
        ),
        _row(
            NOTE,
            "Keep a fact that you will need: older messages are dropped when the conversation grows long.",
            fact="The fact, with where it is from.",
        ),
    )
}


def control_argument(name: str, arguments: dict[str, Any]) -> str:
    """The one argument of a control."""
    [parameter] = CONTROLS[name].schema["required"]
    return str(arguments.get(parameter, ""))


def controls_of(*names: str) -> list[ToolRow]:
    """Controls as a model is told of them."""
    return [CONTROLS[name] for name in names]
