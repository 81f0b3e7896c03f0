"""The parameters of pages' requests, validated before they are used."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from gemini.core.protocol import Handler, Params
from gemini.errors import InvalidArguments


class MethodParams(BaseModel):
    """The parameters of one method: exactly these, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NoParams(MethodParams):
    """A method without parameters."""


A = TypeVar("A", bound=MethodParams)


def validated(model: type[A], answer: Callable[[A], Awaitable[Any]]) -> Handler:
    """Return a handler that refuses invalid parameters without repeating them, since one may be a secret.

    Args:
        model: The parameters of the method.
        answer: Answers a request with valid parameters.
    """

    def handle(params: Params) -> Awaitable[Any]:
        try:
            checked = model.model_validate(params)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_input=False)
            )
            raise InvalidArguments(f"invalid parameters: {problems}") from None
        return answer(checked)

    return handle
