"""Checking a call's arguments, and saying what is wrong with them so that a model can mend its call."""

import difflib
import re
from typing import Any, cast

from pydantic import ValidationError
from pydantic.main import BaseModel
from pydantic_core import ErrorDetails

from gemini.core.encoding import shorten
from gemini.errors import InvalidArguments
from gemini.tools.declaration import Declaration
from gemini.tools.schema import JsonSchema

Location = tuple[int | str, ...]

# A model mends a few things at a time, and its context is dear.
MOST_PROBLEMS = 10
# pydantic tells all or none; a million of them would take a gigabyte.
MOST_DETAILS = 10_000
PLAIN = re.compile(r"[^\W\d][\w-]{0,99}")


def validate(declaration: Declaration, model: type[BaseModel], arguments: Any) -> dict[str, Any]:
    """The keyword arguments for the tool's function.

    Raises:
        ValidationError: pydantic's, for `invalid`.
    """
    # What `model_validate` calls; on the way to it lie three more functions than a trivial call can spare.
    values = model.__pydantic_validator__.validate_python(arguments).__dict__
    return {
        parameter.name: values[f"p{position}"] for position, parameter in enumerate(declaration.parameters)
    }


def invalid(
    declaration: Declaration, schema: JsonSchema, arguments: Any, error: ValidationError
) -> InvalidArguments:
    """What the caller is told.

    Its `data` is `[{path, problem, given?, allowed?}]`, one entry for each of the first ten places: `given`
    is the value there as shortened JSON, `allowed` lists the values or names that fit.
    """
    takes = ", ".join(parameter.name for parameter in declaration.parameters) or "no arguments"
    hint = f"{declaration.name} takes {takes}. Mend what is named and call again."
    count = error.error_count()
    if count > MOST_DETAILS:
        return InvalidArguments(f"{declaration.name}: the arguments have {count:,} problems", hint=hint)
    places: dict[str, dict[str, Any]] = {}
    for details in error.errors(include_url=False):
        location = _within(arguments, details)
        problem = _problem(details, location, schema)
        # Each branch of a union has a problem of its own with the same value.
        known = places.setdefault(problem["path"], problem)
        if problem["problem"] not in known["problem"]:
            known["problem"] += f", or {problem['problem']}"
    problems = list(places.values())[:MOST_PROBLEMS]
    sentences = [_sentence(problem) for problem in problems]
    if len(places) > len(problems):
        sentences.append(f"and {len(places) - len(problems):,} more problems")
    return InvalidArguments(f"{declaration.name}: {'; '.join(sentences)}", hint=hint, data=problems)


def _within(arguments: Any, details: ErrorDetails) -> Location:
    """Where the problem is, without the names of a union's branches, which pydantic puts between places."""
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
            what = "argument" if len(location) == 1 else "member"
            problem = f"is not {'an' if what == 'argument' else 'a'} {what}{_guess(str(location[-1]), names)}"
            return {"path": path, "problem": problem, "allowed": names}
        case "missing" | "missing_argument":
            return {"path": path, "problem": "is required"}
        case "model_type" | "model_attributes_type" | "dataclass_type" | "dict_type":
            problem = "input should be an object"
        case _:
            # "Input should be …", and "Value error, …" where the tool's author raised it.
            said = details["msg"].removeprefix("Value error, ")
            problem = said[:1].lower() + said[1:]
    found = {"path": path, "problem": problem, "given": shorten(details["input"], 100)}
    allowed = _schema_at(schema, location).get("enum")
    if allowed is not None:
        found["allowed"] = allowed
        found["problem"] += _guess(details["input"], allowed)
    return found


def _sentence(problem: dict[str, Any]) -> str:
    given = f"; got {problem['given']}" if "given" in problem else ""
    return f"{problem['path']}: {problem['problem']}{given}"


def _guess(given: Any, allowed: list[Any]) -> str:
    names = [name for name in allowed if isinstance(name, str)]
    # The comparison takes time by the square of the length.
    close = (
        difflib.get_close_matches(given, names, n=1) if isinstance(given, str) and len(given) < 100 else []
    )
    return f"; did you mean {close[0]!r}?" if close else ""


def _schema_at(schema: JsonSchema, location: Location) -> JsonSchema:
    """The part of the tool's schema that is about a place; empty where the schema says nothing of it."""
    for piece in location:
        if isinstance(piece, int):
            places = schema.get("prefixItems", [])
            schema = places[piece] if piece < len(places) else schema.get("items", {})
        else:
            schema = schema.get("properties", {}).get(piece, {})
    return schema


def path_text(location: Location) -> str:
    """`("items", 1, "quantity")` as `items[1].quantity`; a name that isn't plain is quoted: `["a b"]`."""
    text = ""
    for piece in location:
        if isinstance(piece, int):
            text += f"[{piece}]"
        elif PLAIN.fullmatch(piece):
            text += f".{piece}" if text else piece
        else:
            text += f"[{shorten(piece, 100)}]" if text else shorten(piece, 100)
    return text or "arguments"
