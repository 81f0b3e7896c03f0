"""The steps of a running automation: calls of tools, each with the elements of pages found again by role and name."""

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic import SecretStr
from typing_extensions import TypedDict

from gemini.errors import AutomationFailed, GeminiError, UsageProblem
from gemini.tools import Registry, report_progress
from gemini.tools.calls import WITHHELD

MOST_SHOWN = 200


@dataclass(frozen=True)
class Element:
    """An element of a page, for arguments that are refs.

    Attributes:
        role: Its ARIA role, such as `button`; empty for any.
        name: Its accessible name, or its text.
        nth: Its number among those with this role and name, from 1.
    """

    role: str
    name: str
    nth: int = 1

    def __str__(self) -> str:
        which = "" if self.nth == 1 else f" number {self.nth}"
        return f"{self.role or 'element'} {self.name!r}{which}"


Find = Callable[[Element], Awaitable[str]]
"""Returns the ref of an element in the page that the automation uses. Raises NotFound."""


class StepRow(TypedDict):
    """A step that is done: the tool and its arguments, long text shortened."""

    tool: str
    arguments: dict[str, Any]


@dataclass
class Execution:
    """One run of an automation.

    Attributes:
        registry: The registry that every call goes through.
        caller: The caller of the tools.
        run: The id of the run that the calls belong to; None for a client's.
        find: Finds elements.
        done: The steps so far.
        failed: The step that failed, with its error.
    """

    registry: Registry
    caller: str
    run: str | None
    find: Find
    done: list[StepRow] = field(default_factory=list[StepRow])
    failed: tuple[StepRow, GeminiError] | None = None

    async def perform(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool, after finding the elements among its arguments.

        Raises:
            AutomationFailed: It failed.
        """
        row: StepRow = {"tool": tool, "arguments": self._to_show(tool, arguments)}
        try:
            found = await self._resolve(dict(arguments))
            value = await self.registry.call(tool, found, caller=self.caller, run=self.run)
        except GeminiError as error:
            self.failed = (row, error)
            number = len(self.done) + 1
            raise AutomationFailed(
                f"step {number}, {tool}, failed: {error.message}",
                hint=error.hint,
                data={"step": row, "error": error.as_json()["error"], "done": list(self.done)},
            ) from error
        self.done.append(row)
        report_progress(len(self.done), None, tool)
        return value

    def _to_show(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments for people and models, without those that stay out of the log, such as typed text."""
        withheld = {of.declaration.withholds for of in self.registry if of.declaration.name == tool}
        return {name: WITHHELD if name in withheld else shown(value) for name, value in arguments.items()}

    async def _resolve(self, value: Any) -> Any:
        if isinstance(value, Element):
            return await self.find(value)
        if isinstance(value, SecretStr):
            return value.get_secret_value()
        if isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            return {name: await self._resolve(member) for name, member in members.items()}
        if isinstance(value, list):
            return [await self._resolve(item) for item in cast("list[Any]", value)]
        return value


running: ContextVar[Execution | None] = ContextVar("gemini_automation", default=None)


def element(role: str, name: str, nth: int = 1) -> Element:
    """Return an element of a page, which a step finds when it begins.

    Args:
        role: Its ARIA role, such as `button`; empty for any.
        name: Its accessible name, or its text, as `browser_snapshot` lists it.
        nth: Its number among those with this role and name, from 1.
    """
    return Element(role, name, nth)


async def step(tool: str, /, **arguments: Any) -> Any:
    """Call a tool and return its value. Each call asks for consent as any call of the tool does.

    Args:
        tool: The tool's name.
        arguments: Its arguments; an `element` stands for a ref.

    Raises:
        AutomationFailed: The call failed, or an element isn't there.
        UsageProblem: No automation is running.
    """
    execution = running.get()
    if execution is None:
        raise UsageProblem(
            "step() works only while an automation runs",
            hint="Run the file by gemini.automations.run(name, arguments); elsewhere, use gemini.registry.call.",
        )
    return await execution.perform(tool, arguments)


def shown(value: Any) -> Any:
    """Return an argument for people and models: elements as text, long text shortened, secrets as asterisks."""
    if isinstance(value, (Element, SecretStr)):
        return str(value)
    if isinstance(value, Mapping):
        return {name: shown(member) for name, member in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, list):
        return [shown(item) for item in cast("list[Any]", value)]
    return f"{value[:MOST_SHOWN]}…" if isinstance(value, str) and len(value) > MOST_SHOWN else value
