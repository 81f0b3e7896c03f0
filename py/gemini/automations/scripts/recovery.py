"""The message for the model that continues after a step of an automation has failed."""

import json
from typing import Any

from gemini.agents.loop.run_setup import Deliver
from gemini.agents.runs.handle import Run
from gemini.agents.runs.supervision import Supervision
from gemini.automations.scripts.definitions import Definition
from gemini.automations.scripts.steps import Execution
from gemini.models.interface.messages import UserMessage

TASK = (
    "The automation {name}, a saved script, has failed at a step. Its code, its arguments, the steps that are done and "
    "the failure are in the next message. Do the step that failed by another way, and then what its code does after "
    "that step, by your tools. Repeat nothing that is done. Report what its function would return. If the failure "
    "was a refusal by the user, end with `fail`."
)


def task_of(name: str) -> str:
    """Return the task of the run that continues."""
    return TASK.format(name=name)


class Continuation(Supervision):
    """Delivers the automation to the run, as text that isn't trusted: programs can write its file.

    Args:
        definition: The automation.
        arguments: Its arguments, without secrets.
        execution: Its steps and its failure.
    """

    def __init__(self, definition: Definition, arguments: Any, execution: Execution) -> None:
        self._origin = definition.path
        self._text = _message(definition, arguments, execution)

    def deliver(self, run: Run, deliver: Deliver) -> None:
        """Deliver the message before the first step."""
        if not any(isinstance(one, UserMessage) and one.purpose == "message" for one in run.messages):
            deliver("the automation", self._text, self._origin)


def _message(definition: Definition, arguments: Any, execution: Execution) -> str:
    done = [
        f"{number}. {row['tool']} {json.dumps(row['arguments'], ensure_ascii=False)}"
        for number, row in enumerate(execution.done, 1)
    ]
    parts = [
        f"{definition.path}:\n{definition.text.strip()}",
        f"The arguments: {json.dumps(arguments, ensure_ascii=False, default=str)}",
        "\n".join(["Steps that are done:", *done]) if done else "No step is done.",
    ]
    if execution.failed is not None:
        row, error = execution.failed
        parts.append(
            f"The step that failed: {len(execution.done) + 1}. {row['tool']} "
            f"{json.dumps(row['arguments'], ensure_ascii=False)}\n"
            f"{type(error).__name__}: {error.message}"
        )
    return "\n\n".join(parts)
