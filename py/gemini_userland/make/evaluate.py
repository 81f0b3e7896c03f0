"""Expands references and assigns variables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemini_userland.make import words as text_functions
from gemini_userland.make.host import Host
from gemini_userland.make.scan import PAIRS, Assignment, Location, MakeError, closing
from gemini_userland.make.variables import Origin, Scope, Variable
from gemini_userland.make.words import SPACE

Function = Callable[["Evaluator", list[str], Scope], Awaitable[str]]
"""A function that gets unexpanded arguments and expands those it needs."""


@dataclass(frozen=True)
class _Reference:
    """A reference: `$(name)`, whose name may contain references, or the function call `$(name arguments)`."""

    name: str
    arguments: tuple[str, ...] | None = None


class Evaluator:
    """Expands text and assigns variables.

    Args:
        host: The shell and file system.
        functions: The functions that need more than text: (number of arguments, function) by name.

    Attributes:
        globals: The makefile's global scope.
        location: The current line, for messages.
        read_text: Reads makefile text for `$(eval …)`.
        warns_undefined: Whether undefined variables are reported.
        exports_all: Whether all variables with valid names are exported to recipes.
        environment_overrides: Whether variables of the environment override those of makefiles.
    """

    def __init__(self, host: Host, functions: Mapping[str, tuple[int, Function]]) -> None:
        self.host = host
        self.globals = Scope()
        self.location: Location | None = None
        self.functions = functions
        self.read_text: Callable[[str], Awaitable[None]] | None = None
        self.warns_undefined = False
        self.exports_all = False
        self.environment_overrides = False
        self._parsed: dict[str, tuple[str | _Reference, ...]] = {}
        self._expanding: set[int] = set()
        self._definition: Location | None = None

    async def expand(self, text: str, scope: Scope | None = None) -> str:
        """Replace every reference in `text` with its value."""
        if "$" not in text:
            return text
        scope = scope or self.globals
        parts = self._parsed.get(text)
        if parts is None:
            parts = self._parsed[text] = tuple(self._parse(text))
        pieces: list[str] = []
        for part in parts:
            pieces.append(part if isinstance(part, str) else await self._resolve(part, scope))
        return "".join(pieces)

    def _parse(self, text: str) -> Iterator[str | _Reference]:
        done = 0
        while (start := text.find("$", done)) >= 0:
            yield text[done:start]
            opened = text[start + 1 : start + 2]
            if opened in PAIRS:
                end = closing(text, start + 1)
                yield self._bracket(text[start + 2 : end if end > 0 else None], opened, ended=end > 0)
                done = end + 1
            else:
                yield _Reference(opened) if opened not in ("", "$") else "$"
                done = start + 2
        yield text[done:]

    def _bracket(self, inside: str, bracket: str, ended: bool) -> _Reference:
        name, rest = _first_word(inside)
        plain = text_functions.FUNCTIONS.get(name)
        is_function = rest is not None and (plain is not None or name in self.functions)
        if not ended and is_function:
            raise self._error_inside(f"unterminated call to function '{name}': missing '{PAIRS[bracket]}'")
        if not ended:
            raise self._error_inside("unterminated variable reference")
        if rest is None or not is_function:
            return _Reference(inside)
        count = self.functions[name][0] if plain is None else plain.count
        return _Reference(name, tuple(_split(rest.lstrip(SPACE), count, bracket)))

    async def _resolve(self, reference: _Reference, scope: Scope) -> str:
        if reference.arguments is not None:
            return await self.call(reference.name, reference.arguments, scope)
        inside = await self.expand(reference.name, scope)
        name, colon, substitution = inside.partition(":")
        if colon and "=" in substitution:
            return text_functions.substitute(substitution, await self.value(name, scope))
        return await self.value(inside, scope)

    async def call(self, name: str, arguments: Sequence[str], scope: Scope) -> str:
        """Call a built-in function with unexpanded arguments.

        Raises:
            MakeError: There are too few arguments, or one is invalid.
        """
        plain = text_functions.FUNCTIONS.get(name)
        if plain is None:
            return await self.functions[name][1](self, list(arguments), scope)
        given: list[str] = []
        for argument in arguments:
            given.append(await self.expand(argument, scope))
        if len(given) < plain.count:
            raise self.too_few(len(given), name)
        try:
            return plain.call(given)
        except ValueError as problem:
            raise self._error_inside(str(problem)) from problem

    async def value(self, name: str, scope: Scope | None = None) -> str:
        """Return the expanded value of a variable, or "" if it is undefined."""
        scope = scope or self.globals
        if name == ".VARIABLES":
            return " ".join(self.globals.own)
        found = scope.find(name)
        if found is None:
            if self.warns_undefined:
                self.host.report(f"warning: undefined variable '{name}'", self.location)
            return ""
        variable, holder = found
        own = await self._own_value(name, variable, scope)
        if not variable.appends or holder.around is None:
            return own
        before = await self.value(name, holder.around)
        return f"{before} {own}" if before and own else before or own

    async def _own_value(self, name: str, variable: Variable, scope: Scope) -> str:
        if not variable.recursive or "$" not in variable.value:
            return variable.value
        outer, self._definition = self._definition, variable.where or self._definition
        if id(variable) in self._expanding:
            raise self._error_inside(f"Recursive variable '{name}' references itself (eventually)")
        self._expanding.add(id(variable))
        try:
            return await self.expand(variable.value, scope)
        finally:
            self._expanding.discard(id(variable))
            self._definition = outer

    def error(self, message: str) -> MakeError:
        """Return an error at the current line."""
        return MakeError(message, self.location)

    def too_few(self, count: int, function: str) -> MakeError:
        """Return the error for a function with only `count` arguments."""
        return self._error_inside(f"insufficient number of arguments ({count}) to function '{function}'")

    def _error_inside(self, message: str) -> MakeError:
        """Return an error at the definition that is being expanded, or at the current line."""
        return MakeError(message, self._definition or self.location)

    async def shell(self, command: str) -> str:
        """Run a command for `$(shell …)`: return its output as one line, and set .SHELLSTATUS."""
        status, output = await self.host.capture(command)
        self.globals.set(".SHELLSTATUS", str(status), Origin.OVERRIDE)
        return output.rstrip("\n").replace("\n", " ")

    async def assign(
        self, given: Assignment, scope: Scope | None = None, origin: Origin = Origin.FILE
    ) -> None:
        """Define a variable, unless a definition with precedence exists.

        Args:
            given: The assignment.
            scope: The target's scope for a target-specific variable; the global scope by default.
            origin: The source of the definition, which determines its precedence.

        Raises:
            MakeError: The name is empty.
        """
        around = scope or self.globals
        name = (await self.expand(given.name, around)).strip(SPACE)
        if not name:
            raise self.error("empty variable name")
        origin = Origin.OVERRIDE if "override" in given.modifiers else origin
        before = around.variable(name)
        if before is not None and self._has_precedence(before, given, origin, scope):
            return
        old = around.own.get(name)
        new = await self._define(given, around, before, old)
        new.origin, new.where = origin, self.location
        new.exported = True if "export" in given.modifiers else old.exported if old else None
        new.private = "private" in given.modifiers or (old is not None and old.private)
        around.own[name] = new

    def _has_precedence(
        self, before: Variable, given: Assignment, origin: Origin, scope: Scope | None
    ) -> bool:
        if given.operator == "?=":
            return True
        if self.environment_overrides and before.origin is Origin.ENVIRONMENT:
            before.origin = Origin.ENVIRONMENT_OVERRIDE
        stronger = before.origin > origin and before.origin is not Origin.AUTOMATIC
        if scope is not None:
            return stronger and before.origin in (Origin.COMMAND_LINE, Origin.ENVIRONMENT_OVERRIDE)
        return stronger

    async def _define(
        self, given: Assignment, scope: Scope, before: Variable | None, old: Variable | None
    ) -> Variable:
        """Return the new definition; `old` is the definition in the same scope."""
        if given.operator in (":=", "::=", ":::="):
            return Variable(await self.expand(given.value, scope), False, Origin.FILE)
        if given.operator == "!=":
            return Variable(await self.shell(await self.expand(given.value, scope)), True, Origin.FILE)
        if given.operator != "+=" or before is None:
            return Variable(given.value, True, Origin.FILE)
        if old is None:
            return Variable(given.value, True, Origin.FILE, appends=True)
        more = given.value if old.recursive else await self.expand(given.value, scope)
        both = f"{old.value} {more}" if old.value else more
        return Variable(both, old.recursive, Origin.FILE, appends=old.appends)


def _first_word(inside: str) -> tuple[str, str | None]:
    """Split a function's name from its arguments, which are None if no white space follows."""
    for index, character in enumerate(inside):
        if character in SPACE:
            return inside[:index], inside[index:]
        if character in "$:=":
            break
    return inside, None


def _split(arguments: str, count: int, bracket: str) -> list[str]:
    """Split at commas outside nested brackets, into at most `count` arguments (0: any number)."""
    opened, closed = bracket, PAIRS[bracket]
    found: list[str] = []
    depth, start = 0, 0
    for index, character in enumerate(arguments):
        if character == opened:
            depth += 1
        elif character == closed:
            depth -= 1
        elif character == "," and depth == 0 and (count == 0 or len(found) < count - 1):
            found.append(arguments[start:index])
            start = index + 1
    return [*found, arguments[start:]]
