"""The file format of the recorded calls, and what a run makes of one.

    # SmolLM2-135M-Instruct, temperature 1.1, after an example: Run the tests with pytest.
      {"tool": "terminal_execute", "arguments": {"command": "pytest"}}
    = called terminal_execute {"command": "pytest"}

The text is indented by two blanks. Its first characters may have been written for the model (`BEGINNINGS`). `=` is
what becomes of it: `called` and a call that was made, `refused` and a call with what was wrong with it, or `answered`
and what the model reads next.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast, get_args

from gemini.agents.loop.controls import DONE, FAIL, controls_of
from gemini.agents.loop.tool_choice import row_of
from gemini.agents.record.steps import StepCall
from gemini.agents.runs.runs import Runs
from gemini.models import Prompted
from gemini.models.interface.messages import AssistantMessage, Message, SystemMessage, ToolCall, UserMessage
from gemini.models.interface.model import Model, ModelEvent, Request
from gemini.models.interface.scripted import ScriptedModel, Turn, call, say
from gemini.models.providers.written import calls_from_text, written_calls
from gemini.tools import Registry, declare

How = Literal["after an example", "without example", "begun", "in a fence", "after prose", "two at once"]
HOW: tuple[How, ...] = get_args(How)
BEGINNINGS: dict[How, str] = {
    "begun": '{"tool": "',
    "in a fence": '```json\n{"tool": "',
    "after prose": 'I need a tool for this: {"tool": "',
    "two at once": '{"tool": "',
}
HEADING = re.compile(rf"# SmolLM2-135M-Instruct, temperature ([\d.]+), ({'|'.join(HOW)}): (.*)")
TASKS = (
    "Create /project/hello.txt with the text hi.",
    "Read notes.txt and say what it is about.",
    "Run the tests with pytest.",
    "Delete the file old.log.",
    "Count the lines of data.csv.",
    "Write a haiku into haiku.txt.",
    "Which Python version is installed?",
    "Make a folder named pictures.",
    "Find TODO in the code.",
    "Rename a.txt to b.txt.",
)
GIVE_UP = {"tool": "fail", "arguments": {"reason": "over"}}
SYSTEM = SystemMessage(text="You do the user's task by calling tools.")
EXAMPLE: tuple[Message, ...] = (
    UserMessage(text="Read b.txt."),
    AssistantMessage(calls=(ToolCall(id="1", name="file_read", arguments='{"path": "b.txt"}'),)),
    UserMessage(text='The call to file_read returned:\n"tea"'),
    AssistantMessage(calls=(ToolCall(id="2", name="done", arguments='{"result": "It is about tea."}'),)),
)
# Both files in one answer.
TWO_AT_ONCE: tuple[Message, ...] = (
    UserMessage(text="Read b.txt and c.txt."),
    AssistantMessage(
        calls=(
            ToolCall(id="1", name="file_read", arguments='{"path": "b.txt"}'),
            ToolCall(id="2", name="file_read", arguments='{"path": "c.txt"}'),
        )
    ),
    UserMessage(text='The call to file_read returned:\n"tea"\nThe call to file_read returned:\n"cake"'),
)
FAULTS = ("malformed", "unknown tool", "wrong arguments", "in prose", "two at once", "in a fence")
# What the model reads if its text only looks like a call.
LOOKS_LIKE = "answered You wrote something like a call"


class Tools:
    """The tools of the recorded answers. Nothing is done."""

    @declare(effect="read", group="files")
    def file_read(self, path: str) -> str:
        """Read a file."""
        return path

    @declare(effect="write", group="files")
    def file_write(self, path: str, content: str) -> str:
        """Write a text file."""
        return f"{path} {content}"

    @declare(effect="write", group="terminals")
    def terminal_execute(self, command: str) -> str:
        """Run a command."""
        return command


@dataclass(frozen=True)
class Case:
    """A text that the model wrote for a task.

    Attributes:
        how: What the model had been given: an example, or the beginning of its answer, too.
        becomes: What became of it, as lines without `= `.
    """

    task: str
    how: How
    temperature: float
    text: str = ""
    becomes: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The line above it."""
        return f"# SmolLM2-135M-Instruct, temperature {self.temperature}, {self.how}: {self.task}"


def read(file: Path) -> list[Case]:
    """Return the cases of a file."""
    cases: list[Case] = []
    for line in file.read_text("utf-8").splitlines():
        if heading := HEADING.fullmatch(line):
            cases.append(Case(heading[3], cast(How, heading[2]), float(heading[1])))
        elif line.startswith("= "):
            cases[-1] = replace(cases[-1], becomes=(*cases[-1].becomes, line[2:]))
        elif line.startswith("  "):
            before = f"{cases[-1].text}\n" if cases[-1].text else ""
            cases[-1] = replace(cases[-1], text=before + line[2:])
    return cases


def write(file: Path, cases: Sequence[Case]) -> None:
    """Write cases to a file."""
    lines: list[str] = []
    for case in cases:
        lines += [case.heading, *(f"  {line}" for line in case.text.split("\n"))]
        lines += [*(f"= {line}" for line in case.becomes), ""]
    file.write_text("\n".join(lines), "utf-8")


def registry() -> Registry:
    """Return a registry with the tools."""
    found = Registry()
    found.results_folder = Path(tempfile.gettempdir()) / "results"
    found.add_room(Tools())
    return found


def request_of(case: Case) -> Request:
    """Return the request that the model answered."""
    tools = [*map(row_of, registry()), *controls_of(DONE, FAIL)]
    examples: dict[How, tuple[Message, ...]] = {"without example": (), "two at once": TWO_AT_ONCE}
    example = examples.get(case.how, EXAMPLE)
    return Request([SYSTEM, *example, UserMessage(text=case.task)], tools, must_call=True)


def faults_of(case: Case) -> list[str]:
    """Return which of `FAULTS` a text has that tries to call a tool; none if it doesn't try, or is one right call."""
    calls, prose = written_calls(case.text, [row.name for row in request_of(case).tools])
    if not calls and not case.becomes[0].startswith(LOOKS_LIKE):
        return []
    is_malformed = any(line.startswith(LOOKS_LIKE) or "aren't JSON" in line for line in case.becomes)
    refused = [line for line in case.becomes if line.startswith("refused") and "aren't JSON" not in line]
    unknown = [line for line in refused if "you have no tool" in line]
    found = (
        is_malformed,
        bool(unknown),
        len(refused) > len(unknown),
        bool(prose.strip() and not is_malformed),
        len(calls) > 1,
        "```" in case.text,
    )
    return [fault for fault, is_there in zip(FAULTS, found, strict=True) if is_there]


class WithTools(ScriptedModel):
    """A model whose API has tools; it wrote a text, which may be a call."""

    forgets_tools = True
    window_hint = ""

    async def prepare(self) -> None:
        """Do nothing: the context is known."""

    def stream(self, request: Request) -> AsyncGenerator[ModelEvent]:
        """Stream the next turn of the script."""
        return calls_from_text(super().stream(request), request.tools)


def in_prompt(text: str) -> Model:
    """Return a model with its tools in the prompt, which writes a text and then fails."""
    return Prompted(ScriptedModel([_written(text), say(json.dumps(GIVE_UP))]))


def with_tools(text: str) -> Model:
    """Return a model whose API has tools, which writes a text and then fails."""
    return WithTools([_written(text), call("fail", reason="over")])


def _written(text: str) -> Turn:
    return say(text)


async def outcome(case: Case, model: Model) -> tuple[str, ...]:
    """Return what becomes of the text of a case, as a model's first answer in a run."""
    run = Runs(registry()).start(case.task, model=model, max_steps=2, attended=False)
    ended = await run
    [first, *_] = run.steps
    lines = [_line(each) for each in first.calls] + [f"answered {_one_line(note)}" for note in first.notes]
    return tuple(lines or [f"ended as {ended.status}"])


def _line(made: StepCall) -> str:
    if not made.failed:
        return _one_line(f"called {made.tool} {made.arguments}")
    error = json.loads(made.result)["error"]
    return _one_line(f"refused {made.tool}: {error['message']}")


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
