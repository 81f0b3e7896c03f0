"""The account of a run, as it is exported."""

import base64
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pydantic import BaseModel

from gemini.agents.export.secret_words import json_without_secrets, without_secrets
from gemini.agents.record.steps import Outcome, Step, StepCall
from gemini.models.interface.usage import Usage

Picture = Callable[[int], Awaitable[bytes | None]]
"""Returns a picture of a run by its number."""


class AccountCall(BaseModel):
    """A call. `arguments` and `result` are JSON text without secrets."""

    tool: str
    arguments: str
    result: str
    failed: bool
    refused: bool
    seconds: float


class AccountStep(BaseModel):
    """A step. `pictures` are JPEGs in base64, from before and after it."""

    number: int
    thought: str
    text: str
    calls: list[AccountCall]
    notes: list[str]
    usage: Usage
    cost: float | None
    started: str
    seconds: float
    pictures: list[str]


class Account(BaseModel):
    """A run without the system prompt, instructions, memories and observations, and without what looks like a secret.

    Attributes:
        began: ISO 8601 in UTC.
    """

    id: str
    task: str
    agent: str
    strategy: str
    model: str
    began: str
    outcome: Outcome | None
    steps: list[AccountStep]


async def account_of(
    run_id: str,
    spec: dict[str, Any],
    outcome: Outcome | None,
    steps: Sequence[Step],
    picture: Picture,
) -> Account:
    """Return the account of a run.

    Args:
        run_id: The id of the run.
        spec: Its parameters, as the journal stores them.
        outcome: Its outcome, if it has ended.
        steps: Its steps.
        picture: Returns the JPEG of a number.
    """
    exported: list[AccountStep] = []
    for step in steps:
        numbers = [number for number in (step.before, step.after) if number is not None]
        found = [await picture(number) for number in dict.fromkeys(numbers)]
        exported.append(
            AccountStep(
                number=step.number,
                thought=without_secrets(step.thought),
                text=without_secrets(step.text),
                calls=[_call(call) for call in step.calls],
                notes=[without_secrets(note) for note in step.notes],
                usage=step.usage,
                cost=step.cost,
                started=step.started,
                seconds=step.seconds,
                pictures=[base64.b64encode(data).decode() for data in found if data is not None],
            )
        )
    ended = None
    if outcome is not None:
        shown = {
            name: None if text is None else without_secrets(text)
            for name, text in (("result", outcome.result), ("reason", outcome.reason))
        }
        ended = outcome.model_copy(update=shown)
    return Account(
        id=run_id,
        task=without_secrets(spec["task"]),
        agent=spec["agent"],
        strategy=spec["strategy"],
        model=spec.get("model", ""),
        began=steps[0].started if steps else "",
        outcome=ended,
        steps=exported,
    )


def _call(call: StepCall) -> AccountCall:
    return AccountCall(
        tool=call.tool,
        arguments=json_without_secrets(call.arguments),
        result=json_without_secrets(call.result),
        failed=call.failed,
        refused=call.refused,
        seconds=call.seconds,
    )


def facts_of(account: Account) -> list[tuple[str, str]]:
    """Return the facts about a run, with their names."""
    outcome = account.outcome
    facts = [("Agent", account.agent), ("Model", account.model), ("Began", account.began)]
    facts.append(("Status", "unfinished" if outcome is None else outcome.status))
    if outcome is not None:
        facts.append(("Tokens", f"{outcome.spent.usage.total:,}"))
        if outcome.spent.cost is not None:
            facts.append(("Cost", f"${outcome.spent.cost:.2f}"))
        if outcome.reason:
            facts.append(("Reason", outcome.reason))
    return [(name, fact) for name, fact in facts if fact]
