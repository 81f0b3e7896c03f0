"""Definitions of agents: a file for each, whose front matter has the facts and whose body is the prompt."""

import json
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from gemini.errors import AgentFileBroken, InvalidArguments

# A name is part of a file's name, of log entries and of questions to the user.
NAME = r"^[a-z][a-z0-9-]{0,39}$"
COLOR = r"^#[0-9a-fA-F]{6}$"
EXPECTED = {
    "name": "Small letters, digits and dashes; the first is a letter, and at most 40.",
    "color": "As #rrggbb.",
}
MAX_PROMPT_CHARS = 20_000
MAX_FILE_BYTES = 100_000
DAY_S = 86_400


def _list(value: Any) -> Any:
    """Accept `a, b` for `[a, b]`, as other programs write it."""
    return [piece.strip() for piece in value.split(",") if piece.strip()] if isinstance(value, str) else value


Names = Annotated[list[str], BeforeValidator(_list)]


class DayBudget(BaseModel):
    """The limits of an agent's tasks on one day, in UTC. None means no limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0)


class RunBudget(BaseModel):
    """The limits of one run of an agent; see `gemini.agents.Budget`. Without `steps`, the usual limit applies."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    steps: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)


class Budgets(BaseModel):
    """The limits of an agent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: RunBudget = RunBudget()
    day: DayBudget = DayBudget()


class Definition(BaseModel):
    """An agent.

    Attributes:
        name: The name, which is also the file's.
        role: The agent's part in a team, in a sentence: the orchestrator chooses by it.
        model: The id of a model in the settings; None for the agent's model of the settings, or the default.
        tools: Names of tools and groups; None for every tool that doesn't spend money.
        python: `own` for its own Python in a worker, `shared` for the surface's.
        strategy: The strategy of its tasks, except of one that it leads.
        skills: The names of its skills, which the user must have allowed.
        budgets: The limits of a run and of a day.
        color: The color in lists, as `#rrggbb`.
        prompt: The agent's part of the system prompt: the body of the file.
        path: The file; None if the definition doesn't come from one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=NAME)
    role: str = Field(min_length=1, max_length=300)
    model: str | None = None
    tools: Names | None = None
    python: Literal["shared", "own"] = "shared"
    strategy: Literal["react", "plan", "code"] = "react"
    skills: Names = []
    budgets: Budgets = Budgets()
    color: str = Field(default="#808080", pattern=COLOR)
    prompt: str = Field(default="", max_length=MAX_PROMPT_CHARS)
    path: str | None = None

    @field_validator("strategy")
    @classmethod
    def _has_python(cls, value: str, info: ValidationInfo) -> str:
        if value == "code" and info.data.get("python") == "own":
            raise ValueError(
                "An agent with its own Python can't write code over tools, which are in the shared one."
            )
        return value


PLAIN = Definition(name="agent", role="Does the task.")
"""The agent of a run without a file."""


def read_definition(path: str, text: str) -> Definition:
    """Return the agent that a file describes. The package of `gemini.agents.teamwork.packages` must be loaded.

    Raises:
        AgentFileBroken: The file isn't valid; the error names the line and the reason.
    """
    from gemini.agents.teamwork.front_matter import FrontMatterBroken, parse

    name = path.rpartition("/")[2].removesuffix(".md")
    try:
        document = parse(text)
    except FrontMatterBroken as broken:
        raise _broken(path, broken.line, broken.reason) from broken
    if reserved := {"prompt", "path"} & document.fields.keys():
        [first, *_] = sorted(reserved)
        raise _broken(path, document.line_of((first,)), f"{first} is no field of the front matter")
    fields = {"name": name, **document.fields}
    if fields["name"] != name:
        raise _broken(path, document.line_of(("name",)), f"the name must be the file's, {name}")
    try:
        return Definition.model_validate({**fields, "prompt": document.body, "path": path})
    except ValidationError as error:
        where, reason = _first_problem(error)
        raise _broken(path, document.line_of(where), reason) from error


def new_definition(**fields: Any) -> Definition:
    """Return an agent with these fields.

    Raises:
        InvalidArguments: A field is invalid; `data` has `fields`, the problem of each by its path (`budgets.day.cost`).
    """
    try:
        return Definition.model_validate(fields)
    except ValidationError as error:
        raise InvalidArguments(
            _first_problem(error)[1],
            hint="docs/team.md lists the fields.",
            data={"fields": _problems(error)},
        ) from error


def write_definition(definition: Definition) -> str:
    """Return the text of an agent's file. JSON is YAML, so each value is written as JSON."""
    fields = fields_of(definition).items()
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields]
    return "\n".join(["---", *lines, "---", "", definition.prompt.strip(), ""])


def today(seconds: float) -> str:
    """Return the day of a time in seconds since the epoch, in UTC, as `YYYY-MM-DD`."""
    return date.fromordinal(date(1970, 1, 1).toordinal() + int(seconds // DAY_S)).isoformat()


def fields_of(definition: Definition) -> dict[str, Any]:
    """Return the fields of the front matter of an agent's file, without those that have their default."""
    return definition.model_dump(exclude={"prompt", "path"}, exclude_defaults=True)


def _problems(error: ValidationError) -> dict[str, str]:
    found: dict[str, str] = {}
    for problem in error.errors(include_url=False):
        where = ".".join(str(piece) for piece in problem["loc"])
        found.setdefault(where, _reason(where, problem["type"], problem["msg"]))
    return found


def _reason(where: str, kind: str, message: str) -> str:
    if kind == "string_pattern_mismatch":
        return EXPECTED.get(where, message)
    if kind == "value_error":
        return message.removeprefix("Value error, ")
    return "This must not be empty." if kind == "string_too_short" else message


def _first_problem(error: ValidationError) -> tuple[tuple[str | int, ...], str]:
    first = error.errors(include_url=False)[0]
    where = tuple(first["loc"])
    path = ".".join(str(piece) for piece in where)
    return where, f"{path}: {_reason(path, first['type'], first['msg'])}"


def _broken(path: str, line: int, reason: str) -> AgentFileBroken:
    return AgentFileBroken(
        f"{path}, line {line}: {reason}",
        hint="Correct the file. docs/team.md lists the fields.",
        data={"path": path, "line": line, "reason": reason},
    )
