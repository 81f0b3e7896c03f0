"""Read an automation's file: its one function becomes a declaration with a schema, without running the file.

A file may come from anywhere, such as a cloned repository, so listing the automations must not run their code. The
declaration is read from a stub: the function's signature and docstring, compiled alone. Annotations and defaults may
have only known types and literals, so that compiling the stub runs nothing of the file.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import SecretStr

from gemini.errors import AutomationBroken, InvalidArguments, ToolDeclarationError
from gemini.tools import Effect, declare
from gemini.tools.declaration import declaration_of
from gemini.tools.schema import JsonSchema
from gemini.tools.tool import Tool

NAME = r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$"
MOST_NAME = 60
GROUP = "automations"
MOST_BYTES = 200_000
MOST_FILES = 200
TYPES: dict[str, Any] = {
    **{
        kind.__name__: kind
        for kind in (str, int, float, bool, list, dict, tuple, object, date, datetime, time)
    },
    "Any": Any,
    "Literal": Literal,
    # A text that no log and no model gets.
    "SecretStr": SecretStr,
}


@dataclass(frozen=True)
class Definition:
    """An automation.

    Attributes:
        name: The name of the file without `.py`.
        path: The file.
        text: Its content.
        function: The name of its function.
        tool: The declaration, with a stub that does nothing.
    """

    name: str
    path: str
    text: str
    function: str
    tool: Tool

    @property
    def description(self) -> str:
        """The first part of the function's docstring."""
        return self.tool.declaration.description

    @property
    def has_secrets(self) -> bool:
        """Return whether a parameter is a text that no log and no model gets."""
        return any("SecretStr" in str(each.annotation) for each in self.tool.declaration.parameters)

    @property
    def parameters(self) -> JsonSchema:
        """The JSON Schema of the arguments."""
        return self.tool.input_schema


def require_name(name: str) -> str:
    """Return a name for an automation. Raises InvalidArguments if it isn't valid."""
    if len(name) > MOST_NAME or not re.fullmatch(NAME, name):
        raise InvalidArguments(
            f"{name[:80]!r} can't be an automation's name",
            hint=f"Use small letters, digits and single dashes, at most {MOST_NAME}, such as order-tea.",
        )
    return name


def read_file(path: Path) -> Definition:
    """Return the automation in a file.

    Raises:
        AutomationBroken: It can't be used; the error says why.
    """
    if len(path.stem) > MOST_NAME or not re.fullmatch(NAME, path.stem):
        raise broken(str(path), 1, "the file's name must have only small letters, digits and single dashes")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise broken(str(path), 1, f"it is larger than {MOST_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise broken(str(path), 1, "it isn't UTF-8 text") from error
    except OSError as error:
        raise broken(str(path), 1, f"it can't be read: {error.strerror}") from error
    return read_definition(str(path), text)


# Files are read for each list, and rarely change.
@lru_cache(maxsize=MOST_FILES)
def read_definition(path: str, text: str) -> Definition:
    """Return the automation that a file's text describes.

    Raises:
        AutomationBroken: It can't be used; the error names line and reason.
    """
    try:
        module = ast.parse(text, path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise broken(path, line, f"it isn't Python: {getattr(error, 'msg', error)}") from error
    name = path.rpartition("/")[2].removesuffix(".py")
    function = _the_function(path, module, name)
    _require_signature(path, function)
    stub = _stub(path, function)
    try:
        declared = declare(effect=Effect.WRITE, untrusted=True, name=name, group=GROUP)(stub)
        declaration = declaration_of(declared)
        assert declaration is not None
        tool = Tool(declaration, declared)
        _ = tool.input_schema
    except (ToolDeclarationError, TypeError) as error:
        raise broken(path, function.lineno, str(error)) from error
    return Definition(name, path, text, function.name, tool)


def _the_function(path: str, module: ast.Module, name: str) -> ast.AsyncFunctionDef | ast.FunctionDef:
    functions = [
        node
        for node in module.body
        if isinstance(node, (ast.AsyncFunctionDef, ast.FunctionDef)) and not node.name.startswith("_")
    ]
    named = [node for node in functions if node.name == name.replace("-", "_")]
    if len(functions) == 1 or len(named) == 1:
        return (named or functions)[0]
    reason = "it has no function" if not functions else "it has several functions"
    raise broken(path, 1, f"{reason}; one must be public, or have the file's name")


def _require_signature(path: str, function: ast.AsyncFunctionDef | ast.FunctionDef) -> None:
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs:
        raise broken(path, function.lineno, "its function may have only parameters with names")
    for parameter in (*given.args, *given.kwonlyargs):
        if parameter.annotation is None:
            raise broken(path, parameter.lineno, f"the parameter {parameter.arg} has no type")
        for node in _unknown_types(parameter.annotation):
            known = ", ".join(TYPES)
            shown = ast.unparse(node)[:60]
            raise broken(path, parameter.lineno, f"{shown} isn't a known type; the types are {known}, None")
    for default in (*given.defaults, *given.kw_defaults):
        if default is not None:
            _require_literal(path, default)


def _require_literal(path: str, default: ast.expr) -> None:
    try:
        ast.literal_eval(default)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        reason = f"the default {ast.unparse(default)[:60]} isn't a literal"
        raise broken(path, default.lineno, reason) from error


def _unknown_types(node: ast.expr, *, in_literal: bool = False) -> Iterator[ast.expr]:
    """Yield the parts of an annotation that could run code. A text is code, too, except in `Literal`."""
    match node:
        case ast.Name(id=name) if name in TYPES and not in_literal:
            pass
        case ast.Constant(value=value) if value is None or (
            in_literal and isinstance(value, (str, int, bool))
        ):
            pass
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _unknown_types(left)
            yield from _unknown_types(right)
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name in TYPES and not in_literal:
            parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            for part in parts:
                yield from _unknown_types(part, in_literal=name == "Literal")
        case _:
            yield node


def _stub(path: str, function: ast.AsyncFunctionDef | ast.FunctionDef) -> Callable[..., Any]:
    """Return a function with the same signature and docstring that does nothing."""
    body: list[ast.stmt] = [ast.Expr(ast.Constant(ast.get_docstring(function) or ""))]
    stub = ast.FunctionDef(
        name=function.name, args=function.args, body=body, decorator_list=[], returns=None, type_comment=None
    )
    # A field that Python 3.12 has added.
    stub.type_params = []  # type: ignore[attr-defined]
    module = ast.fix_missing_locations(ast.Module([stub], []))
    namespace = dict(TYPES)
    exec(compile(module, path, "exec", dont_inherit=True), namespace)
    return namespace[function.name]


def broken(path: str, line: int, reason: str) -> AutomationBroken:
    """Return the error of a file that can't be used."""
    return AutomationBroken(
        f"{path}, line {line}: {reason}",
        hint="Correct the file. docs/automations.md describes the format.",
        data={"path": path, "line": line, "reason": reason},
    )
