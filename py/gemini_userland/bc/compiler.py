"""Compiles the language of bc to instructions for a machine with a stack.

Source: the GNU bc manual, "Expressions" and "Statements".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gemini_userland.bc.expressions import Expressions, Instruction
from gemini_userland.bc.tokens import END, KEYWORDS, SyntaxProblem


@dataclass(frozen=True)
class Variable:
    """A parameter or an `auto` variable.

    Attributes:
        name: Its name.
        is_array: True for `name[]`.
        by_reference: True for `*name[]`.
    """

    name: str
    is_array: bool = False
    by_reference: bool = False


@dataclass
class Function:
    """A function of the program."""

    name: str
    parameters: list[Variable]
    is_void: bool
    local: list[Variable] = field(default_factory=list[Variable])
    code: list[Instruction] = field(default_factory=list[Instruction])


class Quit(Exception):
    """`quit` was read."""


class Compiler(Expressions):
    """Compiles a text, line by line.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._loops: list[tuple[list[int], list[int]]] = []
        self._function: Function | None = None

    def next(self) -> list[Instruction] | Function | None:
        """Compile the next line, or a function; None at the end.

        Raises:
            SyntaxProblem: It isn't valid. The compiler continues after it.
        """
        if self._token == END:
            return None
        self._code, self._loops, self._function = [], [], None
        try:
            if self._token == ("name", "define"):
                return self._definition()
            while not self._ends():
                if not self._take(";"):
                    self._statement()
                    self._separate()
            self._take("\n")
            return self._code
        except SyntaxProblem:
            self._recover()
            raise

    # Functions

    def _definition(self) -> Function:
        self._advance()
        is_void = self._token == ("name", "void")
        if is_void:
            self._advance()
        kind, name = self._advance()
        if kind != "name" or name in KEYWORDS:
            raise self._problem()
        self._expect("(")
        function = self._function = Function(name, self._variables(")"), is_void)
        self._expect(")")
        self._skip_lines()
        self._expect("{")
        self._skip_lines()
        while self._token == ("name", "auto"):
            self._advance()
            function.local += self._variables(";\n")
            self._advance()
            self._skip_lines()
        if is_void:
            self._void.add(name)
        else:
            self._void.discard(name)
        self._block()
        function.code = self._code
        return function

    def _variables(self, ends: str) -> list[Variable]:
        found: list[Variable] = []
        while not self._is(*ends):
            by_reference = self._take("*")
            kind, name = self._advance()
            if kind != "name":
                raise self._problem()
            is_array = self._take("[")
            if is_array:
                self._expect("]")
            found.append(Variable(name, is_array, by_reference))
            if not self._take(",") and not self._is(*ends):
                raise self._problem()
        return found

    # Statements

    def _block(self) -> None:
        """Compile statements up to a brace."""
        while not self._is("}"):
            if self._token == END:
                raise self._problem()
            if not self._take(";") and not self._take("\n"):
                self._statement()
                if not self._is("}", ";", "\n"):
                    raise self._problem()
        self._advance()

    def _statement(self) -> None:
        kind, word = self._token
        if kind == "text":
            self._advance()
            self._emit("write", word[1:-1])
        elif self._take("{"):
            self._block()
        elif kind == "name" and word in KEYWORDS:
            self._advance()
            self._keyword(word)
        else:
            self._emit("discard" if self._expression() else "print")

    def _keyword(self, word: str) -> None:
        match word:
            case "if":
                self._if()
            case "while":
                self._while()
            case "for":
                self._for()
            case "break" | "continue":
                self._leave(word)
            case "return":
                self._return()
            case "print":
                self._print()
            case "quit":
                # It ends the program when it is read (GNU bc manual, "Statements").
                self._code = [("halt", None)]
                raise Quit
            case "halt" | "limits" | "warranty":
                self._emit(word)
            case _:
                raise self._problem()

    def _condition(self) -> None:
        self._expect("(")
        self._expression()
        self._expect(")")
        self._skip_lines()

    def _if(self) -> None:
        self._condition()
        skip = self._emit("unless")
        self._statement()
        if self._token == ("name", "else"):
            self._advance()
            self._skip_lines()
            end = self._emit("jump")
            self._land(skip)
            self._statement()
            self._land(end)
        else:
            self._land(skip)

    def _while(self) -> None:
        start = len(self._code)
        self._condition()
        end = self._emit("unless")
        self._body(start)
        self._land(end)

    def _body(self, again: int) -> None:
        """Compile the body of a loop, which continues at `again`."""
        breaks: list[int] = []
        continues: list[int] = []
        self._loops.append((breaks, continues))
        self._statement()
        self._loops.pop()
        self._emit("jump", again)
        for place in continues:
            self._code[place] = ("jump", again)
        self._land(*breaks)

    def _for(self) -> None:
        self._expect("(")
        if not self._is(";"):
            self._expression()
            self._emit("discard")
        self._expect(";")
        start = len(self._code)
        end: list[int] = []
        if not self._is(";"):
            self._expression()
            end.append(self._emit("unless"))
        self._expect(";")
        body = self._emit("jump")
        step = len(self._code)
        if not self._is(")"):
            self._expression()
            self._emit("discard")
        self._emit("jump", start)
        self._expect(")")
        self._skip_lines()
        self._land(body)
        self._body(step)
        self._land(*end)

    def _leave(self, word: str) -> None:
        if not self._loops:
            raise self._problem("Break outside a for/while" if word == "break" else "Continue outside a for")
        breaks, continues = self._loops[-1]
        (breaks if word == "break" else continues).append(self._emit("jump"))

    def _return(self) -> None:
        if self._function is None:
            raise self._problem("Return outside of a function.")
        if self._ends() or self._is(";", "}"):
            self._emit("zero")
        else:
            self._expression()
        self._emit("return")

    def _print(self) -> None:
        while True:
            kind, word = self._token
            if kind == "text":
                self._advance()
                self._emit("escaped", word[1:-1])
            else:
                self._expression()
                self._emit("show")
            if not self._take(","):
                return
