"""Automations: saved scripts that act through the surface's tools, without a model.

    await gemini.automations.run("order-tea", {"packs": 2})

An automation is a Python file with one typed function that has a docstring and calls tools by `step`:

    from gemini.automations import element, step

    async def order_tea(packs: int = 1) -> object:
        'Order tea.'
        await step("browser_navigate", url="https://tea.example/")
        await step("browser_click", ref=element("button", "Order"))

Each name is loaded on first use.
"""

from typing import TYPE_CHECKING, Any

from gemini.core.loading import Provided, lazy_attributes

if TYPE_CHECKING:
    from gemini.automations.scripts.automations import AutomationResult, AutomationRow, Automations
    from gemini.automations.scripts.steps import Element, element, step

__all__ = ["Element", "current", "element", "run", "save", "saved", "step"]

__getattr__ = lazy_attributes(
    __name__,
    {
        "Element": "gemini.automations.scripts.steps",
        "element": "gemini.automations.scripts.steps",
        "step": "gemini.automations.scripts.steps",
    },
)


def __dir__() -> list[str]:
    return __all__


_automations: "Provided[Automations]" = Provided()
provide, current = _automations.provide, _automations.current


def saved() -> "list[AutomationRow]":
    """Return all automations, by name: `{name, path, description, parameters, problem}`.

    `parameters` is a JSON Schema of the arguments (2020-12). A file that can't be used has a `problem`.

    Raises:
        NotStarted: The surface isn't running.
    """
    return current().rows()


async def run(
    name: str, arguments: dict[str, Any] | None = None, *, recover: bool = True
) -> "AutomationResult":
    """Run an automation and return its result: `{result, steps, run_id?}`.

    Args:
        name: The automation's name.
        arguments: Its arguments by name.
        recover: Whether a model continues from a step that fails, if a model is set up. `run_id` is its run.

    Raises:
        AutomationMissing: There is no automation with this name.
        AutomationBroken: Its file can't be used.
        AutomationFailed: A step failed, and no model could continue; `data` has the steps.
        InvalidArguments: The arguments don't fit its parameters.
        NotStarted: The surface isn't running.
    """
    return await current().run(name, arguments or {}, recover=recover)


def save(run_id: str, name: str, *, replace: bool = False) -> str:
    """Save the calls of an agent's run as an automation, and return the path of its file.

    Args:
        run_id: The run, which must have ended.
        name: The automation's name: small letters, digits and dashes.
        replace: Whether to replace an automation of this name.

    Raises:
        RunMissing: There is no such run.
        RunProblem: The run hasn't ended.
        AutomationProblem: The run has no call to repeat.
        AlreadyExists: There is an automation with this name.
        InvalidArguments: The name isn't valid.
        NotStarted: The surface isn't running.
    """
    return str(current().save(run_id, name, replace=replace))
