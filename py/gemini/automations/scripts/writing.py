"""Write the calls of a run as the Python file of an automation."""

import json
import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gemini.automations.scripts.recording import Recorded
from gemini.automations.scripts.steps import Element
from gemini.tools import Effect

# Values that a user would vary from run to run: the argument of each tool, and its meaning.
INPUTS: Mapping[tuple[str, str], str] = {
    ("browser_navigate", "url"): "The page to open.",
    ("browser_tabs", "url"): "The page to open.",
    ("browser_type", "text"): "The text for {element}.",
    ("browser_select", "option"): "The option of {element}.",
    ("web_search", "query"): "What to search for.",
    ("web_fetch", "url"): "The page to read.",
}
# Arguments that name what an earlier call of the run has made.
MADE = ("terminal_id", "tab")
# A tool that only reads, but waits.
WAITS = "browser_wait_for"
WIDTH = 100
MOST_NAME = 30
MOST_DESCRIPTION = 300
MOST_ABOUT = 140
FIELDS = "fields"


@dataclass
class _Parameter:
    """A parameter of the function; without a default it is required."""

    name: str
    default: str | None
    description: str
    secret: bool = False

    def code(self) -> str:
        """Return the parameter as Python."""
        kind = "SecretStr" if self.secret else "str"
        return f"{self.name}: {kind}" + ("" if self.default is None else f" = {literal(self.default)}")


class _Code(str):
    """An argument that is Python already."""

    __slots__ = ()


def to_repeat(calls: Sequence[Recorded], effects: Mapping[str, Effect]) -> list[Recorded]:
    """Return the calls that an automation repeats: those that change something or wait, and the last one.

    Args:
        calls: The calls of a run.
        effects: The effect of each tool; tools that no longer exist are left out.
    """
    known = [call for call in calls if call.tool in effects]
    return [
        call
        for call in known
        if effects[call.tool] is not Effect.READ or call.tool == WAITS or call is known[-1]
    ]


def write_automation(name: str, about: str, source: str, calls: Sequence[Recorded]) -> str:
    """Return the text of an automation's file.

    Args:
        name: The automation's name.
        about: Its purpose: the task of the run.
        source: Where it comes from, for people.
        calls: The calls to repeat, at least one.
    """
    return _Writer(calls).file(name, about, source)


class _Writer:
    """Writes the file of some calls."""

    def __init__(self, calls: Sequence[Recorded]) -> None:
        self._calls = calls
        self._parameters: dict[tuple[str, str], _Parameter] = {}
        # The variable with the result of the call that made a thing, by the thing's id.
        self._made: dict[str, tuple[int, _Code]] = {}
        self._needed: set[int] = set()

    def file(self, name: str, about: str, source: str) -> str:
        """Return the file."""
        calls = [self._call(number, call) for number, call in enumerate(self._calls)]
        last = len(calls) - 1
        lines = [f"    {self._before(number, last)}{text}" for number, text in enumerate(calls)]
        parameters = sorted(self._parameters.values(), key=lambda each: each.default is not None)
        imports = "element, step" if any("element(" in text for text in calls) else "step"
        head = [f'"""{_plain(source)}"""', ""]
        if any(each.secret for each in parameters):
            head += ["from pydantic import SecretStr", ""]
        function = identifier(name) or "automation"
        signature = _join(f"async def {function}(", [each.code() for each in parameters], ") -> object:", 0)
        return "\n".join(
            [
                *head,
                f"from gemini.automations import {imports}",
                "",
                "",
                signature,
                *_docstring(about, parameters),
                *lines,
                "",
            ]
        )

    def _before(self, number: int, last: int) -> str:
        if number == last:
            return "return "
        return f"{_variable(number)} = " if number in self._needed else ""

    def _call(self, number: int, call: Recorded) -> str:
        arguments = {name: self._argument(call, name, value) for name, value in call.arguments.items()}
        # The next run has its own tab.
        if not isinstance(arguments.get("tab"), _Code):
            arguments.pop("tab", None)
        for made in MADE:
            if isinstance(value := call.members.get(made), str):
                self._made.setdefault(value, (number, _Code(f'{_variable(number)}["{made}"]')))
        # JSON's null is a default that the model has written out.
        given = [f"{name}={literal(value)}" for name, value in arguments.items() if value is not None]
        return _join("await step(", [literal(call.tool), *given], ")", 1)

    def _argument(self, call: Recorded, name: str, value: Any) -> Any:
        if name in MADE and isinstance(value, str) and value in self._made:
            number, code = self._made[value]
            self._needed.add(number)
            return code
        if name == FIELDS and isinstance(value, list):
            return [self._field(call, field) for field in cast("list[Any]", value)]
        description = INPUTS.get((call.tool, name))
        if description is None or not isinstance(value, str):
            return _with_elements(value, call.elements)
        element = next((found for found in call.elements.values() if found is not None), None)
        secret = "consented" in call.members
        return self._parameter(name, value, description, element, secret=secret)

    def _field(self, call: Recorded, field: Any) -> Any:
        """Return a field of a form (`gemini.pages.tabs.filling.FieldValue`) with its value as a parameter."""
        if not isinstance(field, dict):
            return field
        row = cast("dict[str, Any]", field)
        label, value = row.get("field"), row.get("value")
        if not isinstance(label, str) or not isinstance(value, str):
            return _with_elements(row, call.elements)
        element = call.elements.get(label) if label in call.elements else Element("", label)
        answers: list[dict[str, Any]] = call.members.get(FIELDS, [])
        secret = any(answer.get("field") == label and "consented" in answer for answer in answers)
        lifted = self._parameter("text", value, INPUTS["browser_type", "text"], element, secret=secret)
        return {"field": _with_elements(label, call.elements), "value": lifted}

    def _parameter(
        self, kind: str, value: str, description: str, element: Element | None, *, secret: bool
    ) -> _Code:
        """Return the name of the parameter with this value; equal inputs of a kind share one."""
        key = (kind, value)
        if key not in self._parameters:
            wanted = identifier(element.name if element else kind)[:MOST_NAME].strip("_") or kind
            taken = {"element", "step", *(each.name for each in self._parameters.values())}
            name, number = wanted, 1
            while name in taken or keyword.iskeyword(name):
                number += 1
                name = f"{wanted}_{number}"
            about = description.format(element=f"“{_plain(element.name)}”" if element else "the field")
            default = None if secret else value
            self._parameters[key] = _Parameter(name, default, about, secret)
        return _Code(self._parameters[key].name)


def literal(value: Any) -> str:
    """Return a JSON value, elements included, as Python."""
    if isinstance(value, _Code):
        return str(value)
    if isinstance(value, Element):
        which = "" if value.nth == 1 else f", {value.nth}"
        return f"element({literal(value.role)}, {literal(value.name)}{which})"
    if isinstance(value, str):
        # A JSON string is one of Python, too.
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return "{" + ", ".join(f"{literal(name)}: {literal(member)}" for name, member in members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in cast("list[Any]", value)) + "]"
    return repr(value)


def identifier(text: str) -> str:
    """Return a text as a name in Python; empty if it has no letter of ASCII."""
    name = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_").lstrip("0123456789_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _with_elements(value: Any, elements: Mapping[str, Element | None]) -> Any:
    """Return an argument with an element in place of each ref."""
    if isinstance(value, str) and value in elements:
        return elements[value] or Element("", "")
    if isinstance(value, dict):
        return {
            name: _with_elements(member, elements) for name, member in cast("dict[str, Any]", value).items()
        }
    if isinstance(value, list):
        return [_with_elements(item, elements) for item in cast("list[Any]", value)]
    return value


def _join(start: str, parts: Iterable[str], end: str, level: int) -> str:
    """Return a call or a signature on one line, or on one for each part if it is too long."""
    listed = list(parts)
    line = f"{start}{', '.join(listed)}{end}"
    indent = "    " * level
    if len(line) + len(indent) <= WIDTH or not listed:
        return line
    return "\n".join([start, *(f"{indent}    {part}," for part in listed), f"{indent}{end}"])


def _docstring(about: str, parameters: Sequence[_Parameter]) -> list[str]:
    text = _plain(about)[:MOST_DESCRIPTION].strip() or "Repeat a run."
    if not parameters:
        return [f'    """{text}"""']
    described = [f"        {each.name}: {_plain(each.description)[:MOST_ABOUT]}" for each in parameters]
    return [f'    """{text}', "", "    Args:", *described, '    """']


def _plain(text: str) -> str:
    """Return a text as one line for a docstring."""
    return " ".join(text.split()).replace("\\", "/").replace('"', "'")


def _variable(number: int) -> str:
    return f"made_{number + 1}"
