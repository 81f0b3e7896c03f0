"""What a run works with, and how its loop ends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from gemini.agents.budget import Budget, Price, Spent
from gemini.agents.clock import Clock
from gemini.agents.conversation import Conversation
from gemini.agents.delimiters import Delimiters
from gemini.agents.model import Model, ModelEvent
from gemini.agents.observation import Observer
from gemini.agents.pictures import RunPictures
from gemini.agents.steps import Step
from gemini.agents.taint import Taint
from gemini.agents.toolbox import Toolbox

if TYPE_CHECKING:
    from gemini.agents.journal import Kind


async def _no_wait() -> None:
    """A gate that nobody closes."""


@dataclass(frozen=True)
class Ending:
    """How a loop ended of its own accord."""

    status: Literal["done", "failed"]
    text: str


@dataclass
class Setup:
    """What a run works with; what has a default, a run that nobody keeps, leads or watches can do without.

    Attributes:
        write: Keeps an entry of the journal.
        ask_person: Asks a question, and waits for the answer; None where nobody is there.
        tell: Told what the model streams.
        pass_gate: Waits while the run is paused.
        actions_to_report: What the person did in the agent's place, and the model doesn't know.
        pictures: Those of the page in front; None where nobody takes any.
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
    ask_person: Callable[[str], Any] = lambda question: None
    is_attended: Callable[[], bool] = lambda: False
    on_step: Callable[[Step], None] = lambda step: None
    wait_while_paused: Callable[[], Awaitable[None]] = _no_wait
    actions_to_report: Callable[[], list[list[str]]] = lambda: []
    pictures: RunPictures | None = None
    observer: Observer | None = None
    price: Price | None = None
    clock: Clock = field(default_factory=Clock)
    interrupted_calls: frozenset[str] = frozenset()
    """Calls that an earlier kernel was about to make."""
