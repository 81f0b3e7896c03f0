"""Texts that a client offers to its person for a job: MCP's prompts.

https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from gemini.errors import InvalidArguments, ToolDeclarationError
from gemini.tools.content import Content, Row

Made = str | Content
# As many as MCP lets a server suggest at once.
MOST_SUGGESTED = 100


@dataclass(frozen=True)
class Argument:
    """`choices` are what it can be; empty where it can be any text."""

    name: str
    required: bool
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Prompt:
    """A function that makes the text from arguments, which are text too."""

    name: str
    description: str
    arguments: tuple[Argument, ...]
    function: Callable[..., Made | Awaitable[Made]]

    def row(self) -> Row:
        """As `prompts/list` tells it."""
        arguments: list[Row] = []
        for argument in self.arguments:
            about = {"description": f"One of: {', '.join(argument.choices)}."} if argument.choices else {}
            arguments.append({"name": argument.name, "required": argument.required, **about})
        return {"name": self.name, "description": self.description, "arguments": arguments}

    async def get(self, arguments: dict[str, str]) -> Row:
        """As `prompts/get` answers: `{description, messages: [{role, content}]}`, a message for each block.

        Raises:
            InvalidArguments: one is missing, or is none that it can be.
        """
        self._check(arguments)
        made = self.function(**arguments)
        if inspect.isawaitable(made):
            made = await made
        content = made if isinstance(made, Content) else Content(made)
        messages = [{"role": "user", "content": block} for block in content.content]
        return {"description": self.description, "messages": messages}

    def suggestions(self, argument: str, begun: str) -> list[str]:
        """What an argument can be that begins so."""
        known = next((each.choices for each in self.arguments if each.name == argument), ())
        return [choice for choice in known if choice.startswith(begun)][:MOST_SUGGESTED]

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
                    f"{argument.name} of the prompt {self.name} is one of {', '.join(argument.choices)}"
                )


class Prompts:
    """Prompts by name."""

    def __init__(self) -> None:
        self._prompts: dict[str, Prompt] = {}
        self._on_change: list[Callable[[], None]] = []

    def add(self, prompt: Prompt) -> None:
        """Offer one, in the place of another of its name."""
        self._prompts[prompt.name] = prompt
        self._changed()

    def remove(self, name: str) -> None:
        """Take one back.

        Raises:
            InvalidArguments: there is none of that name.
        """
        del self._prompts[self.find(name).name]
        self._changed()

    def rows(self) -> list[Row]:
        """Every prompt as `{name, description, arguments: [{name, required, description?}]}`."""
        return [prompt.row() for prompt in self._prompts.values()]

    def find(self, name: str) -> Prompt:
        """The prompt of that name.

        Raises:
            InvalidArguments: there is none.
        """
        prompt = self._prompts.get(name)
        if prompt is None:
            known = ", ".join(self._prompts) or "none"
            raise InvalidArguments(f"there is no prompt {name!r}", hint=f"The page's prompts are: {known}.")
        return prompt

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever one came or went; the returned function ends that."""
        self._on_change.append(listener)
        return lambda: self._on_change.remove(listener)

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()


def prompt_of(function: Callable[..., Any], name: str | None) -> Prompt:
    """The prompt that a function makes; what it is for says the function's docstring.

    Raises:
        ToolDeclarationError: there is no docstring, or an argument that isn't text.
    """
    name = name or function.__name__
    about = " ".join((inspect.getdoc(function) or "").split())
    if not about:
        raise ToolDeclarationError(
            f"the prompt {name!r} has no description",
            hint="Give the function a docstring: people choose prompts by it.",
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
            hint="People fill it in: annotate it with str, or with a Literal of texts.",
        )
    return Argument(parameter.name, parameter.default is inspect.Parameter.empty, choices)
