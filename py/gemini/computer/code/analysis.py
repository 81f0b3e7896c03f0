"""Answers about Python code, from its sources, by jedi (https://jedi.readthedocs.io).

jedi runs in this interpreter, so it knows the installed packages. It reads sources and imports compiled modules, but
doesn't run the program.
"""

import ast
import keyword
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jedi
from jedi.api.environment import InterpreterEnvironment
from jedi.api.exceptions import RefactoringError

from gemini.computer.code import tool_stubs
from gemini.computer.python.completion import MAX_CANDIDATES, MAX_SIGNATURES, Candidate, Completions
from gemini.errors import CodeProblem

BOM = "\ufeff"
MAX_DOCUMENTATION = 4_000
# A file in one of these directories, or below, belongs to the project there.
MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
# jedi's types of names that have other words here.
KINDS = {"statement": "value", "instance": "value", "param": "argument"}

# It isn't saved with the user's files, which other programs could change.
jedi.settings.cache_directory = os.path.join(tempfile.gettempdir(), "jedi")

tool_stubs.enable()


@dataclass(frozen=True)
class Help:
    """The documentation of a name.

    Attributes:
        title: Its signature or type.
        text: Its docstring.
    """

    title: str
    text: str


@dataclass(frozen=True)
class Place:
    """The place of a definition.

    Attributes:
        name: The name that is defined.
        path: The file; None if it has no source, as with built-in names.
        line: The line, from 1.
    """

    name: str
    path: str | None
    line: int


class Code:
    """The text of a file, perhaps unsaved.

    Args:
        path: Its absolute path.
        text: The text.
    """

    def __init__(self, path: str, text: str) -> None:
        self._project = _project(project_of(path))
        self._script = jedi.Script(text, path=path, project=self._project, environment=_environment())

    def complete(self, line: int, column: int) -> Completions:
        """Return the completions at a position: a line from 1, a column in characters from 0.

        `start` is a column, too.
        """
        found: Sequence[Any] = self._script.complete(line, column)
        typed = found[0].get_completion_prefix_length() if found else 0
        visible = [each for each in found if each.complete is not None and _is_visible(each, typed)][
            :MAX_CANDIDATES
        ]
        candidates = [
            Candidate(
                str(each.name_with_symbols),
                KINDS.get(each.type, str(each.type)),
                _parameters(each) if number < MAX_SIGNATURES else None,
            )
            for number, each in enumerate(visible)
        ]
        return Completions(column - typed, candidates)

    def signature(self, line: int, column: int) -> str | None:
        """Return `name(parameters)` of the call around a position."""
        signatures = self._script.get_signatures(line, column)
        return signatures[0].to_string() if signatures else None

    def describe(self, line: int, column: int) -> Help | None:
        """Return the documentation of the name at a position."""
        names = self._script.help(line, column) or self._script.infer(line, column)
        if not names or names[0].type == "keyword":
            return None
        [name, *_] = names
        signatures = name.get_signatures()
        title = signatures[0].to_string() if signatures else name.description
        return Help(title, name.docstring(raw=True)[:MAX_DOCUMENTATION])

    def define(self, line: int, column: int) -> Place | None:
        """Return the place where the name at a position is defined."""
        names = self._script.goto(line, column, follow_imports=True, follow_builtin_imports=True)
        if not names:
            return None
        [name, *_] = names
        path = None if name.module_path is None else str(name.module_path)
        # Typeshed's stubs describe modules that have no source.
        known = path is not None and os.path.isfile(path) and not path.endswith(".pyi")
        return Place(name.name, path if known else None, name.line or 1)

    def rename(self, line: int, column: int, name: str) -> dict[str, str]:
        """Return the new contents of all files in which the name at a position becomes another, by path.

        Raises:
            CodeProblem: `name` isn't a name, or the position has none that can be renamed.
        """
        if not name.isidentifier() or keyword.iskeyword(name):
            raise CodeProblem(f"{name!r} is not a name", hint="A name has letters, digits and underscores.")
        for found in self._script.goto(line, column, follow_imports=True):
            self._require_own(found)
        try:
            changes = self._script.rename(line, column, new_name=name)
            files: dict[Path, Any] = changes.get_changed_files()
            changed = {str(path): file.get_new_code().removeprefix(BOM) for path, file in files.items()}
        except RefactoringError as error:
            raise CodeProblem(
                str(error), hint="Put the caret on the name of a variable or function."
            ) from None
        if not changed or list(changes.get_renames()):
            raise CodeProblem(
                "a module is named by its file", hint="Rename the file in Files, then its imports."
            )
        for path, text in changed.items():
            _check(path, text)
        return changed

    def _require_own(self, name: Any) -> None:
        """Refuse a name that is defined outside of the project."""
        path: Path | None = name.module_path
        if path is None or not path.is_relative_to(self._project.path):
            raise CodeProblem(
                f"{name.name} is defined outside of {self._project.path}",
                hint="Only names of the project can be renamed.",
            )


def project_of(path: str) -> str:
    """Return the directory of the project that a file belongs to, by default its own."""
    folder = os.path.dirname(path)
    for each in (Path(folder), *Path(folder).parents):
        if each != each.parent and any((each / mark).exists() for mark in MARKS):
            return str(each)
    return folder


@lru_cache(maxsize=4)
def _project(folder: str) -> Any:
    return jedi.Project(folder)


@lru_cache(maxsize=1)
def _environment() -> InterpreterEnvironment:
    return InterpreterEnvironment()


def _is_visible(completion: Any, typed: int) -> bool:
    """Return whether to list a name: private names only after a typed underscore."""
    return not completion.name.startswith("_") or typed > 0


def _parameters(completion: Any) -> str | None:
    if completion.type not in ("function", "class"):
        return None
    signatures = completion.get_signatures()
    if not signatures:
        return None
    return f"({', '.join(parameter.name for parameter in signatures[0].params)})"


def _check(path: str, text: str) -> None:
    """Refuse a text that was valid before renaming, and isn't any more."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise CodeProblem(
            f"{path} would have a syntax error in line {error.lineno}: {error.msg}",
            hint="Correct the file's syntax first.",
        ) from None
