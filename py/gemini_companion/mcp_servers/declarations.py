"""The tools of a server as pages get them: checked, named as functions, and with a digest of what they say.

All that a server says is text from outside. A tool whose schema can't be used stays, with the problem and without
types: its server decides anyway what it accepts.
"""

from __future__ import annotations

import hashlib
import json
import keyword
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import mcp_types as types
from jsonschema import Draft202012Validator, SchemaError

Row = dict[str, Any]
# Of one server. A client with more would pass them on to agents that can't choose among them either.
MAX_TOOLS = 2_000
LONGEST_TOOL_NAME = 128
LONGEST_DESCRIPTION = 10_000
# Characters of one schema, and of all that a server lists.
LONGEST_SCHEMA, LONGEST_LIST = 64 * 1024, 8 * 1024 * 1024
DEEPEST = 32
OTHER = re.compile(r"\W+", re.ASCII)
CUT = "…"


@dataclass(frozen=True)
class ToolDeclaration:
    """A tool of a server.

    Attributes:
        name: The server's name of it.
        function: Its name as a Python function, unique in the server.
        title, description: The server's words, cut if they are too long.
        input: The JSON Schema of the arguments, an object's.
        output: The JSON Schema of the structured result; None if there is none.
        hints: The server's own claims about it, `{readOnlyHint, destructiveHint, …}`.
        problem: Why its schema isn't used; None if it is.
        digest: Of everything that the server says about it.
    """

    name: str
    function: str
    title: str
    description: str
    input: Row
    output: Row | None
    hints: dict[str, bool]
    problem: str | None
    digest: str

    def row(self) -> Row:
        """Return the row that pages get: `{name, function, title, description, input, output, hints, problem}`."""
        return {
            "name": self.name,
            "function": self.function,
            "title": self.title,
            "description": self.description,
            "input": self.input,
            "output": self.output,
            "hints": self.hints,
            "problem": self.problem,
        }

    def text(self) -> str:
        """Return what the server says about the tool, as the user compares it with what it said before."""
        schemas = {"arguments": self.input} | ({"result": self.output} if self.output else {})
        hints = [name for name, holds in self.hints.items() if holds]
        claims = f"\n\n{', '.join(hints)}" if hints else ""
        # The order of members means nothing.
        written = json.dumps(schemas, ensure_ascii=False, indent=1, sort_keys=True)
        return f"{self.title}\n{self.description}{claims}\n\n{written}".strip()


@dataclass
class ToolList:
    """The tools of a server, and the problems of its list."""

    tools: list[ToolDeclaration] = field(default_factory=lambda: [])
    problems: list[str] = field(default_factory=lambda: [])

    def find(self, name: str) -> ToolDeclaration | None:
        """Return the tool of that name, the server's or the function's."""
        for each in self.tools:
            if each.name == name:
                return each
        return next((each for each in self.tools if each.function == name), None)


def tool_list(listed: Sequence[types.Tool]) -> ToolList:
    """Return a server's tools, without those that can't be called."""
    found = ToolList()
    usable: dict[str, types.Tool] = {}
    for tool in listed:
        if not tool.name or len(tool.name) > LONGEST_TOOL_NAME or not tool.name.isprintable():
            found.problems.append("A tool was left out, since its name isn't a line of 1 to 128 characters.")
        elif tool.name in usable:
            found.problems.append(f"The tool {tool.name} is listed twice; the second was left out.")
        elif len(usable) >= MAX_TOOLS:
            found.problems.append(f"There are more than {MAX_TOOLS:,} tools; the others were left out.")
            break
        else:
            usable[tool.name] = tool
    functions = function_names(usable)
    size = 0
    for name, tool in usable.items():
        declared = _declaration(tool, functions[name])
        size += len(json.dumps(declared.row()))
        if size > LONGEST_LIST:
            found.problems.append("The list is longer than 8 million characters; the rest was left out.")
            break
        found.tools.append(declared)
    return found


def function_names(names: Iterable[str]) -> dict[str, str]:
    """Return a Python name for each name, the same in any order.

    A name that already is one stays, so no other name can take it.
    """
    ordered = sorted(names)
    result = {name: name for name in ordered if is_function_name(name)}
    taken = set(result.values())
    for name in ordered:
        if name not in result:
            result[name] = _free(python_name(name), taken)
            taken.add(result[name])
    return result


def is_function_name(name: str) -> bool:
    """Return whether a name is a public name of Python in ASCII."""
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def python_name(name: str) -> str:
    """Return a public name of Python that resembles a name: `search-issues` is `search_issues`."""
    plain = OTHER.sub("_", name).strip("_") or "tool"
    plain = f"tool_{plain}" if plain[0].isdigit() else plain
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    return found


def _declaration(tool: types.Tool, function: str) -> ToolDeclaration:
    given = tool.model_dump(mode="json", by_alias=True, exclude_none=True)
    digest = hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()
    problem = schema_problem(tool.input_schema)
    output = tool.output_schema if tool.output_schema and not schema_problem(tool.output_schema) else None
    hints: Row = tool.annotations.model_dump(by_alias=True) if tool.annotations else {}
    return ToolDeclaration(
        tool.name,
        function,
        _cut(tool.title or "", LONGEST_TOOL_NAME),
        _cut(tool.description or "", LONGEST_DESCRIPTION),
        {"type": "object"} if problem else tool.input_schema,
        output,
        {name: value for name, value in hints.items() if name.endswith("Hint") and isinstance(value, bool)},
        problem,
        digest,
    )


def schema_problem(schema: Any) -> str | None:
    """Return why a schema of an object can't be used; None if it can."""
    if not isinstance(schema, dict):
        return "Its schema isn't an object."
    if not _is_shallow(schema, DEEPEST):
        return f"Its schema has more than {DEEPEST} levels."
    if len(json.dumps(schema)) > LONGEST_SCHEMA:
        return f"Its schema is longer than {LONGEST_SCHEMA:,} characters."
    members = cast(Row, schema)
    if members.get("type", "object") != "object":
        return "Its schema isn't one of an object."
    try:
        Draft202012Validator.check_schema(members)
    except SchemaError as error:
        return f"Its schema is invalid: {error.message[:200]}"
    except re.error:
        return "Its schema has an invalid pattern."
    return None


def _is_shallow(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    members = cast(Row, value).values() if isinstance(value, dict) else cast(list[Any], value)
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in members)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + CUT
