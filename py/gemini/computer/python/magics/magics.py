"""The magics of the console."""

from __future__ import annotations

import difflib
import os
import re
import shlex
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from gemini.computer.python import tracebacks
from gemini.computer.python.magics import inspection, shell, timing
from gemini.computer.python.magics.errors import UsageError
from gemini.core import ffi

for module in (__file__, inspection.__file__, shell.__file__, timing.__file__):
    tracebacks.hide_frames_of(module)

Names = dict[str, Any]
Execute = Callable[[str, Names], Awaitable[Any]]
Magic = Callable[[str, Names], Awaitable[Any]]

EXIT_CODE = "_exit_code"
# The first contents of the console's namespace.
GIVEN = {"gemini", "display"}
MAX_VALUE = 60
_LINE, _CELL = "_line_", "_cell_"


class Magics:
    """The commands that code of a console calls.

    A method `_line_x` is the magic `%x`, and `_cell_x` the magic `%%x`. Each gets the text after its name and the
    names that the code sees; its docstring is its help.

    Args:
        namespace: The console's namespace.
        execute: Runs code with the given names and returns the value of its last expression.
    """

    def __init__(self, namespace: Names, execute: Execute) -> None:
        self._namespace = namespace
        self._execute = execute
        self._previous_directory: str | None = None

    async def run(self, mark: str, text: str, names: Names) -> Any:
        """Run a magic.

        Args:
            mark: The mark at the start or end of the line: `!`, `!!`, `%`, `%%`, `?` or `??`.
            text: The rest of the line, or of the cell.
            names: The local names.

        Raises:
            UsageError: There is no such magic, or its arguments are wrong.
        """
        seen = names if names is self._namespace else {**self._namespace, **names}
        if mark == "!":
            return await self._shell(shell.expand(text, seen))
        if mark == "!!":
            code, lines = await shell.capture(shell.expand(text, seen))
            self._namespace[EXIT_CODE] = code
            return lines
        if mark.startswith("?"):
            return print(self._description(text, seen, source=mark == "??"))
        name, _, rest = text.partition("\n") if mark == "%%" else (text, "", "")
        name, _, options = name.partition(" ")
        if mark == "%%":
            return await self._find(_CELL, name)(f"{options.strip()}\n{rest}", seen)
        return await self._find(_LINE, name)(options.strip(), seen)

    def wait(self, mark: str, text: str, names: Names) -> Any:
        """Run a magic in a function, which can't await.

        Raises:
            UsageError: It has to wait, and this browser can't suspend a function.
        """
        if ffi.can_wait():
            return ffi.wait(self.run(mark, text, names))
        if not (mark.startswith("!") or text.split()[:1] in (["ls"], ["pip"])):
            running = self.run(mark, text, names)
            try:
                running.send(None)
            except StopIteration as end:
                return end.value
            running.close()
        raise UsageError(
            f"{mark}{text} has to wait, which a function can't do here: use it outside of functions"
        )

    def _find(self, kind: str, name: str) -> Magic:
        magic = getattr(self, f"{kind}{name}", None) if name.isidentifier() else None
        if magic is None:
            raise UsageError(_unknown(kind, name))
        return magic

    def _description(self, text: str, names: Names, *, source: bool) -> str:
        if not text.startswith("%"):
            return inspection.describe(text, names, source=source)
        name = text.lstrip("%")
        kind = _CELL if text.startswith("%%") else _LINE
        return f"{text}: {_help(self._find(kind, name))}"

    async def _shell(self, command: str) -> None:
        self._namespace[EXIT_CODE] = await shell.run(command)

    # --- Lines ---

    async def _line_cd(self, text: str, _: Names) -> None:
        """Change the directory; `-` is the previous one, nothing is the home directory."""
        words = _words(text)
        if len(words) > 1:
            raise UsageError(f"%cd takes one directory, not {len(words)}: quote a name with blanks")
        target = words[0] if words else "~"
        if target == "-":
            if self._previous_directory is None:
                raise UsageError("%cd - has no previous directory yet")
            target = self._previous_directory
        before = os.getcwd()
        os.chdir(os.path.expanduser(target))
        self._previous_directory = before
        print(os.getcwd())

    async def _line_pwd(self, _text: str, _: Names) -> str:
        """Return the current directory."""
        return os.getcwd()

    async def _line_ls(self, text: str, names: Names) -> None:
        """List files, as `!ls` does."""
        await self._shell(f"ls {shell.expand(text, names)}")

    async def _line_pip(self, text: str, names: Names) -> None:
        """Install and list packages, as `!pip` does."""
        await self._shell(f"pip {shell.expand(text, names)}")

    async def _line_time(self, text: str, names: Names) -> Any:
        """Run a statement, print how long it took, and return its value."""
        if not text:
            raise UsageError("%time needs a statement: %time sum(range(1000))")
        return await timing.time_once(lambda: self._execute(text, names))

    async def _line_timeit(self, text: str, names: Names) -> None:
        """Run a statement often and print the mean time. -n N: runs of a loop. -r N: loops."""
        timing.time_often(text, "pass", names)

    async def _line_run(self, text: str, names: Names) -> None:
        """Run a Python file and take over its names. -i: let it see the console's names."""
        words = _words(text)
        sees = words[:1] == ["-i"]
        if not words[sees:]:
            raise UsageError("%run needs a file: %run script.py argument")
        path = Path(words[sees]).expanduser()
        path = path.with_name(f"{path.name}.py") if not path.suffix and not path.exists() else path
        self._run_file(path.absolute(), words[sees:], dict(names) if sees else {})

    def _run_file(self, path: Path, argv: list[str], names: Names) -> None:
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        before = (sys.argv, list(sys.path))
        sys.argv = [str(path), *argv[1:]]
        sys.path.insert(0, str(path.parent))
        names |= {"__name__": "__main__", "__file__": str(path)}
        try:
            exec(code, names)
        except SystemExit as end:
            if end.code:
                print(f"{path.name} exited with {end.code}", file=sys.stderr)
        finally:
            sys.argv, sys.path[:] = before
            self._namespace |= {name: value for name, value in names.items() if not name.startswith("__")}

    async def _line_who(self, _text: str, names: Names) -> None:
        """Print the names that you have defined."""
        print("  ".join(_own(names)) or "No names are defined yet.")

    async def _line_whos(self, _text: str, names: Names) -> None:
        """Print the names that you have defined, with type and value."""
        rows = [("Name", "Type", "Value")]
        for name in _own(names):
            value = repr(names[name]).replace("\n", " ")
            rows.append((name, type(names[name]).__name__, value[:MAX_VALUE]))
        widths = [max(len(row[column]) for row in rows) for column in range(2)]
        for name, kind, value in rows:
            print(f"{name:{widths[0]}}  {kind:{widths[1]}}  {value}")

    async def _line_env(self, text: str, names: Names) -> Any:
        """Return all variables of the environment or one, or set one: %env NAME=value."""
        if not text:
            return dict(os.environ)
        name, equals, value = text.partition("=")
        if equals:
            os.environ[name.strip()] = shell.expand(value.strip(), names)
            return None
        if name not in os.environ:
            raise UsageError(f"the environment has no {name}; set it with %env {name}=value")
        return os.environ[name]

    async def _line_matplotlib(self, text: str, _: Names) -> None:
        """Accept `inline`, which is how figures are always shown."""
        if text not in ("", "inline"):
            raise UsageError(f"%matplotlib {text} isn't available: figures are always shown inline")

    async def _line_lsmagic(self, _text: str, _: Names) -> None:
        """List all magics."""
        for kind, prefix in ((_LINE, "%"), (_CELL, "%%")):
            for name in names_of(kind):
                print(f"{prefix + name:12} {_help(getattr(self, kind + name))}")

    # --- Cells ---

    async def _cell_time(self, text: str, names: Names) -> Any:
        """Run the cell, print how long it took, and return its value."""
        body = text.partition("\n")[2]
        return await timing.time_once(lambda: self._execute(body, names))

    async def _cell_timeit(self, text: str, names: Names) -> None:
        """Run the cell often and print the mean time. The statement in its first line runs once before."""
        options, _, body = text.partition("\n")
        flags = re.match(r"(?:-[nr]\s*\d+\s*)*", options)
        assert flags is not None
        timing.time_often(f"{flags[0]}{body}", options[flags.end() :] or "pass", names)

    async def _cell_bash(self, text: str, names: Names) -> None:
        """Run the cell in the shell."""
        await self._shell(text.partition("\n")[2])

    _cell_sh = _cell_bash

    async def _cell_writefile(self, text: str, _names: Names) -> None:
        """Write the cell to a file. -a: append to it."""
        options, _, body = text.partition("\n")
        words = _words(options)
        appends = words[:1] == ["-a"]
        if len(words[appends:]) != 1:
            raise UsageError("%%writefile needs one file: %%writefile notes.txt")
        path = Path(words[appends]).expanduser()
        with path.open("a" if appends else "w", encoding="utf-8") as file:
            file.write(body if body.endswith("\n") else f"{body}\n")
        print(f"{'Added to' if appends else 'Wrote'} {path}")


def names_of(kind: str) -> list[str]:
    """Return the names of magics.

    Args:
        kind: `_line_` or `_cell_`.
    """
    return sorted(name.removeprefix(kind) for name in vars(Magics) if name.startswith(kind))


def _unknown(kind: str, name: str) -> str:
    if kind == _LINE and name.startswith("%"):
        return f"%{name} must be the first line of the code"
    prefix = "%%" if kind == _CELL else "%"
    known = names_of(kind)
    near = difflib.get_close_matches(name, known, 1)
    guess = f" Did you mean {prefix}{near[0]}?" if near else ""
    return f"there is no magic {prefix}{name}.{guess} There are {', '.join(prefix + each for each in known)}"


def _help(magic: Magic) -> str:
    return " ".join((magic.__doc__ or "").split())


def _own(names: Names) -> list[str]:
    return sorted(name for name in names if not name.startswith("_") and name not in GIVEN)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{error}: {text}") from None
