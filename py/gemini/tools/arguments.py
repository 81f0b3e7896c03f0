"""Checking a call's arguments, and saying what is wrong with them so that a model can mend its call."""

import difflib
from typing import Any

from pydantic import ValidationError
from pydantic.main import BaseModel
from pydantic_core import ErrorDetails

from gemini.errors import InvalidArguments
from gemini.tools.declaration import Declaration
from gemini.encoding import shorten


def validate(declaration: Declaration, model: type[BaseModel], arguments: Any) -> dict[str, Any]:
    """The keyword arguments for the tool's function.

    Raises:
        InvalidArguments: with `data` = `[{path, problem, given?, allowed?}]`, one entry a problem.
    """
    try:
        values = model.model_validate(arguments).__dict__
    except ValidationError as error:
        raise invalid(declaration, error) from error
    return {
        parameter.name: values[f"p{position}"] for position, parameter in enumerate(declaration.parameters)
    }


def invalid(declaration: Declaration, error: ValidationError) -> InvalidArguments:
    names = [parameter.name for parameter in declaration.parameters]
    problems = [_problem(details, names) for details in error.errors(include_url=False)]
    sentences = [f"{problem['path']}: {problem['problem']}" for problem in problems]
    takes = ", ".join(names) or "no arguments"
    return InvalidArguments(
        f"{declaration.name}: {'; '.join(sentences)}",
        hint=f"{declaration.name} takes {takes}. Mend what is named and call again.",
        data=problems,
    )


def _problem(details: ErrorDetails, names: list[str]) -> dict[str, Any]:
    kind, path = details["type"], path_text(details["loc"])
    if kind == "extra_forbidden":
        allowed = names if len(details["loc"]) == 1 else None
        return {"path": path, "problem": _unknown(str(details["loc"][-1]), allowed), **_allowed(allowed)}
    if kind == "missing":
        return {"path": path, "problem": "is required"}
    context = details.get("ctx") or {}
    problem = details["msg"][:1].lower() + details["msg"][1:]
    given = shorten(details["input"], 100)
    expected = context.get("expected")
    return {
        "path": path,
        "problem": f"{problem}; got {given}",
        "given": given,
        **({"allowed": expected} if expected is not None else {}),
    }


def _unknown(name: str, allowed: list[str] | None) -> str:
    close = difflib.get_close_matches(name, allowed or [], n=1)
    return f"is not an argument; did you mean {close[0]!r}?" if close else "is not an argument"


def _allowed(names: list[str] | None) -> dict[str, Any]:
    return {} if names is None else {"allowed": names}


def path_text(location: tuple[int | str, ...]) -> str:
    """`("items", 1, "quantity")` as `items[1].quantity`."""
    text = ""
    for piece in location:
        if isinstance(piece, int):
            text += f"[{piece}]"
        else:
            text += f".{piece}" if text else piece
    return text or "arguments"
