"""Errors about a call's arguments that let a model fix its call."""

import re
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gemini.core.encoding import shorten
from gemini.errors import InvalidArguments
from gemini.tools.declaration import Declaration
from gemini.tools.schema import JsonSchema

Location = tuple[int | str, ...]

# A model fixes a few problems at a time, and its context is expensive.
MAX_PROBLEMS = 10
# pydantic reports all problems or none; a million would take a gigabyte.
MAX_DETAILS = 10_000
PLAIN = re.compile(r"[^\W\d][\w-]{0,99}")


def invalid(
    declaration: Declaration, schema: JsonSchema, arguments: Any, error: ValidationError
) -> InvalidArguments:
    """Return the error that describes invalid arguments to the caller.

    Its `data` is `[{path, problem, given?, allowed?}]`, with one entry for each of the first ten paths. `given`
    is the invalid value as shortened JSON; `allowed` lists the valid values or names.
    """
    takes = ", ".join(parameter.name for parameter in declaration.parameters) or "no arguments"
    hint = f"{declaration.name} takes {takes}. Fix these arguments and call again."
    count = error.error_count()
    if count > MAX_DETAILS:
        return InvalidArguments(f"{declaration.name}: the arguments have {count:,} problems", hint=hint)
    by_path: dict[str, dict[str, Any]] = {}
    for details in error.errors(include_url=False):
        location = _location(arguments, details)
        problem = _problem(details, location, schema)
        # Each branch of a union reports its own problem with the same value.
        known = by_path.setdefault(problem["path"], problem)
        if problem["problem"] not in known["problem"]:
            known["problem"] += f", or {problem['problem']}"
    problems = list(by_path.values())[:MAX_PROBLEMS]
    sentences = [_sentence(problem) for problem in problems]
    if len(by_path) > len(problems):
        sentences.append(f"and {len(by_path) - len(problems):,} more problems")
    return InvalidArguments(f"{declaration.name}: {'; '.join(sentences)}", hint=hint, data=problems)


def _location(arguments: Any, details: ErrorDetails) -> Location:
    """Return the location of a problem without the union branches that pydantic inserts."""
    location: list[int | str] = []
    value = arguments
    for position, piece in enumerate(details["loc"]):
        if isinstance(value, dict) and piece in value:
            value = cast("dict[Any, Any]", value)[piece]
        elif (
            isinstance(value, (list, tuple))
            and isinstance(piece, int)
            and piece < len(cast("list[Any]", value))
        ):
            value = cast("list[Any]", value)[piece]
        elif details["type"] not in ("missing", "missing_argument") or position < len(details["loc"]) - 1:
            continue
        location.append(piece)
    return tuple(location)


def _problem(details: ErrorDetails, location: Location, schema: JsonSchema) -> dict[str, Any]:
    path = path_text(location)
    match details["type"]:
        case "extra_forbidden" | "unexpected_keyword_argument":
            names = list(_schema_at(schema, location[:-1]).get("properties", {}))
            kind = "an argument" if len(location) == 1 else "a member"
            problem = f"is not {kind}{_suggestion(str(location[-1]), names)}"
            return {"path": path, "problem": problem, "allowed": names}
        case "missing" | "missing_argument":
            return {"path": path, "problem": "is required"}
        case "model_type" | "model_attributes_type" | "dataclass_type" | "dict_type":
            problem = "input should be an object"
        case _:
            # "Input should be …", or "Value error, …" if the tool's own validator raised it.
            text = details["msg"].removeprefix("Value error, ")
            problem = text[:1].lower() + text[1:]
    entry = {"path": path, "problem": problem, "given": shorten(details["input"], 100)}
    allowed = _schema_at(schema, location).get("enum")
    if allowed is not None:
        entry["allowed"] = allowed
        entry["problem"] += _suggestion(details["input"], allowed)
    return entry


def _sentence(problem: dict[str, Any]) -> str:
    given = f"; got {problem['given']}" if "given" in problem else ""
    return f"{problem['path']}: {problem['problem']}{given}"


def _suggestion(given: Any, allowed: list[Any]) -> str:
    # Imported on first use: a start doesn't need it.
    import difflib

    names = [name for name in allowed if isinstance(name, str)]
    # The comparison takes quadratic time.
    close = (
        difflib.get_close_matches(given, names, n=1) if isinstance(given, str) and len(given) < 100 else []
    )
    return f"; did you mean {close[0]!r}?" if close else ""


def _schema_at(schema: JsonSchema, location: Location) -> JsonSchema:
    """Return the part of the tool's schema for a location, or `{}` if the schema doesn't describe it."""
    for piece in location:
        if isinstance(piece, int):
            prefix = schema.get("prefixItems", [])
            schema = prefix[piece] if piece < len(prefix) else schema.get("items", {})
        else:
            schema = schema.get("properties", {}).get(piece, {})
    return schema


def path_text(location: Location) -> str:
    """Return a location as a path: `items[1].quantity`. Names that aren't identifiers are quoted: `["a b"]`."""
    text = ""
    for piece in location:
        if isinstance(piece, int):
            text += f"[{piece}]"
        elif PLAIN.fullmatch(piece):
            text += f".{piece}" if text else piece
        else:
            text += f"[{shorten(piece, 100)}]" if text else shorten(piece, 100)
    return text or "arguments"
