"""The syntax tree of an awk program."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(eq=False)
class Node:
    """A node; `line` is its line in the program, from 1."""

    line: int = field(default=0, kw_only=True)


class Expression(Node):
    """An expression."""


@dataclass(eq=False)
class Number(Expression):
    """A constant number."""

    value: float


@dataclass(eq=False)
class String(Expression):
    """A constant string."""

    value: str


@dataclass(eq=False)
class Regex(Expression):
    """A constant expression between slashes; it is matched with $0 unless a function or `~` takes it."""

    source: str


@dataclass(eq=False)
class TypedRegex(Expression):
    """`@/source/`: an expression that is a value."""

    source: str


@dataclass(eq=False)
class Name(Expression):
    """A variable, a parameter or an array."""

    name: str


@dataclass(eq=False)
class Field(Expression):
    """`$index`."""

    index: Expression


@dataclass(eq=False)
class Index(Expression):
    """`target[keys]`; the target is a Name, or an Index in an array of arrays."""

    target: Expression
    keys: list[Expression]


@dataclass(eq=False)
class Unary(Expression):
    """`-`, `+` or `!` before an operand."""

    operator: str
    operand: Expression


@dataclass(eq=False)
class Arithmetic(Expression):
    """`+`, `-`, `*`, `/`, `%` or `^`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(eq=False)
class Comparison(Expression):
    """`<`, `<=`, `==`, `!=`, `>` or `>=`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(eq=False)
class Match(Expression):
    """`~`, or `!~` if negated."""

    left: Expression
    right: Expression
    negated: bool


@dataclass(eq=False)
class Logic(Expression):
    """`&&` or `||`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(eq=False)
class Membership(Expression):
    """`keys in array`."""

    keys: list[Expression]
    array: Expression


@dataclass(eq=False)
class Conditional(Expression):
    """`condition ? yes : no`."""

    condition: Expression
    yes: Expression
    no: Expression


@dataclass(eq=False)
class Assignment(Expression):
    """`target = value`; the operator comes from `+=` and the like, or is ""."""

    operator: str
    target: Expression
    value: Expression


@dataclass(eq=False)
class Step(Expression):
    """`++` or `--`, before the target or after it."""

    target: Expression
    by: int
    before: bool


@dataclass(eq=False)
class Concatenation(Expression):
    """Two adjacent strings."""

    left: Expression
    right: Expression


@dataclass(eq=False)
class Grouping(Expression):
    """`(a, b)`, which only `print` and `in` take, or one expression in parentheses."""

    items: list[Expression]


@dataclass(eq=False)
class Call(Expression):
    """A call of a function; `builtin` if it is awk's."""

    name: str
    arguments: list[Expression]
    builtin: bool


@dataclass(eq=False)
class IndirectCall(Expression):
    """`@variable(arguments)`: a call of the function whose name the variable has."""

    variable: Name
    arguments: list[Expression]


@dataclass(eq=False)
class Getline(Expression):
    """`getline`; the kind is `main`, `file`, `command` or `coprocess`."""

    kind: str
    source: Expression | None
    target: Expression | None


class Statement(Node):
    """A statement."""


@dataclass(eq=False)
class Simple(Statement):
    """An expression as a statement."""

    expression: Expression


@dataclass(eq=False)
class Print(Statement):
    """`print` or, if formatted, `printf`; the redirection is "", `>`, `>>`, `|` or `|&`."""

    arguments: list[Expression]
    formatted: bool
    redirection: str = ""
    destination: Expression | None = None


@dataclass(eq=False)
class Block(Statement):
    """Statements in braces."""

    statements: list[Statement]


@dataclass(eq=False)
class If(Statement):
    """`if`."""

    condition: Expression
    yes: Statement
    no: Statement | None


@dataclass(eq=False)
class While(Statement):
    """`while`."""

    condition: Expression
    body: Statement


@dataclass(eq=False)
class Do(Statement):
    """`do … while`."""

    body: Statement
    condition: Expression


@dataclass(eq=False)
class For(Statement):
    """`for (start; condition; step)`."""

    start: Statement | None
    condition: Expression | None
    step: Statement | None
    body: Statement


@dataclass(eq=False)
class ForIn(Statement):
    """`for (name in array)`."""

    target: Name
    array: Expression
    body: Statement


@dataclass(eq=False)
class Switch(Statement):
    """`switch`; a case without a value is `default`."""

    subject: Expression
    cases: list[tuple[Expression | None, list[Statement]]]


@dataclass(eq=False)
class Delete(Statement):
    """`delete` of an element (Index) or of all of an array (Name)."""

    target: Expression


@dataclass(eq=False)
class Leave(Statement):
    """`next`, `nextfile`, `break`, `continue`, `exit` or `return`, the last two with a value."""

    word: str
    value: Expression | None = None


@dataclass(eq=False)
class Function(Node):
    """A function of the program."""

    name: str
    parameters: list[str]
    body: Block


@dataclass(eq=False)
class Rule(Node):
    """A rule: it has no pattern, one, or the two of a range; without a body it prints the record."""

    patterns: list[Expression]
    body: Block | None


@dataclass
class Program:
    """A program."""

    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    rules: list[Rule] = field(default_factory=list[Rule])
    special: dict[str, list[Block]] = field(
        default_factory=lambda: {"BEGIN": [], "END": [], "BEGINFILE": [], "ENDFILE": []}
    )


def children(part: object) -> list[Node]:
    """Return the nodes directly below a node, or in a list or a mapping of nodes, in their order."""
    found: list[Node] = []
    _collect(list(vars(part).values()) if isinstance(part, Node) else part, found)
    return found


def _collect(values: object, found: list[Node]) -> None:
    if isinstance(values, Node):
        found.append(values)
    elif isinstance(values, dict):
        for value in values.values():  # type: ignore[misc]
            _collect(value, found)  # type: ignore[arg-type]
    elif isinstance(values, (list, tuple)):
        for value in values:  # type: ignore[misc]
            _collect(value, found)  # type: ignore[arg-type]


def descendants(part: object) -> list[Node]:
    """Return all nodes below a node, or in a list or a mapping of nodes."""
    found = children(part)
    for child in found:
        found.extend(children(child))
    return found


def ungrouped(node: Expression) -> Expression:
    """Return an expression without the parentheses around it."""
    while isinstance(node, Grouping) and len(node.items) == 1:
        node = node.items[0]
    return node
