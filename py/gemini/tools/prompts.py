"""Prompts that MCP clients offer to their users.

https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from gemini.errors import InvalidArguments, ToolDeclarationError
from gemini.tools.content import Content, Row

PromptResult = str | Content
# The maximum that MCP allows in one answer.
MAX_SUGGESTIONS = 100


@dataclass(frozen=True)
class Argument:
    """An argument of a prompt; `choices` lists its values and is empty if any text is allowed."""

    name: str
    required: bool
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Prompt:
    """A prompt: a function that returns text from text arguments."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    function: Callable[..., PromptResult | Awaitable[PromptResult]]

    def row(self) -> Row:
        """Return the prompt as `prompts/list` lists it."""
        arguments: list[Row] = []
        for argument in self.arguments:
            about = {"description": f"One of: {', '.join(argument.choices)}."} if argument.choices else {}
            arguments.append({"name": argument.name, "required": argument.required, **about})
        return {"name": self.name, "description": self.description, "arguments": arguments}

    async def get(self, arguments: dict[str, str]) -> Row:
        """Return the answer to `prompts/get`: `{description, messages: [{role, content}]}`, one message a block.

        Raises:
            InvalidArguments: An argument is missing, unknown or not one of its choices.
        """
        self._check(arguments)
        result = self.function(**arguments)
        if inspect.isawaitable(result):
            result = await result
        content = result if isinstance(result, Content) else Content(result)
        messages = [{"role": "user", "content": block} for block in content.content]
        return {"description": self.description, "messages": messages}

    def suggestions(self, argument: str, prefix: str) -> list[str]:
        """Return the argument's choices that start with `prefix`."""
        choices = next((each.choices for each in self.arguments if each.name == argument), ())
        return [choice for choice in choices if choice.startswith(prefix)][:MAX_SUGGESTIONS]

    def _check(self, given: dict[str, str]) -> None:
        takes = ", ".join(argument.name for argument in self.arguments) or "no arguments"
        missing = [each.name for each in self.arguments if each.required and each.name not in given]
        unknown = set(given) - {each.name for each in self.arguments}
        if missing or unknown:
            problem = (
                f"needs {' and '.join(missing)}" if missing else f"takes no {' and '.join(sorted(unknown))}"
            )
            raise InvalidArguments(f"the prompt {self.name} {problem}", hint=f"It takes {takes}.")
        for argument in self.arguments:
            value = given.get(argument.name)
            if value is not None and argument.choices and value not in argument.choices:
                raise InvalidArguments(
                    f"{argument.name} of the prompt {self.name} must be one of {', '.join(argument.choices)}"
                )


class Prompts:
    """Prompts by name."""

    def __init__(self) -> None:
        self._prompts: dict[str, Prompt] = {}
        self._on_change: list[Callable[[], None]] = []

    def add(self, prompt: Prompt) -> None:
        """Add a prompt, or replace the one with the same name."""
        self._prompts[prompt.name] = prompt
        self._changed()

    def remove(self, name: str) -> None:
        """Remove a prompt.

        Raises:
            InvalidArguments: There is no prompt with this name.
        """
        del self._prompts[self.find(name).name]
        self._changed()

    def rows(self) -> list[Row]:
        """Return every prompt as `{name, description, arguments: [{name, required, description?}]}`."""
        return [prompt.row() for prompt in self._prompts.values()]

    def find(self, name: str) -> Prompt:
        """Return the prompt with this name.

        Raises:
            InvalidArguments: There is none.
        """
        prompt = self._prompts.get(name)
        if prompt is None:
            known = ", ".join(self._prompts) or "none"
            raise InvalidArguments(f"there is no prompt {name!r}", hint=f"The page's prompts are: {known}.")
        return prompt

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever a prompt is added or removed; the returned function unsubscribes it."""
        self._on_change.append(listener)
        return lambda: self._on_change.remove(listener)

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()


def prompt_of(function: Callable[..., Any], name: str | None) -> Prompt:
    """Return a prompt for a function, described by the function's docstring.

    Raises:
        ToolDeclarationError: The function has no docstring, or an argument isn't text.
    """
    name = name or function.__name__
    about = " ".join((inspect.getdoc(function) or "").split())
    if not about:
        raise ToolDeclarationError(
            f"the prompt {name!r} has no description",
            hint="Give the function a docstring: users choose prompts by it.",
        )
    hints = get_type_hints(function)
    arguments = [
        _argument(name, parameter, hints.get(parameter.name))
        for parameter in inspect.signature(function).parameters.values()
    ]
    return Prompt(name, about, tuple(arguments), function)


def _argument(prompt: str, parameter: inspect.Parameter, hint: Any) -> Argument:
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    if hint is not str and not (choices and all(isinstance(choice, str) for choice in choices)):
        raise ToolDeclarationError(
            f"the argument {parameter.name!r} of the prompt {prompt!r} isn't text",
            hint="Users type it: annotate it with str, or with a Literal of strings.",
        )
    return Argument(parameter.name, parameter.default is inspect.Parameter.empty, choices)
