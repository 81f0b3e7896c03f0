"""One tool: what it says of itself, and what does it."""

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from gemini.tools.arguments import invalid, validate
from gemini.tools.content import Content
from gemini.tools.declaration import Declaration, Effect
from gemini.tools.schema import JsonSchema, arguments_model, input_schema, output_schema


class Tool:
    """A declaration together with the function that does it.

    The pydantic model is made on first use: making dozens of them would delay the kernel's start.
    """

    def __init__(self, declaration: Declaration, function: Callable[..., Any]) -> None:
        self.declaration = declaration
        self.function = function
        self.may_wait = inspect.iscoroutinefunction(function) or declaration.effect.needs_consent
        """For something, or for a person's consent."""

    @cached_property
    def model(self) -> Any:
        return arguments_model(self.declaration)

    @cached_property
    def input_schema(self) -> JsonSchema:
        told = input_schema(self.declaration, self.model)
        return told if self.declaration.schema is None else self.declaration.schema

    @cached_property
    def output_schema(self) -> JsonSchema | None:
        """The schema of the result; None for a tool that gives blocks of content, whose form MCP defines."""
        returns = self.declaration.returns
        if isinstance(returns, type) and issubclass(returns, Content):
            return None
        return output_schema(returns)

    def keywords(self, arguments: Any) -> dict[str, Any]:
        """What to call the function with.

        Raises:
            InvalidArguments: they don't fit the schema.
        """
        try:
            return validate(self.declaration, self.model, arguments)
        except ValidationError as error:
            raise invalid(self.declaration, self.input_schema, arguments, error) from error

    def effect_of(self, keywords: dict[str, Any]) -> Effect:
        """How far a call with these keywords reaches; see `Reach` for what may be added to them."""
        reach = self.declaration.reach
        return (
            self.declaration.effect
            if reach is None
            else reach(getattr(self.function, "__self__", None), keywords)
        )

    def row(self) -> dict[str, Any]:
        """The tool as `tools/list` and `tools.json` tell it; an annotation that isn't there is false."""
        declared = self.declaration
        hints = {
            "readOnlyHint": declared.effect is Effect.READ,
            "untrustedContentHint": declared.untrusted,
            "consequentialHint": declared.effect.needs_consent,
        }
        interrupts = {} if declared.interrupts is None else {"interrupts": declared.interrupts}
        return {
            "name": declared.name,
            "description": declared.description,
            "inputSchema": self.input_schema,
            **({} if self.output_schema is None else {"outputSchema": self.output_schema}),
            "annotations": {hint: True for hint, holds in hints.items() if holds},
            "effect": declared.effect.value,
            "group": declared.group,
            **interrupts,
        }
