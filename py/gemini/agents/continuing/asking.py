"""Asking a model whether a message continues a run."""

import re
from collections.abc import Sequence

from gemini.agents.runs.runs import Runs
from gemini.errors import ModelProblem
from gemini.models.interface.messages import SystemMessage, UserMessage
from gemini.models.interface.model import Answer, Request, collect
from gemini.models.interface.tickets import Tickets, use_tickets

AGENT = "agent"
MOST_TASKS = 5
MOST_CHARS = 2_000
MOST_S = 20.0
SYSTEM = """Below is what a user has asked an agent to do, and the user's next message. Decide whether the message \
goes on with that work or begins another task. Answer with one word: continue or new."""
ANSWER = re.compile(r"\b(continue|new)\b", re.IGNORECASE)


async def ask_model(runs: Runs, message: str, tasks: Sequence[str], ticket: str | None) -> bool | None:
    """Return the model's answer; None if there is none within 20 seconds.

    Args:
        runs: Has the model of agents.
        message: The user's text.
        tasks: The user's tasks before it. The model gets nothing that the run has read or answered.
        ticket: A ticket for a model that costs money. Without it, such a model isn't asked, and neither is the user.
    """
    before = "\n".join(f"- {task[:MOST_CHARS]}" for task in tasks[-MOST_TASKS:])
    text = f"Asked before:\n{before}\n\nNext message:\n{message[:MOST_CHARS]}"
    answer = Answer()
    try:
        model = runs.selection.require(AGENT)
        with use_tickets(Tickets("", ticket, asks=False)):
            async with runs.clock.limit(MOST_S):
                await collect(model, Request([SystemMessage(text=SYSTEM), UserMessage(text=text)]), answer)
    except (ModelProblem, TimeoutError):
        return None
    found = ANSWER.findall(answer.text)
    return found[-1].casefold() == "continue" if found else None
