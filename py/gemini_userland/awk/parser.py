"""Parses an awk program into its tree."""

from __future__ import annotations

from gemini_userland.awk import tree
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.expressions import ExpressionParser
from gemini_userland.awk.lexer import BUILTINS, QUALIFIED
from gemini_userland.awk.state import ARRAYS, RECORD_VARIABLES, VARIABLES

SPECIAL = ("BEGIN", "END", "BEGINFILE", "ENDFILE")


def parse(text: str) -> tree.Program:
    """Parse a program.

    Raises:
        BadProgram: It has a syntax error.
    """
    return Parser(text).program()


class Parser(ExpressionParser):
    """The parser of rules, functions and statements."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._loops = 0
        self._switches = 0

    def program(self) -> tree.Program:
        """Parse everything."""
        program = tree.Program()
        self._skip_ends()
        while self.token.kind != "end":
            self._item(program)
            self._skip_ends()
        return program

    def _skip_ends(self) -> None:
        while self.token.kind == "newline" or self.sees(";"):
            self.advance()

    def _item(self, program: tree.Program) -> None:
        if self.sees("function", "func"):
            self._define(program)
            return
        if self.accept("@"):
            self._directive()
            return
        if self.sees(*SPECIAL):
            word = self.advance()
            self.skip_newlines()
            if not self.sees("{"):
                raise self.error()
            program.special[word.text].append(self._block())
            return
        line = self.token.line
        patterns: list[tree.Expression] = []
        if not self.sees("{"):
            patterns.append(self.expression())
            if self.accept(","):
                self.skip_newlines()
                patterns.append(self.expression())
        body = self._block() if self.sees("{") else None
        if body is None and not (self.token.kind in ("newline", "end") or self.sees(";")):
            raise self.error()
        program.rules.append(tree.Rule(patterns, body, line=line))

    def _directive(self) -> None:
        if self.token.text.rpartition(QUALIFIED)[2] != "namespace":
            raise self.error()
        self.advance()
        if self.token.kind != "string":
            raise self.error()
        self._lexer.namespace = "" if self.token.text == "awk" else self.token.text
        self.advance()

    def _define(self, program: tree.Program) -> None:
        line = self.advance().line
        token = self.advance()
        if token.kind not in ("name", "function") or token.text in BUILTINS:
            raise self.error(token)
        name = token.text
        if name in program.functions:
            raise BadProgram(f"function {name} is defined twice", line)
        self.expect("(")
        parameters: list[str] = []
        self.skip_newlines()
        while not self.sees(")"):
            token = self.advance()
            if token.kind not in ("name", "function") or token.text in parameters:
                raise self.error(token)
            if token.text in VARIABLES | RECORD_VARIABLES | ARRAYS:
                raise BadProgram(f"{token.text} is awk's and can't be a parameter", token.line)
            parameters.append(token.text)
            self.skip_newlines()
            if not self.accept(","):
                break
            self.skip_newlines()
        self.expect(")")
        self.skip_newlines()
        self._function = (name, frozenset(parameters))
        body = self._block()
        self._function = None
        program.functions[name] = tree.Function(name, parameters, body, line=line)

    # Statements

    def _block(self) -> tree.Block:
        line = self.token.line
        self.expect("{")
        statements = self._statements("}")
        self.expect("}")
        return tree.Block(statements, line=line)

    def _statements(self, *closing: str) -> list[tree.Statement]:
        statements: list[tree.Statement] = []
        self._skip_ends()
        while not self.sees(*closing):
            if self.token.kind == "end":
                raise self.error()
            statements.append(self._statement())
            self._skip_ends()
        return statements

    def _statement(self) -> tree.Statement:
        if self.sees("{"):
            return self._block()
        if self.accept(";"):
            return tree.Block([])
        if self.token.kind == "keyword" and self.token.text in ("if", "while", "for", "do", "switch"):
            return getattr(self, f"_{self.token.text}")(self.advance().line)
        statement = self._simple()
        self._end_statement()
        return statement

    def _end_statement(self) -> None:
        if self.token.kind == "newline" or self.sees(";"):
            self.advance()
        elif not self.sees("}") and self.token.kind != "end":
            raise self.error()

    def _simple(self) -> tree.Statement:
        token = self.token
        if self.sees("print", "printf"):
            self.advance()
            return self._print(token.text == "printf", token.line)
        if self.accept("delete"):
            grouped = self.accept("(")
            target = self.array_operand()
            if grouped:
                self.expect(")")
            return tree.Delete(target, line=token.line)
        if self.sees("next", "nextfile", "break", "continue", "exit", "return"):
            self.advance()
            return self._leave(token.text, token.line)
        return tree.Simple(self.expression(), line=token.line)

    def _leave(self, word: str, line: int) -> tree.Statement:
        value = None
        if word in ("exit", "return") and not (self.token.kind in ("newline", "end") or self.sees(";", "}")):
            value = self.expression()
        if word == "return" and self._function is None:
            raise BadProgram("return outside of a function", line)
        if (word == "break" and not self._loops + self._switches) or (word == "continue" and not self._loops):
            raise BadProgram(f"{word} outside of a loop", line)
        return tree.Leave(word, value, line=line)

    def _print(self, formatted: bool, line: int) -> tree.Statement:
        arguments: list[tree.Expression] = []
        if not (self.token.kind in ("newline", "end") or self.sees(";", "}", ">", ">>", "|", "|&")):
            arguments.append(self.expression(bare=True))
            while self.accept(","):
                self.skip_newlines()
                arguments.append(self.expression(bare=True))
        if len(arguments) == 1 and isinstance(arguments[0], tree.Grouping):
            arguments = arguments[0].items
        if formatted and not arguments:
            raise self.error()
        if not self.sees(">", ">>", "|", "|&"):
            return tree.Print(arguments, formatted, line=line)
        redirection = self.advance()
        return tree.Print(arguments, formatted, redirection.text, self.concatenation(), line=line)

    def _condition(self) -> tree.Expression:
        self.expect("(")
        condition = self.expression()
        self.expect(")")
        return condition

    def _body(self) -> tree.Statement:
        self._loops += 1
        self.skip_newlines()
        body = self._statement()
        self._loops -= 1
        return body

    def _if(self, line: int) -> tree.Statement:
        condition = self._condition()
        self.skip_newlines()
        yes = self._statement()
        self._skip_ends()
        no = None
        if self.accept("else"):
            self.skip_newlines()
            no = self._statement()
        return tree.If(condition, yes, no, line=line)

    def _while(self, line: int) -> tree.Statement:
        condition = self._condition()
        if self.accept(";"):
            return tree.While(condition, tree.Block([]), line=line)
        return tree.While(condition, self._body(), line=line)

    def _do(self, line: int) -> tree.Statement:
        body = self._body()
        self._skip_ends()
        self.expect("while")
        condition = self._condition()
        self._end_statement()
        return tree.Do(body, condition, line=line)

    def _for(self, line: int) -> tree.Statement:
        self.expect("(")
        start = None
        if not self.sees(";"):
            start = self._for_start()
            if isinstance(start, tree.ForIn):
                self.expect(")")
                start.body = self._body()
                return start
        self.expect(";")
        self.skip_newlines()
        condition = None if self.sees(";") else self.expression()
        self.expect(";")
        self.skip_newlines()
        step = None if self.sees(")") else self._simple()
        self.expect(")")
        if self.accept(";"):
            return tree.For(start, condition, step, tree.Block([]), line=line)
        return tree.For(start, condition, step, self._body(), line=line)

    def _for_start(self) -> tree.Statement:
        """Parse what precedes the first semicolon, or `name in array`."""
        line = self.token.line
        if self.token.kind != "name":
            return self._simple()
        start = self.expression(membership=False)
        if not self.sees("in"):
            return tree.Simple(start, line=line)
        self.advance()
        array = self.array_operand()
        if isinstance(start, tree.Name) and self.sees(")"):
            return tree.ForIn(start, array, tree.Block([]), line=line)
        return tree.Simple(tree.Membership([start], array, line=line), line=line)

    def _switch(self, line: int) -> tree.Statement:
        subject = self._condition()
        self.skip_newlines()
        self.expect("{")
        self._skip_ends()
        self._switches += 1
        cases: list[tuple[tree.Expression | None, list[tree.Statement]]] = []
        while not self.accept("}"):
            if self.accept("default"):
                value = None
            else:
                self.expect("case")
                value = self.concatenation()
            self.expect(":")
            cases.append((value, self._statements("case", "default", "}")))
        self._switches -= 1
        return tree.Switch(subject, cases, line=line)
