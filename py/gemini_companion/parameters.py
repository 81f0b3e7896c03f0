"""Parameters of what pages ask, checked before anything is done with them."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from gemini.core.protocol import Handler, Params
from gemini.errors import InvalidArguments


class Asked(BaseModel):
    """The parameters of one method: exactly these, of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


A = TypeVar("A", bound=Asked)


def taking(model: type[A], answer: Callable[[A], Awaitable[Any]]) -> Handler:
    """A handler that refuses parameters of the wrong shape, without repeating them: one may be a secret."""

    def handle(params: Params) -> Awaitable[Any]:
        try:
            told = model.model_validate(params)
        except ValidationError as error:
            problems = "; ".join(
                f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_input=False)
            )
            raise InvalidArguments(f"parameters that don't fit: {problems}") from None
        return answer(told)

    return handle
