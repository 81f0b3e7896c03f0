"""Makes web/generated/actions.js: a typed function for each action of a panel, from the declarations in Python.

Types are TypeScript in JSDoc. What pydantic writes of our types is a small part of JSON Schema (2020-12), so no
converter of all of it, which would bring a formatter and its parsers, is worth its weight.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

Schema = dict[str, Any]

HEAD = """// Made by the build from the declarations of tools in Python: to change an action, change its declaration.

/**
 * @import { Failure } from "../ui/types.js"
 *
 * @typedef {(action: string, given: object, signal?: AbortSignal) => Promise<any>} Act
 */
"""
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
NAME = re.compile(r"[A-Za-z_$][\w$]*")


def render(actions: list[Schema]) -> str:
    """Return the module's text.

    Args:
        actions: `{action, description, input, output}` of each, as `gemini.server.catalogue` prints them.
    """
    types = Types()
    functions = [_function(action, types) for action in actions]
    body = "\n".join(functions)
    return (
        f"{HEAD}\n{types.text()}\n"
        "/** The kernel's actions. None rejects: what goes wrong comes back as a failure. @param {Act} act */\n"
        f"export const kernelActions = (act) => ({{\n{body}\n}});\n"
    )


def _function(action: Schema, types: Types) -> str:
    name = action["action"]
    given = types.of(action["input"], f"{_pascal(name)}Given")
    result = types.of(action["output"] or {}, f"{_pascal(name)}Result")
    required = bool(action["input"].get("required"))
    described = " ".join(action["description"].split())
    param = "given" if required else "[given]"
    return (
        f"  /** {described} @param {{{given}}} {param} @param {{AbortSignal}} [signal] "
        f"@returns {{Promise<{result} | Failure>}} */\n"
        f"  {_camel(name)}: (given{'' if required else ' = {}'}, signal) => act({json.dumps(name)}, given, signal),"
    )


class Types:
    """Collects named types, each written once."""

    def __init__(self) -> None:
        self._named: dict[str, str] = {}
        self._schemas: dict[str, Schema] = {}

    def text(self) -> str:
        """Return the declarations of all named types."""
        return "\n".join(f"/** @typedef {{{told}}} {name} */" for name, told in self._named.items()) + "\n"

    def of(self, schema: Schema, name: str) -> str:
        """Return the type of a schema as text.

        Args:
            schema: With its `$defs`.
            name: What the type is called where it has no name of its own, and before one that is taken.
        """
        names = {key: self._free(key, inner, name) for key, inner in schema.get("$defs", {}).items()}
        for key, inner in schema.get("$defs", {}).items():
            self._named[names[key]] = _type(inner, names)
        told = _type(schema, names)
        # A plain type, and a list of a type with a name, need none.
        if "{" not in told:
            return told
        self._named[name] = told
        return name

    def _free(self, name: str, schema: Schema, owner: str) -> str:
        """Return the type's own name; that with its owner's before it where another type has it."""
        return name if self._schemas.setdefault(name, schema) == schema else f"{owner}{name}"


def _type(schema: Schema, names: dict[str, str]) -> str:
    if "$ref" in schema:
        return names[str(schema["$ref"]).rpartition("/")[2]]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(inner, names) for inner in schema[union]))
    kind = schema.get("type")
    if kind == "array":
        return _array(schema, names)
    if kind == "object":
        return _object(schema, names)
    return PLAIN.get(str(kind), "any")


def _array(schema: Schema, names: dict[str, str]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(inner, names) for inner in schema['prefixItems'])}]"
    item = _type(cast(Schema, schema.get("items", {})), names)
    return f"({item})[]" if " | " in item else f"{item}[]"


def _object(schema: Schema, names: dict[str, str]) -> str:
    if "properties" in schema:
        return f"{{ {', '.join(_members(schema, names))} }}"
    more = schema.get("additionalProperties")
    # An object that Python doesn't describe is anything to the page.
    return f"Record<string, {_type(cast(Schema, more), names)}>" if isinstance(more, dict) else "any"


def _members(schema: Schema, names: dict[str, str]) -> Iterator[str]:
    for name, inner in schema["properties"].items():
        shown = name if NAME.fullmatch(name) else json.dumps(name)
        yield f"{shown}{'' if name in schema.get('required', ()) else '?'}: {_type(inner, names)}"


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _camel(name: str) -> str:
    pascal = _pascal(name)
    return pascal[0].lower() + pascal[1:]
