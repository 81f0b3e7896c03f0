"""Questions of a server to the user (elicitation), shown at a page as the server's own words.

https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Literal, cast
from urllib.parse import urlsplit

import mcp_types as types

from gemini.errors import Refused
from gemini_companion.mcp_servers.setups import is_own
from gemini_companion.pages.consent import Questions, was_asked

Row = dict[str, Any]
KIND = "mcp-question"
MAX_FIELDS = 30
LONGEST_MESSAGE, LONGEST_LABEL = 8_000, 500
MAX_CHOICES = 200
Value = str | int | float | bool | list[str] | None


async def ask_person(
    server: str,
    params: types.ElicitRequestParams,
    questions: Questions,
    open_page: Callable[[str], Any],
) -> types.ElicitResult | types.ErrorData:
    """Ask the user what a server asks, and return the answer for it.

    Args:
        server: The name that the user chose for the server.
        params: Its question.
        questions: The page to ask at.
        open_page: Opens an address in the user's browser.
    """
    facts: Row = {"server": server, "message": _cut(params.message, LONGEST_MESSAGE)}
    if isinstance(params, types.ElicitRequestURLParams):
        if not _can_open(params.url):
            return types.ErrorData(code=types.INVALID_PARAMS, message="only https addresses are opened")
        facts |= {"url": params.url, "fields": []}
    else:
        fields = fields_of(params.requested_schema)
        if fields is None:
            return types.ErrorData(code=types.INVALID_PARAMS, message="the form can't be shown")
        facts["fields"] = fields
    try:
        decision = await questions.ask(KIND, facts, answers=("once",))
    except Refused as refused:
        return types.ElicitResult(action="decline" if was_asked(refused) else "cancel")
    if isinstance(params, types.ElicitRequestURLParams):
        await asyncio.to_thread(open_page, params.url)
        return types.ElicitResult(action="accept")
    content = content_of(facts["fields"], decision.filled or {})
    return (
        types.ElicitResult(action="decline")
        if content is None
        else types.ElicitResult(action="accept", content=content)
    )


def _can_open(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_own(parts.hostname or ""))


def fields_of(schema: Any) -> list[Row] | None:
    """Return the fields of a form, `{name, label, description, type, choices?, required, default?}` of each.

    `type` is text, number, whole, yes, choice or choices. None if the form can't be shown.
    """
    properties = cast(Row, schema).get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, dict) or len(cast(Row, properties)) > MAX_FIELDS:
        return None
    required = cast(Row, schema).get("required")
    needed = cast(list[Any], required) if isinstance(required, list) else []
    fields = [_field(name, each, name in needed) for name, each in cast(Row, properties).items()]
    return None if any(field is None for field in fields) else cast(list[Row], fields)


TYPES = {"string": "text", "number": "number", "integer": "whole", "boolean": "yes"}


def _field(name: str, given: Any, required: bool) -> Row | None:
    if not isinstance(given, dict) or len(name) > LONGEST_LABEL:
        return None
    schema = cast(Row, given)
    many = schema.get("type") == "array"
    choices = _choices(schema.get("items") if many else schema)
    kind = ("choices" if many else "choice") if choices else TYPES.get(str(schema.get("type")))
    if kind is None or (choices and len(choices) > MAX_CHOICES):
        return None
    field: Row = {
        "name": name,
        "label": _cut(schema.get("title") or name, LONGEST_LABEL),
        "description": _cut(schema.get("description") or "", LONGEST_LABEL),
        "type": kind,
        "required": required,
    }
    if choices:
        field["choices"] = choices
    default = schema.get("default")
    if isinstance(default, str | int | float | bool):
        field["default"] = _cut(default, LONGEST_LABEL) if isinstance(default, str) else default
    return field


def _choices(given: Any) -> list[list[str]] | None:
    """Return the values of an enumeration with their labels."""
    if not isinstance(given, dict):
        return None
    schema = cast(Row, given)
    titled = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(titled, list):
        rows = [cast(Row, each) for each in cast(list[Any], titled) if isinstance(each, dict)]
        return [
            [str(row["const"]), _cut(row.get("title", row["const"]), LONGEST_LABEL)]
            for row in rows
            if "const" in row
        ]
    values = schema.get("enum")
    if not isinstance(values, list):
        return None
    names = schema.get("enumNames")
    labels = cast(list[Any], names) if isinstance(names, list) else []
    listed = cast(list[Any], values)
    if len(labels) != len(listed):
        labels = listed
    return [[str(value), _cut(label, LONGEST_LABEL)] for value, label in zip(listed, labels, strict=True)]


def content_of(fields: list[Row], filled: Mapping[str, Any]) -> dict[str, Value] | None:
    """Return a form's content by the user's input; None if a field that is needed is missing or wrong."""
    content: dict[str, Value] = {}
    for field in fields:
        value = _value(field, filled.get(field["name"]))
        if value is not None:
            content[field["name"]] = value
        elif field["required"]:
            return None
    return content


def _value(field: Row, given: Any) -> Value:
    kind: Literal["text", "number", "whole", "yes", "choice", "choices"] = field["type"]
    allowed = [value for value, _ in field.get("choices", [])]
    match kind:
        case "yes":
            return given if isinstance(given, bool) else None
        case "choices":
            listed = cast(list[Any], given) if isinstance(given, list) else []
            chosen = [each for each in listed if each in allowed]
            return chosen or ([] if isinstance(given, list) else None)
        case "choice":
            return given if given in allowed else None
        case "text":
            return given if isinstance(given, str) and (given or field["required"]) else None
        case "number" | "whole":
            return _number(given, whole=kind == "whole")


def _number(given: Any, *, whole: bool) -> int | float | None:
    try:
        return int(str(given)) if whole else float(str(given))
    except ValueError:
        return None


def _cut(text: Any, most: int) -> str:
    plain = str(text)
    return plain if len(plain) <= most else plain[:most] + "…"
