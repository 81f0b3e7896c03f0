"""Runs the instructions of bc (`compiler`): a stack of values, variables, and calls with their own variables."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gemini_userland.bc.compiler import Function, Variable
from gemini_userland.bc.expressions import Instruction
from gemini_userland.bc.library import FUNCTIONS, bessel
from gemini_userland.bc.number import ONE, ZERO, CalculationError, Number, calculate, parse, root

# So many instructions run between two chances for other work, and for a time limit.
STEPS = 4096
LINE = 70
BASES = {"ibase": (2, 16), "obase": (2, 2**31 - 1), "scale": (0, 2**31 - 1)}
ESCAPES = {"n": "\n", "t": "\t", "q": '"', "\\": "\\", "a": "\a", "b": "\b", "r": "\r", "f": "\f"}
# What follows the last instruction of a function.
AFTER: Instruction = ("end", None)
JUMPS = frozenset(("jump", "unless", "either", "both"))
MOST_INDEX = 16777215
LIMITS = """\
BC_BASE_MAX     = 2147483647
BC_DIM_MAX      = 16777215
BC_SCALE_MAX    = 2147483647
BC_STRING_MAX   = 2147483647
MAX Exponent    = 9223372036854775807
Number of vars  = 32767
"""

Array = dict[int, Number]


class Halt(Exception):
    """The program ends."""


@dataclass
class Frame:
    """A call.

    Attributes:
        function: What was called.
        code: The instructions to return to.
        at: The instruction to return to.
        depth: The height of the stack below its arguments.
        variables: What its variables hide.
        arrays: What its arrays hide.
    """

    function: Function
    code: list[Instruction]
    at: int
    depth: int
    variables: dict[str, Number | None]
    arrays: dict[str, Array | None]


class Machine:
    """Runs code.

    Args:
        scale: The initial value of `scale`.
        write: Writes text.
        has_library: True if the functions of `-l` are there.
        width: The length of lines, or 0 if they aren't broken.
    """

    def __init__(
        self, scale: int, write: Callable[[str], None], *, has_library: bool = False, width: int = LINE
    ) -> None:
        self._variables = {"scale": Number(scale), "ibase": Number(10), "obase": Number(10), "last": ZERO}
        self._arrays: dict[str, Array] = {}
        self._functions: dict[str, Function] = {}
        self._has_library = has_library
        self._write = write
        self._width = width
        self._column = 0
        self._stack: list[Number] = []
        self._frames: list[Frame] = []
        self._operations: Mapping[str, Callable[[Any], None]] = {
            **{"number": self._number, "load": self._load, "store": self._store, "element": self._element},
            **{"again": self._again, "put": self._put, "step": self._step, "apply": self._apply},
            **{"negate": self._negate, "not": self._not, "truth": self._truth, "zero": self._zero},
            **{"discard": self._discard, "builtin": self._builtin},
        }

    def define(self, function: Function) -> None:
        """Add a function."""
        self._functions[function.name] = function

    async def run(self, code: list[Instruction]) -> None:
        """Run the instructions of a line.

        Raises:
            CalculationError: One fails; the rest of the line doesn't run.
            Halt: One of them is `halt`.
        """
        try:
            await self._run(code)
        finally:
            while self._frames:
                self._leave(self._frames.pop())
            self._stack.clear()

    async def _run(self, code: list[Instruction]) -> None:
        at = steps = 0
        while at < len(code) or self._frames:
            name, argument = code[at] if at < len(code) else AFTER
            at += 1
            steps += 1
            if steps % STEPS == 0:
                await asyncio.sleep(0)
            if name == "call":
                code, at = self._call(argument, code, at)
            elif name in ("return", "end"):
                code, at = self._return(ZERO if name == "end" else self._stack.pop())
            elif name in JUMPS:
                at = int(argument) if self._jumps(name) else at
            elif (operation := self._operations.get(name)) is not None:
                operation(argument)
            else:
                self._output(name, argument)

    def _jumps(self, name: str) -> bool:
        """Return whether the program continues at the argument of a jump."""
        if name == "jump":
            return True
        is_true = self._stack.pop().value != 0
        if name == "unless":
            return not is_true
        leaves = is_true == (name == "either")
        if leaves:
            self._stack.append(Number(int(is_true)))
        return leaves

    @property
    def _scale(self) -> int:
        return self._variables["scale"].value

    # Instructions after which the next one runs

    def _number(self, text: str) -> None:
        self._stack.append(parse(text, self._variables["ibase"].at(0)))

    def _load(self, name: str) -> None:
        self._stack.append(self._variables.get(name, ZERO))

    def _store(self, name: str) -> None:
        self._stack[-1] = self._assign(name, self._stack[-1])

    def _element(self, name: str) -> None:
        self._stack.append(self._array(name).get(self._index(name), ZERO))

    def _again(self, name: str) -> None:
        """Load an element, and leave its index below."""
        index = self._index(name)
        self._stack += [Number(index), self._array(name).get(index, ZERO)]

    def _put(self, name: str) -> None:
        value = self._stack.pop()
        self._array(name)[self._index(name)] = value
        self._stack.append(value)

    def _apply(self, operator: str) -> None:
        right = self._stack.pop()
        self._stack[-1] = calculate(operator, self._stack[-1], right, self._scale)

    def _negate(self, _: object) -> None:
        self._stack[-1] = Number(-self._stack[-1].value, self._stack[-1].scale)

    def _not(self, _: object) -> None:
        self._stack[-1] = Number(int(self._stack[-1].value == 0))

    def _truth(self, _: object) -> None:
        self._stack[-1] = Number(int(self._stack[-1].value != 0))

    def _zero(self, _: object) -> None:
        self._stack.append(ZERO)

    def _discard(self, _: object) -> None:
        self._stack.pop()

    def _output(self, name: str, argument: Any) -> None:
        match name:
            case "print" | "show":
                value = self._variables["last"] = self._stack.pop()
                self._show(value.text(self._variables["obase"].at(0)) + ("\n" if name == "print" else ""))
            case "write":
                self._show(argument)
            case "escaped":
                self._show(re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], ""), argument))
            case "limits":
                self._write(LIMITS)
            case "warranty":
                self._write(
                    "\nThis bc is a part of control-surface (Apache-2.0). It comes without any warranty.\n\n"
                )
            case _:
                raise Halt

    def _show(self, text: str) -> None:
        """Write text, in lines of a limited length."""
        shown: list[str] = []
        for character in text:
            if character == "\n":
                self._column = 0
            else:
                self._column += 1
                if self._column == self._width - 1:
                    shown.append("\\\n")
                    self._column = 1
            shown.append(character)
        self._write("".join(shown))

    # Variables

    def _assign(self, name: str, value: Number) -> Number:
        if name in BASES:
            least, most = BASES[name]
            value = Number(min(max(value.at(0), least), most))
        self._variables[name] = value
        return value

    def _array(self, name: str) -> Array:
        return self._arrays.setdefault(name, {})

    def _index(self, name: str) -> int:
        index = self._stack.pop().at(0)
        if not 0 <= index <= MOST_INDEX:
            raise CalculationError(f"Array {name} subscript out of bounds.")
        return index

    def _step(self, argument: tuple[str, bool, str, bool]) -> None:
        """Run `++` or `--`."""
        name, is_element, sign, is_prefix = argument
        if is_element:
            index = self._index(name)
            before = self._array(name).get(index, ZERO)
        else:
            index, before = 0, self._variables.get(name, ZERO)
        after = calculate(sign[0], before, ONE, 0)
        if is_element:
            self._array(name)[index] = after
        else:
            after = self._assign(name, after)
        self._stack.append(after if is_prefix else before)

    # Functions

    def _builtin(self, name: str) -> None:
        stack = self._stack
        match name:
            case "length":
                stack[-1] = Number(stack[-1].length)
            case "scale":
                stack[-1] = Number(stack[-1].scale)
            case "sqrt":
                stack[-1] = root(stack[-1], self._scale)
            case _:
                raise CalculationError(
                    f"{name}() isn't supported here: assign a variable, as in `echo x={name} | bc`"
                )

    def _call(
        self, call: tuple[str, list[str | None]], code: list[Instruction], at: int
    ) -> tuple[list[Instruction], int]:
        name, arguments = call
        stack = self._stack
        function = self._functions.get(name)
        given = sum(argument is None for argument in arguments)
        values = stack[len(stack) - given :]
        del stack[len(stack) - given :]
        if function is None:
            stack.append(self._from_library(name, values))
            return code, at
        if len(arguments) != len(function.parameters):
            raise CalculationError("Parameter number mismatch")
        frame = Frame(function, code, at, len(stack), {}, {})
        passed = iter(values)
        pairs = [
            (parameter, next(passed) if argument is None else self._array(argument))
            for parameter, argument in zip(function.parameters, arguments, strict=True)
        ]
        for parameter, value in pairs:
            if parameter.is_array != isinstance(value, dict):
                raise CalculationError("Parameter type mismatch, parameter " + parameter.name)
        for parameter, value in pairs:
            self._bind(frame, parameter, value)
        for variable in function.local:
            self._bind(frame, variable, {} if variable.is_array else ZERO)
        self._frames.append(frame)
        return function.code, 0

    def _bind(self, frame: Frame, variable: Variable, value: Number | Array) -> None:
        """Give a function its own variable."""
        name = variable.name
        if isinstance(value, dict):
            frame.arrays.setdefault(name, self._arrays.get(name))
            self._arrays[name] = value if variable.by_reference else dict(value)
        else:
            frame.variables.setdefault(name, self._variables.get(name))
            self._assign(name, value)

    def _return(self, value: Number) -> tuple[list[Instruction], int]:
        frame = self._frames.pop()
        del self._stack[frame.depth :]
        self._stack.append(ZERO if frame.function.is_void else value)
        self._leave(frame)
        return frame.code, frame.at

    def _leave(self, frame: Frame) -> None:
        for name, value in frame.variables.items():
            if value is None:
                del self._variables[name]
            else:
                self._variables[name] = value
        for name, array in frame.arrays.items():
            if array is None:
                self._arrays.pop(name, None)
            else:
                self._arrays[name] = array

    def _from_library(self, name: str, values: list[Number]) -> Number:
        if self._has_library and name in FUNCTIONS and len(values) == 1:
            return FUNCTIONS[name](values[0], self._scale)
        if self._has_library and name == "j" and len(values) == len(("order", "x")):
            return bessel(values[0], values[1], self._scale)
        raise CalculationError(f"Function {name} not defined.")
