"""The automations of a surface: list them, run them, save runs of agents as automations.

An automation has no separate powers: each of its calls goes through the registry, for the agent or client that runs
it, and the owner of each power asks as always.
"""

import asyncio
import inspect
import json
import secrets
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NotRequired

from typing_extensions import TypedDict

from gemini.automations.scripts import elements
from gemini.automations.scripts.definitions import MOST_FILES, Definition, read_file, require_name
from gemini.automations.scripts.events import AutomationsChanged
from gemini.automations.scripts.steps import Element, Execution, StepRow, running, shown
from gemini.computer.files.edit import write
from gemini.core import saved_code
from gemini.errors import (
    AlreadyExists,
    AutomationBroken,
    AutomationFailed,
    AutomationMissing,
    AutomationProblem,
    GeminiError,
    ModelMissing,
    PythonError,
    Refused,
    RunMissing,
    RunProblem,
    SwitchedOff,
)
from gemini.pages.tabs.browser import Browser
from gemini.tools import Registry
from gemini.tools.calls import acting_call
from gemini.tools.schema import JsonSchema
from gemini.tools.writers import AGENT, PERSON, SCRIPT, current_run

if TYPE_CHECKING:
    from gemini.agents.record.journal import Journal
    from gemini.agents.runs.runs import Runs

# Below the project's folder and the home directory, in order of preference.
FOLDER = ".agents/automations"
ENDING = ".py"
NAME = "automation"
"""The agent's name in calls of automations that the user runs, and of the run that goes on after a failure."""


class AutomationRow(TypedDict):
    """An automation. `parameters` is a JSON Schema of its arguments; `problem` says why a file can't be used."""

    name: str
    path: str
    description: str
    parameters: JsonSchema
    problem: str | None


class AutomationResult(TypedDict):
    """The result of an automation with its steps; `run_id` is the run of the model that continued after a failure."""

    result: Any
    steps: list[StepRow]
    run_id: NotRequired[str]


class Automations:
    """The automations of a surface.

    Args:
        registry: The registry that every call goes through.
        browser: The tabs in which elements are found.
        runs: Returns the agents' runs.
        journal: Returns the journal of the runs.
        folders: The folders of automations; the first that has one of a name counts, and gets new ones.

    Attributes:
        wait_s: The seconds that a step waits for its element.
    """

    def __init__(
        self,
        registry: Registry,
        browser: Browser,
        runs: "Callable[[], Runs]",
        journal: "Callable[[], Journal]",
        folders: Sequence[Path],
    ) -> None:
        self._registry = registry
        self._browser = browser
        self._runs = runs
        self._journal = journal
        self._folders = list(folders)
        self.wait_s = elements.WAIT_S

    def rows(self) -> list[AutomationRow]:
        """Return all automations, by name. Their files aren't run."""
        return [_row(path) for path in self._paths().values()]

    def find(self, name: str) -> Definition:
        """Return an automation.

        Raises:
            AutomationMissing: There is none with this name.
            AutomationBroken: Its file can't be used.
        """
        paths = self._paths()
        if name not in paths:
            raise AutomationMissing(
                f"there is no automation {name[:80]!r}",
                hint=f"The automations are: {', '.join(paths) or 'none'}.",
            )
        return read_file(paths[name])

    async def run(self, name: str, arguments: dict[str, Any], *, recover: bool = False) -> AutomationResult:
        """Run an automation; see `gemini.automations.run`."""
        saved_code.use()
        definition = self.find(name)
        keywords = definition.tool.keywords(arguments)
        with self._execution() as execution:
            try:
                value = await _call(definition, keywords)
            except AutomationFailed as failure:
                if not recover or _is_final(execution):
                    raise
                return await self._recover(definition, keywords, execution, failure)
        return {"result": value, "steps": execution.done}

    @contextmanager
    def _execution(self) -> Generator[Execution]:
        """Act for the agent or client that calls; for the user, as an agent with its own tab."""
        call = acting_call()
        if call is not None and call.caller not in (PERSON, SCRIPT):
            caller, run = call.caller, call.run
        else:
            caller, run = f"{AGENT}{NAME}", f"{NAME}-{secrets.token_hex(5)}"
        execution = Execution(self._registry, caller, run, self._find)
        is_own = caller == f"{AGENT}{NAME}"
        token, outer = running.set(execution), current_run.set(run)
        try:
            yield execution
        finally:
            running.reset(token)
            current_run.reset(outer)
            if is_own and run is not None:
                self._browser.owners.end_run(run)

    async def _find(self, element: Element) -> str:
        return await elements.find(self._browser, element, self.wait_s)

    async def _recover(
        self,
        definition: Definition,
        keywords: dict[str, Any],
        execution: Execution,
        failure: AutomationFailed,
    ) -> AutomationResult:
        """Have a model continue from the step that failed."""
        from gemini.automations.scripts.recovery import Continuation, task_of

        try:
            run = self._runs().start(
                task_of(definition.name),
                agent=NAME,
                supervision=Continuation(definition, shown(keywords), execution),
            )
        except ModelMissing:
            raise failure from failure.__cause__
        if execution.run is not None:
            # The model continues in the automation's tabs.
            self._browser.owners.begin_run(run.id, NAME, execution.run)
        try:
            outcome = await run
        except asyncio.CancelledError:
            run.cancel()
            raise
        if outcome.status != "done":
            raise AutomationFailed(
                f"{failure.message}. The model that went on ended, too: {outcome.reason or outcome.status}",
                hint=f"The Agent panel shows the run {run.id}.",
                data={**(failure.data or {}), "run_id": run.id},
            ) from failure
        return {"result": outcome.result, "steps": execution.done, "run_id": run.id}

    def save(self, run_id: str, name: str, *, replace: bool = False) -> Path:
        """Save the calls of a run; see `gemini.automations.save`."""
        from gemini.automations.scripts.recording import recorded_calls
        from gemini.automations.scripts.writing import to_repeat, write_automation

        require_name(name)
        found = self._journal().find(run_id)
        if found is None:
            raise RunMissing(f"there is no run {run_id[:60]!r}")
        spec, outcome = found
        if outcome is None:
            raise RunProblem(f"the run {run_id} hasn't ended", hint="Wait until it ends, or cancel it.")
        effects = {tool.declaration.name: tool.declaration.effect for tool in self._registry}
        calls = to_repeat(recorded_calls(self._journal().entries(run_id)), effects)
        if not calls:
            raise AutomationProblem(
                f"the run {run_id} made no call that an automation could repeat",
                hint="Save a run that has used tools with success.",
            )
        day = datetime.now(UTC).date().isoformat()
        text = write_automation(name, spec["task"], f"Saved on {day} from the run {run_id}.", calls)
        path = self._write(name, text, replace=replace)
        self._registry.events.publish(AutomationsChanged())
        return path

    def _write(self, name: str, text: str, *, replace: bool) -> Path:
        path = self._folders[0] / f"{name}{ENDING}"
        if path.exists() and not replace:
            raise AlreadyExists(f"{path} exists already", hint="Choose another name, or replace it.")
        write(str(path), text)
        return path

    def _paths(self) -> dict[str, Path]:
        """Return one file for each name, by name."""
        first: dict[str, Path] = {}
        for folder in self._folders:
            for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
                first.setdefault(path.stem, path)
        return {name: first[name] for name in sorted(first)[:MOST_FILES]}


def _is_final(execution: Execution) -> bool:
    """Return whether the failure is none that a model may get around, such as the user's refusal."""
    return execution.failed is None or isinstance(execution.failed[1], (Refused, SwitchedOff))


def _row(path: Path) -> AutomationRow:
    row: AutomationRow = {
        "name": path.stem,
        "path": str(path),
        "description": "",
        "parameters": {},
        "problem": None,
    }
    try:
        found = read_file(path)
    except AutomationBroken as broken:
        return {**row, "problem": broken.message}
    return {**row, "description": found.description, "parameters": found.parameters}


async def _call(definition: Definition, keywords: dict[str, Any]) -> Any:
    """Run the file and call its function; return a value that JSON can represent.

    Raises:
        AutomationFailed: A step failed.
        PythonError: The file's own code raised an error.
    """
    namespace: dict[str, Any] = {"__name__": f"automation_{definition.function}", "__file__": definition.path}
    try:
        exec(compile(definition.text, definition.path, "exec", dont_inherit=True), namespace)
        value = namespace[definition.function](**keywords)
        if inspect.isawaitable(value):
            value = await value
        json.dumps(value)
    except GeminiError:
        raise
    except Exception as error:
        raise PythonError(
            f"{definition.path} raised {type(error).__name__}: {error}",
            hint="Correct the file, then run it again.",
        ) from error
    return value
