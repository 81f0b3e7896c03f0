"""A tool: its declaration and its function."""

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from gemini.tools.arguments import invalid
from gemini.tools.declaration import Declaration, Effect
from gemini.tools.events import EffectName, ToolRow
from gemini.tools.schema import JsonSchema, arguments_model, input_schema, may_hold_bytes, output_schema


class Tool:
    """A declaration and its function.

    The pydantic model is created on first use: creating dozens of them would delay the kernel's start.

    Attributes:
        is_async: Whether the function is a coroutine function, so that a call of it runs nothing yet.
        may_wait: Whether a call may wait, for something or for the user's consent.
        effect: The declared effect's name.
        asks_first: Whether the user is asked before a call that reaches outside or spends money, as with scripts'
            tools. The owners of powers ask for the surface's own.
    """

    def __init__(
        self, declaration: Declaration, function: Callable[..., Any], *, asks_first: bool = True
    ) -> None:
        self.declaration = declaration
        self.function = function
        self.asks_first = asks_first
        self.effect: EffectName = declaration.effect.value
        self.is_async = inspect.iscoroutinefunction(function)
        self.may_wait = self.is_async or declaration.effect.needs_consent

    @cached_property
    def model(self) -> Any:
        """The pydantic model of the arguments."""
        return arguments_model(self.declaration)

    @property
    def input_schema(self) -> JsonSchema:
        """The JSON Schema of the arguments."""
        return input_schema(self.declaration)

    @property
    def output_schema(self) -> JsonSchema | None:
        """The JSON Schema of the result; None for a tool that returns `Content`, whose form MCP defines."""
        return output_schema(self.declaration)

    @cached_property
    def may_return_bytes(self) -> bool:
        """Return whether the type of the result allows bytes."""
        return may_hold_bytes(self.output_schema or {})

    def keywords(self, arguments: Any) -> dict[str, Any]:
        """Return the keyword arguments to call the function with.

        Raises:
            InvalidArguments: The arguments don't fit the schema.
        """
        try:
            # Skips three function calls of `model_validate`, which cost a trivial tool too much.
            values = self.model.__pydantic_validator__.validate_python(arguments).__dict__
        except ValidationError as error:
            raise invalid(self.declaration, self.input_schema, arguments, error) from error
        return {
            parameter.name: values[f"p{position}"]
            for position, parameter in enumerate(self.declaration.parameters)
        }

    def effect_of(self, keywords: dict[str, Any]) -> Effect:
        """Return the effect of a call with these keywords. `Reach` may add missing ones."""
        reach = self.declaration.reach
        return (
            self.declaration.effect
            if reach is None
            else reach(getattr(self.function, "__self__", None), keywords)
        )

    def row(self) -> ToolRow:
        """Return the tool as `tools/list` and `tools.json` list it; false annotations are left out."""
        declared = self.declaration
        hints = {
            "readOnlyHint": declared.effect is Effect.READ,
            "untrustedContentHint": declared.untrusted,
            "consequentialHint": declared.effect.needs_consent,
        }
        row: ToolRow = {
            "name": declared.name,
            "description": declared.description,
            "inputSchema": self.input_schema,
            "annotations": {hint: True for hint, holds in hints.items() if holds},
            "effect": declared.effect.value,
            "group": declared.group,
        }
        if self.output_schema is not None:
            row["outputSchema"] = self.output_schema
        if declared.interrupts is not None:
            row["interrupts"] = declared.interrupts
        if declared.needs:
            row["needs"] = list(declared.needs)
        if declared.lean:
            row["lean"] = True
        if declared.code:
            row["code"] = True
        return row
