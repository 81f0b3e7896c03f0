"""The functions of code mode as text and signatures: from the declarations of tools, and from other tools' schemas."""

import inspect
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from gemini.tools.schema import JsonSchema
from gemini.tools.tool import Tool

REQUIRED = inspect.Parameter.empty
NOT_IN_NAMES = re.compile(r"\W+", re.ASCII)
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
MAX_NAME = 60
MAX_ENUM = 8
# The members that the short form of a result names.
MAX_SHAPE = 8
DEPTH = 2
# A schema can refer to itself.
MAX_LEVELS = 5


@dataclass(frozen=True)
class Argument:
    """A parameter of a function.

    Attributes:
        name: Its name in Python.
        member: Its name in the tool's arguments.
        type: Its type, as Python writes it.
        default: Its default, or `REQUIRED`.
        about: Its description; "" without one.
    """

    name: str
    member: str
    type: str
    default: Any
    about: str


@dataclass(frozen=True)
class Described:
    """A tool of another server or of a page: all but the name of its module is its own text.

    Attributes:
        name: The tool's name, which may be no identifier.
        about: The description.
        input_schema: The JSON Schema of the arguments, or what the tool says is one.
        output_schema: The JSON Schema of the result; None without one.
    """

    name: str
    about: str
    input_schema: Any
    output_schema: Any = None


class Function:
    """A function of a module, before it is made.

    Args:
        module: The name of its module, such as `files` or `site.shop`.
        name: Its name.
        tool: The name of the tool that it calls.
        about: The tool's description.

    Attributes:
        is_usual: Whether the tool is in the lean list.
    """

    def __init__(self, module: str, name: str, tool: str, about: str) -> None:
        self.module, self.name, self.tool, self.about = module, name, tool, about
        self.is_usual = False

    @cached_property
    def path(self) -> str:
        """The name with the module's, as code writes it."""
        return f"{self.module}.{self.name}"

    @cached_property
    def arguments(self) -> Sequence[Argument]:
        """The parameters, required ones first."""
        schema = self._input()
        required = _list(schema.get("required"))
        taken = set[str]()
        found = [_argument(name, row, name in required, taken) for name, row in _members(schema)]
        return sorted(found, key=lambda each: each.default is not REQUIRED)

    @cached_property
    def result(self) -> JsonSchema:
        """The JSON Schema of the result; {} if it is unknown."""
        return {}

    @cached_property
    def kind(self) -> str:
        """The name of the result's type."""
        return "".join(part.title() for part in self.name.split("_")) or "Result"

    def _input(self) -> JsonSchema:
        return {}

    @cached_property
    def signature(self) -> inspect.Signature:
        """The signature, without types."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        parameters = [inspect.Parameter(each.name, kind, default=each.default) for each in self.arguments]
        return inspect.Signature(parameters)

    def call_text(self) -> str:
        """Return `module.name(parameters) -> result`, with types where a default doesn't say them."""
        parts = [
            f"{each.name}: {each.type}" if each.default is REQUIRED else f"{each.name}={each.default!r}"
            for each in self.arguments
        ]
        shape = _shape(self.result, self.result, 1)
        return f"{self.path}({', '.join(parts)}){f' -> {shape}' if shape else ''}"

    def document(self) -> str:
        """Return the docstring."""
        lines = [f"    {each.name}: {each.about}" for each in self.arguments if each.about]
        return "\n".join([self.about, *(["", "Args:", *lines] if lines else [])])


class ToolFunction(Function):
    """A function for a tool of the registry."""

    def __init__(self, module: str, name: str, tool: Tool) -> None:
        super().__init__(module, name, tool.declaration.name, tool.declaration.description)
        self._tool = tool
        self.is_usual = tool.declaration.lean

    def _input(self) -> JsonSchema:
        return self._tool.input_schema

    @cached_property
    def arguments(self) -> Sequence[Argument]:
        """The parameters, in the order of the declaration."""
        declared = {each.name: each.default for each in self._tool.declaration.parameters}
        rows = dict(_members(self._input()))
        taken = set[str]()
        return [
            _argument(name, rows.get(name), default is REQUIRED, taken, default)
            for name, default in declared.items()
        ]

    @cached_property
    def result(self) -> JsonSchema:
        """The JSON Schema of the result."""
        return self._tool.output_schema or {}

    @cached_property
    def kind(self) -> str:
        """The name of the declared result's type, or of its items' type."""
        returns = self._tool.declaration.returns
        inner = getattr(returns, "__args__", ())
        named = inner[0] if inner and isinstance(inner[0], type) else returns
        return str(getattr(named, "__name__", "Result"))


class DescribedFunction(Function):
    """A function for a tool that describes itself by JSON schemas, which may be wrong in any way."""

    def __init__(self, module: str, name: str, tool: Described) -> None:
        super().__init__(module, name, tool.name, " ".join(tool.about.split()))
        self._described = tool

    def _input(self) -> JsonSchema:
        given = self._described.input_schema
        return cast(JsonSchema, given) if isinstance(given, dict) else {}

    @cached_property
    def result(self) -> JsonSchema:
        """The JSON Schema of the result; {} if it is unknown."""
        given = self._described.output_schema
        return cast(JsonSchema, given) if isinstance(given, dict) else {}


def identifier(name: str, taken: set[str] | frozenset[str] = frozenset()) -> str:
    """Return a name that Python accepts and that isn't taken, for any name."""
    plain = NOT_IN_NAMES.sub("_", name).strip("_")[:MAX_NAME] or "unnamed"
    if plain[0].isdigit() or keyword.iskeyword(plain):
        plain = f"{plain}_" if keyword.iskeyword(plain) else f"_{plain}"
    free, number = plain, 2
    while free in taken:
        free, number = f"{plain}_{number}", number + 1
    return free


def _argument(name: str, row: Any, is_required: bool, taken: set[str], default: Any = REQUIRED) -> Argument:
    schema = cast(JsonSchema, row) if isinstance(row, dict) else {}
    known = identifier(name, taken)
    taken.add(known)
    if default is REQUIRED and not is_required:
        default = schema.get("default")
    about = schema.get("description")
    return Argument(known, name, type_text(schema), default, about if isinstance(about, str) else "")


def type_text(schema: Any, root: JsonSchema | None = None, levels: int = MAX_LEVELS) -> str:
    """Return the type that a JSON Schema describes, as Python writes it; `Any` from so many levels on."""
    if levels == 0:
        return "Any"
    row = _resolve(schema, root or {})
    choices = _list(row.get("enum"))
    if choices and len(choices) <= MAX_ENUM:
        return f"Literal[{', '.join(map(repr, choices))}]"
    kind = row.get("type")
    if kind == "array":
        return f"list[{type_text(row.get('items'), root, levels - 1)}]"
    branches = _list(row.get("anyOf")) or _list(row.get("oneOf"))
    if branches:
        return " | ".join(
            dict.fromkeys(type_text(branch, root, levels - 1) for branch in branches[:MAX_ENUM])
        )
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(TYPES.get(str(each), "Any") for each in cast("list[Any]", kind)))
    return "dict[str, Any]" if kind == "object" else TYPES.get(str(kind), "Any")


def _shape(schema: Any, root: JsonSchema, depth: int) -> str:
    """Return the members of a result: `{size}`, `[{name, type}]`; "" if they are unknown."""
    row = _resolve(schema, root)
    if row.get("type") == "array":
        inner = _shape(row.get("items"), root, depth + 1) if depth <= DEPTH else ""
        return f"[{inner}]" if inner else "list"
    names = [name for name, _ in _members(row)]
    if names and depth <= DEPTH:
        more = [f"… {len(names) - MAX_SHAPE} more"] if len(names) > MAX_SHAPE else []
        return f"{{{', '.join([*names[:MAX_SHAPE], *more])}}}"
    return "" if not row else type_text(row, root)


def members_of(schema: JsonSchema) -> list[tuple[str, Any]]:
    """Return the members of a result, or of its items, with their schemas."""
    row = _resolve(schema, schema)
    return _members(_resolve(row.get("items"), schema) if row.get("type") == "array" else row)


def _members(schema: JsonSchema) -> list[tuple[str, Any]]:
    properties = schema.get("properties")
    return list(cast("Mapping[str, Any]", properties).items()) if isinstance(properties, dict) else []


def _resolve(schema: Any, root: JsonSchema) -> JsonSchema:
    """Return a schema, or the one that its `$ref` names in the root's definitions."""
    row = cast(JsonSchema, schema) if isinstance(schema, dict) else {}
    name = str(row.get("$ref", "")).rpartition("/")[2]
    definitions = root.get("$defs")
    found = cast("dict[str, Any]", definitions).get(name) if name and isinstance(definitions, dict) else None
    return cast(JsonSchema, found) if isinstance(found, dict) else row


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
