"""The dependencies of a run's loop, and the loop's ending."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from gemini.agents.guard.budget import Budget, Price, Spent
from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.guard.taint import Taint
from gemini.agents.loop.conversation import Conversation
from gemini.agents.loop.observation import Observer
from gemini.agents.loop.skill_shelf import OfferedSkills
from gemini.agents.loop.toolbox import Toolbox
from gemini.agents.record.pictures import RunPictures
from gemini.agents.record.steps import Step
from gemini.core.clock import Clock
from gemini.models.interface.model import Model, ModelEvent
from gemini.models.interface.sampling import USUAL, Sampling

if TYPE_CHECKING:
    from gemini.agents.record.journal import Kind


async def _no_wait() -> None:
    """Return at once: the default for runs that can't be paused."""


async def _no_answer(question: str) -> Reply:
    """Return an empty answer: the default for runs that nobody attends."""
    return Reply("")


Deliver = Callable[[str, str, str | None], None]
"""Delivers a message to a run: `deliver(sender, text, origin)`; `origin` is that of text from outside, or None."""


@dataclass(frozen=True)
class Reply:
    """The answer to a question of a run.

    Attributes:
        sender: The agent that answered; None for the user.
        origin: Where an agent's text from outside comes from; None if it has none.
    """

    text: str
    sender: str | None = None
    origin: str | None = None


@dataclass(frozen=True)
class Ending:
    """The ending of a loop that ended without being stopped; `answered` if it only wrote a text, without any call."""

    status: Literal["done", "answered", "failed"]
    text: str


@dataclass
class Setup:
    """The dependencies of a loop. Those with a default are optional.

    Attributes:
        on_event: Called with each event that the model streams.
        write: Writes an entry to the journal.
        ask_person: Asks the user a question, or the agent that assigned the task, and waits for the answer.
        is_attended: Returns whether a user can answer questions.
        on_step: Called with each finished step.
        wait_while_paused: Waits while the run is paused.
        actions_to_report: Returns the user's actions during takeovers that the model doesn't know yet.
        deliver: Delivers the messages of other agents that wait for the run.
        pictures: Takes pictures of the active page; None to take none.
        skills: The skills of the run; None without any.
        observer: Takes snapshots of the page; None to take none.
        sampling: The run's own settings of requests to the model.
        interrupted_calls: The ids of calls that were about to be made when the page was closed.
    """

    task: str
    model: Model
    toolbox: Toolbox
    conversation: Conversation
    delimiters: Delimiters
    taint: Taint
    budget: Budget
    spent: Spent
    on_event: Callable[[ModelEvent], None]
    write: Callable[[Kind, Any], None] = lambda kind, body: None
    ask_person: Callable[[str], Awaitable[Reply]] = _no_answer
    is_attended: Callable[[], bool] = lambda: False
    on_step: Callable[[Step], None] = lambda step: None
    wait_while_paused: Callable[[], Awaitable[None]] = _no_wait
    actions_to_report: Callable[[], list[list[str]]] = lambda: []
    deliver: Callable[[Deliver], None] = lambda deliver: None
    pictures: RunPictures | None = None
    observer: Observer | None = None
    skills: OfferedSkills | None = None
    price: Price | None = None
    sampling: Sampling = USUAL
    clock: Clock = field(default_factory=Clock)
    interrupted_calls: frozenset[str] = frozenset()
