"""Parses the expressions of awk, from the loosest operator to the tightest (POSIX, awk, "Grammar")."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.awk import tree
from gemini_userland.awk.errors import BadProgram
from gemini_userland.awk.lexer import BUILTINS, Lexer, Token, shown_name

_ASSIGNMENTS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "^="])
_COMPARISONS = frozenset(["<", "<=", "==", "!=", ">", ">="])
# The last operand of an expression, which an assignment may follow.
_LAST: list[tuple[type[tree.Expression], str]] = [
    (tree.Comparison, "right"),
    (tree.Match, "right"),
    (tree.Logic, "right"),
    (tree.Arithmetic, "right"),
    (tree.Concatenation, "right"),
    (tree.Unary, "operand"),
    (tree.Conditional, "no"),
]
_LVALUES = (tree.Name, tree.Field, tree.Index)


Outer = Callable[[tree.Expression], tree.Expression]
"""Returns the whole expression in which a target was replaced with its assignment."""


class ExpressionParser:
    """The part of the parser that reads expressions."""

    def __init__(self, text: str) -> None:
        self._lexer = Lexer(text)
        self.token = self._lexer.next()
        self._function: tuple[str, frozenset[str]] | None = None

    # Tokens

    def advance(self) -> Token:
        """Return the token and read the next one."""
        token = self.token
        self.token = self._lexer.next()
        return token

    def error(self, token: Token | None = None) -> BadProgram:
        """Return the error for a token that can't stand where it is."""
        token = token or self.token
        shown = {"end": "end of program", "newline": "end of line"}.get(token.kind, shown_name(token.text))
        return BadProgram(f"syntax error at or near {shown}", token.line)

    def sees(self, *texts: str) -> bool:
        """Return whether the token is one of these operators or keywords."""
        return self.token.kind in ("operator", "keyword") and self.token.text in texts

    def accept(self, text: str) -> bool:
        """Skip the token if it is this one."""
        found = self.sees(text)
        if found:
            self.advance()
        return found

    def expect(self, text: str) -> None:
        """Skip the token, which must be this one."""
        if not self.accept(text):
            raise self.error()

    def skip_newlines(self) -> None:
        """Skip ends of lines."""
        while self.token.kind == "newline":
            self.advance()

    # Operators, from the loosest

    def expression(self, *, bare: bool = False, membership: bool = True) -> tree.Expression:
        """Parse an expression.

        Args:
            bare: It is an argument of `print` without parentheses, where `>` redirects.
            membership: `in` is an operator, which it isn't in the head of a `for`.
        """
        line = self.token.line
        left = self._ternary(bare, membership)
        if self.token.kind == "operator" and self.token.text in _ASSIGNMENTS:
            target, outer = self._assignable(left)
            operator = self.advance().text
            self.skip_newlines()
            value = self.expression(bare=bare, membership=membership)
            return outer(tree.Assignment(operator[:-1], target, value, line=line))
        return left

    def _assignable(self, left: tree.Expression) -> tuple[tree.Expression, Outer]:
        """Find the target of an assignment: the last operand, as in `1 + x = 2` and `!x = y`."""
        if isinstance(left, _LVALUES):
            return left, lambda made: made
        side = next((name for kind, name in _LAST if isinstance(left, kind)), None)
        if side is None:
            raise self.error()
        target, inner = self._assignable(getattr(left, side))

        def outer(made: tree.Expression) -> tree.Expression:
            setattr(left, side, inner(made))
            return left

        return target, outer

    def _ternary(self, bare: bool, membership: bool) -> tree.Expression:
        condition = self._or(bare, membership)
        if not self.sees("?"):
            return condition
        line = self.advance().line
        self.skip_newlines()
        yes = self.expression(bare=bare, membership=membership)
        self.skip_newlines()
        self.expect(":")
        self.skip_newlines()
        no = self.expression(bare=bare, membership=membership)
        return tree.Conditional(condition, yes, no, line=line)

    def _or(self, bare: bool, membership: bool) -> tree.Expression:
        left = self._and(bare, membership)
        while self.sees("||"):
            line = self.advance().line
            self.skip_newlines()
            left = tree.Logic("or", left, self._and(bare, membership), line=line)
        return left

    def _and(self, bare: bool, membership: bool) -> tree.Expression:
        left = self._in(bare, membership)
        while self.sees("&&"):
            line = self.advance().line
            self.skip_newlines()
            left = tree.Logic("and", left, self._in(bare, membership), line=line)
        return left

    def _in(self, bare: bool, membership: bool) -> tree.Expression:
        left = self._matching(bare)
        while membership and self.sees("in"):
            line = self.advance().line
            keys = left.items if isinstance(left, tree.Grouping) else [left]
            left = tree.Membership(keys, self.array_operand(), line=line)
        return left

    def array_operand(self) -> tree.Expression:
        """Parse the name of an array, or an element that is an array."""
        if self.token.kind != "name":
            raise self.error()
        return self._name()

    def _matching(self, bare: bool) -> tree.Expression:
        left = self._comparing(bare)
        while self.sees("~", "!~"):
            operator = self.advance()
            right = self._comparing(bare)
            left = tree.Match(left, right, operator.text == "!~", line=operator.line)
        return left

    def _comparing(self, bare: bool) -> tree.Expression:
        left = self._pipe(bare)
        if (
            self.token.kind == "operator"
            and self.token.text in _COMPARISONS
            and not (bare and self.sees(">"))
        ):
            operator = self.advance()
            left = tree.Comparison(operator.text, left, self._pipe(bare), line=operator.line)
        return left

    def _pipe(self, bare: bool) -> tree.Expression:
        left = self.concatenation()
        while self.sees("|", "|&"):
            if not self._lexer.follows("getline"):
                break
            pipe = self.advance()
            self.advance()
            kind = "command" if pipe.text == "|" else "coprocess"
            left = tree.Getline(kind, left, self._getline_target(), line=pipe.line)
            left = self._concatenate(self._adding(left))
        return left

    def concatenation(self) -> tree.Expression:
        """Parse operands that stand next to each other."""
        return self._concatenate(self._adding())

    def _concatenate(self, left: tree.Expression) -> tree.Expression:
        while self._begins_operand():
            line = self.token.line
            left = tree.Concatenation(left, self._adding(), line=line)
        return left

    def _begins_operand(self) -> bool:
        token = self.token
        if token.kind in ("number", "string", "name", "function"):
            return True
        return token.kind == "operator" and token.text in ("$", "!", "(", "++", "--", "@")

    def _adding(self, left: tree.Expression | None = None) -> tree.Expression:
        left = self._multiplying(left)
        while self.sees("+", "-"):
            operator = self.advance()
            left = tree.Arithmetic(operator.text, left, self._multiplying(), line=operator.line)
        return left

    def _multiplying(self, left: tree.Expression | None = None) -> tree.Expression:
        left = left or self._unary()
        while self.sees("*", "/", "%"):
            operator = self.advance()
            left = tree.Arithmetic(operator.text, left, self._unary(), line=operator.line)
        return left

    def _unary(self) -> tree.Expression:
        if self.sees("!", "-", "+"):
            operator = self.advance()
            return tree.Unary(operator.text, self._unary(), line=operator.line)
        return self._power()

    def _power(self) -> tree.Expression:
        left = self._step()
        if self.sees("^"):
            line = self.advance().line
            # It groups from the right, and takes a sign: 2^-1.
            right = self._unary() if self.sees("-", "+", "!") else self._power()
            return tree.Arithmetic("^", left, right, line=line)
        return left

    def _step(self) -> tree.Expression:
        if self.sees("++", "--"):
            operator = self.advance()
            target = self._primary()
            if not isinstance(target, _LVALUES):
                raise self.error(operator)
            return tree.Step(target, 1 if operator.text == "++" else -1, True, line=operator.line)
        operand = self._primary()
        if isinstance(operand, _LVALUES) and self.sees("++", "--"):
            operator = self.advance()
            return tree.Step(operand, 1 if operator.text == "++" else -1, False, line=operator.line)
        return operand

    # Operands

    def _primary(self) -> tree.Expression:
        token = self.token
        if token.kind == "number":
            self.advance()
            text = token.text
            value = float(int(text, 16)) if text[:2] in ("0x", "0X") else float(text)
            return tree.Number(value, line=token.line)
        if token.kind == "string":
            self.advance()
            return tree.String(token.text, line=token.line)
        if token.kind in ("name", "function"):
            return self._name()
        if self.sees("/", "/="):
            self.token = self._lexer.regex(token)
            return tree.Regex(self.advance().text, line=token.line)
        if self.accept("$"):
            return self._field(token.line)
        if self.accept("("):
            return self._grouping(token.line)
        if self.accept("getline"):
            return self._getline(token.line)
        if self.sees("-", "+", "!"):
            return self._unary()
        if self.accept("@"):
            return self._indirect(token.line)
        raise self.error()

    def _indirect(self, line: int) -> tree.Expression:
        """Parse what follows `@`: the name of a variable and arguments, or an expression that is a value."""
        if self.sees("/", "/="):
            self.token = self._lexer.regex(self.token)
            return tree.TypedRegex(self.advance().text, line=line)
        if self.token.kind != "function":
            raise self.error()
        name = self.advance().text
        self.advance()
        return tree.IndirectCall(tree.Name(name, line=line), self.arguments(")"), line=line)

    def _field(self, line: int) -> tree.Expression:
        # A step belongs to the inner field: `$$a++` is `$($a++)`.
        if self.sees("++", "--", "$"):
            return tree.Field(self._step(), line=line)
        if self.sees("-", "+", "!"):
            return tree.Field(self._unary(), line=line)
        return tree.Field(self._primary(), line=line)

    def _grouping(self, line: int) -> tree.Expression:
        items = self.arguments(")")
        if not items:
            raise self.error()
        if len(items) > 1 and not self.sees("in") and not self._ends_print():
            raise self.error()
        return tree.Grouping(items, line=line)

    def _ends_print(self) -> bool:
        token = self.token
        return token.kind in ("newline", "end") or self.sees(";", "}", ">", ">>", "|", "|&")

    def arguments(self, closing: str) -> list[tree.Expression]:
        """Parse expressions with commas between them, up to a closing parenthesis or bracket."""
        items: list[tree.Expression] = []
        self.skip_newlines()
        while not self.sees(closing):
            items.append(self.expression())
            self.skip_newlines()
            if not self.accept(","):
                break
            self.skip_newlines()
        self.expect(closing)
        return items

    def _name(self) -> tree.Expression:
        token = self.advance()
        name, line = token.text, token.line
        is_parameter = self._function is not None and name in self._function[1]
        if name in BUILTINS and not is_parameter:
            return self._builtin(name, line)
        if token.kind == "function":
            self.advance()
            return tree.Call(name, self.arguments(")"), False, line=line)
        found: tree.Expression = tree.Name(name, line=line)
        while self.sees("["):
            self.advance()
            keys = self.arguments("]")
            if not keys:
                raise self.error()
            found = tree.Index(found, keys, line=line)
        return found

    def _builtin(self, name: str, line: int) -> tree.Expression:
        if self.accept("("):
            return tree.Call(name, self.arguments(")"), True, line=line)
        if name != "length":
            raise self.error()
        return tree.Call(name, [], True, line=line)

    def _getline(self, line: int) -> tree.Expression:
        target = self._getline_target()
        if self.accept("<"):
            return tree.Getline("file", self._primary(), target, line=line)
        return tree.Getline("main", None, target, line=line)

    def _getline_target(self) -> tree.Expression | None:
        if self.token.kind == "name" and self.token.text not in BUILTINS:
            return self._name()
        if self.sees("$"):
            line = self.advance().line
            return self._field(line)
        return None
