"""The command `python`: run scripts, `-c`, `-m` and standard input inside the page's interpreter.

Options and messages follow CPython's "Command line and environment". Programs share the interpreter, so options
that would change all of it are rejected.
"""

from __future__ import annotations

import codecs
import io
import os
import pkgutil
import runpy
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.machinery import SourceFileLoader

from gemini.computer.python import descriptors, environment, own, program, stdio, tracebacks
from gemini.computer.python.children import Pipe, ProgramInvocation
from gemini.computer.python.owners import own_python
from gemini.computer.python.pip import pip
from gemini.computer.python.pipes import PipeStream
from gemini.core import ffi, time_zones
from gemini_userland.invocation import Invocation

tracebacks.hide_frames_of(__file__)

USAGE = "usage: {name} [option] ... [-c cmd | -m mod | file | -] [arg] ..."
HELP = """
Runs Python {version} in the page's interpreter. Each program has its own namespace.

-c cmd   run the text cmd as a program
-m mod   run a module or package as a program
file     run a script, or a directory or zip file with a __main__.py
-        read the program from standard input
-B       don't write .pyc files (always on here)
-i       be interactive after the program, on a terminal
-E       ignore PYTHONPATH, PYTHONUNBUFFERED and the other variables
-I       isolate: -E and -P
-P       don't import modules from the program's directory
-q       don't print a banner
-s, -S   accepted; site-packages stays importable
-u       don't buffer output
-W arg   warning control, action:message:category:module:lineno
-X opt   dev: print all warnings, as -W default does; utf8: accepted; no others
-V       print the version
-h       print this help

Without a program, on a terminal, it reads statements and prints their values.
Programs share the interpreter, so -b, -d, -O, -R, -v, -x and other -X options, which change all of it, are refused, and
so are PYTHONOPTIMIZE, PYTHONHASHSEED and their like.
"""
FLAGS = "BEIPiqsSuVh?"
WITH_ARGUMENT = "cmWX"
REFUSED = "bdORvx"
# What to use instead of the refused options.
INSTEAD = {
    "b": "leave it out, and compare bytes with bytes",
    "d": "use the modules ast and tokenize",
    "O": "leave it out: assertions are checked",
    "R": "leave it out: hashes are random",
    "v": "print sys.modules at the end",
    "x": "use `tail -n +2 FILE | python3 -`",
}
LONG_INSTEAD = {
    "check-hash-based-pycs": "leave it out: no .pyc files are written",
    "help-all": "use -h",
    "help-env": "use -h",
    "help-xoptions": "use -h",
}
SHARED = "is not available here, because it would change the interpreter that all programs share"
X_INSTEAD = {
    "faulthandler": "leave it out: errors are always printed",
    "int_max_str_digits": "call sys.set_int_max_str_digits()",
    "importtime": "use `python3 -m cProfile -s cumtime FILE`",
    "tracemalloc": "call tracemalloc.start()",
}
ENVIRONMENTS = ("venv", "virtualenv", "ensurepip")


class _UsageError(Exception):
    """An error in the command line."""


@dataclass
class _Request:
    """A parsed command line. `source` says where the program is: "file", "-c", "-m", "-" or "" (none)."""

    source: str = ""
    target: str = ""
    arguments: list[str] = field(default_factory=list[str])
    flags: set[str] = field(default_factory=set[str])
    warning_options: list[str] = field(default_factory=list[str])


async def run_python(invocation: Invocation) -> int:
    """Run a Python program; return its exit code, or 2 if the command line is invalid."""
    try:
        request = _parse(invocation.argv[1:])
    except _UsageError as error:
        invocation.stderr.write(f"{error}\n{USAGE.format(name=invocation.name)}\n".encode("utf-8", "replace"))
        invocation.stderr.write(f"Try `{invocation.name} -h' for more information.\n".encode())
        return 2
    if request.flags & {"h", "?"}:
        invocation.print(USAGE.format(name=invocation.name) + HELP.format(version=_version()), end="")
        return 0
    if "V" in request.flags:
        invocation.print(f"Python {_version()}")
        return 0
    return await _run(request, invocation)


def _version() -> str:
    return sys.version.split()[0]


# --- The command line ---


def _parse(words: list[str]) -> _Request:
    request = _Request()
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            request.source, request.target = ("-", word) if word == "-" else ("file", word)
            break
        if word == "--":
            continue
        if word.startswith("--"):
            _parse_long(word, request)
        elif _parse_short(word[1:], rest, request):
            break
    request.arguments = list(rest)
    return request


def _parse_long(word: str, request: _Request) -> None:
    flag = {"--help": "h", "--version": "V"}.get(word)
    if flag is None:
        instead = LONG_INSTEAD.get(word.removeprefix("--").partition("=")[0])
        raise _UsageError(
            f"option {word} isn't supported: {instead}" if instead else f"unknown option {word}"
        )
    request.flags.add(flag)


def _parse_short(letters: str, rest: Iterator[str], request: _Request) -> bool:
    """Parse a word of short options; return True if it named the program (-c or -m).

    Args:
        letters: The word without its dash.
        rest: The words after it; an option's argument is taken from here.
        request: Receives the options.
    """
    for position, letter in enumerate(letters):
        if letter in FLAGS:
            request.flags.add(letter)
            continue
        if letter not in WITH_ARGUMENT:
            if letter in REFUSED:
                raise _UsageError(f"option -{letter} {SHARED}: {INSTEAD[letter]}")
            raise _UsageError(f"Unknown option: -{letter}")
        argument = letters[position + 1 :] or next(rest, None)
        if argument is None:
            raise _UsageError(f"Argument expected for the -{letter} option")
        if letter in "WX":
            request.warning_options += [argument] if letter == "W" else _implementation_option(argument)
            return False
        request.source, request.target = f"-{letter}", argument
        return True
    return False


def _implementation_option(option: str) -> list[str]:
    """Return the warning options that an option of `-X` has the effect of."""
    effects = {"dev": ["default"], "utf8": [], "utf8=1": []}
    if option not in effects:
        instead = X_INSTEAD.get(option.partition("=")[0], "leave it out")
        raise _UsageError(f"option -X {option} {SHARED}: {instead}")
    return effects[option]


async def no_environments(invocation: Invocation) -> int:
    """Print what to do instead of creating a virtual environment; return 1."""
    invocation.error(
        "the page has one environment, which is its own already: use python and pip without activating one"
    )
    return 1


# --- The program ---


async def _run(request: _Request, invocation: Invocation) -> int:
    if request.source == "-m" and request.target == "pip":
        return await pip(replace(invocation, argv=["pip", *request.arguments]))
    if request.source == "-m" and request.target in ENVIRONMENTS:
        return await no_environments(replace(invocation, argv=[request.target]))
    owner = own_python.get()
    return await (
        _run_here(request, invocation) if owner is None else own.current().run_program(owner, invocation)
    )


async def _run_here(request: _Request, invocation: Invocation) -> int:
    """Run the program in this interpreter."""
    variables = {} if request.flags & {"E", "I"} else invocation.env
    if (problem := _add_options(request, variables)) is not None:
        invocation.error(problem)
        return 2
    try:
        encoding = _encoding(variables)
    except LookupError as error:
        invocation.stderr.write(f"Fatal Python error: init_sys_streams: LookupError: {error}\n".encode())
        return 1
    from_input = request.source in ("", "-") or _is_input(request)
    pipe = invocation.input if isinstance(invocation, ProgramInvocation) else None
    if pipe is not None and (from_input or not ffi.can_wait()):
        invocation.stdin = await _read_all(pipe)
        pipe = None
    keyboard = invocation.keyboard
    from_terminal = request.source == "-" and keyboard is not None
    interactive = "i" in request.flags or from_terminal or (request.source == "" and not invocation.stdin)
    if interactive and keyboard is None:
        invocation.error(
            "an interactive session needs a terminal as its input; python_run is a console for scripts"
        )
        return 2
    if interactive and ffi.lacks_stack_switching():
        invocation.error(
            "an interactive session waits for lines, which needs JavaScript Promise Integration (JSPI): this browser "
            "has none. Use the Python console, or Chromium or Firefox"
        )
        return 2
    try:
        code, main = _load(request, invocation)
    except OSError as error:
        path = invocation.path(request.target)
        invocation.error(f"can't open file {path!r}: [Errno {error.errno}] {error.strerror}")
        return 2
    if (problem := await time_zones.zone_problem(invocation.env.get("TZ"))) is not None:
        invocation.error(problem)
    exit_handlers = program.ExitHandlers()
    state = program.new_state(
        main=main,
        argv=[request.source if request.source in ("-c", "-m") else request.target, *request.arguments],
        orig_argv=list(invocation.argv),
        cwd=invocation.cwd,
        env=invocation.env,
        first_on_path=[
            *_program_directory(request, invocation),
            *_split(variables, "PYTHONPATH", os.pathsep),
        ],
        exit_handlers=exit_handlers,
        places=invocation.places,
    )
    streams = stdio.Streams(
        _input(request, invocation, pipe),
        invocation.stdout,
        invocation.stderr,
        unbuffered="u" in request.flags,
        on_terminal=not isinstance(invocation, ProgramInvocation) or invocation.on_terminal,
        terminals=invocation.watched,
        encoding=encoding,
    )
    warning_options = [*_split(variables, "PYTHONWARNINGS", ","), *request.warning_options]

    def start() -> None:
        # Entering this resets the record of warnings that libraries showed to other programs.
        with warnings.catch_warnings():
            pass
        warnings._processoptions(warning_options)  # pyright: ignore
        if keyboard is not None and interactive:
            from gemini.computer.python.interactive import Session

            banner = request.source in ("", "-") and "q" not in request.flags
            Session(keyboard, streams, banner=banner).run(
                running, None if request.source in ("", "-") else code
            )
        else:
            code()

    sources = {"<string>": request.target} if request.source == "-c" else {}
    programs = invocation.programs if isinstance(invocation, ProgramInvocation) else None
    running = program.Program(state, streams, exit_handlers, sources, programs, invocation.machine.offer)
    return await running.run(start)


def _add_options(request: _Request, variables: Mapping[str, str]) -> str | None:
    """Add the options that environment variables stand for; return why one isn't available, or None."""
    for option, name in environment.options_of(variables).items():
        if instead := (INSTEAD | X_INSTEAD).get(option):
            return f"{name} {SHARED}: {instead}"
        if option == "dev":
            request.warning_options[:0] = _implementation_option(option)
        else:
            request.flags.add(option)
    return None


async def _read_all(pipe: Pipe) -> bytes:
    pieces: list[bytes] = []
    while True:
        if (change := pipe.readable()) is not None:
            await change
        pieces.append(pipe.take(1 << 16))
        if not pieces[-1]:
            return b"".join(pieces)


def _is_input(request: _Request) -> bool:
    """Return whether the program's file is standard input."""
    return request.source == "file" and descriptors.PATHS.get(request.target) == 0


def _encoding(variables: Mapping[str, str]) -> tuple[str, str]:
    """Return the encoding and the error handler that PYTHONIOENCODING names; raise LookupError if they are unknown."""
    name, _, errors = variables.get("PYTHONIOENCODING", "").partition(":")
    if errors:
        codecs.lookup_error(errors)
    return codecs.lookup(name).name if name else "", errors


def _input(request: _Request, invocation: Invocation, pipe: Pipe | None) -> bytes | io.RawIOBase:
    """Return the program's standard input: bytes, a pipe, or a terminal that asks for each line."""
    if invocation.keyboard is not None:
        # Imported on first use, because few programs read from a terminal.
        from gemini.computer.python.interactive import open_input

        return open_input(invocation.keyboard)
    if request.source not in ("file", "-c", "-m") or _is_input(request):
        return b""
    return invocation.stdin if pipe is None else PipeStream(pipe, standard_input=True)


def _load(request: _Request, invocation: Invocation) -> tuple[Callable[[], object], Mapping[str, object]]:
    """Return a function that compiles and runs the program, and the initial names of its `__main__`."""
    if request.source == "-m":
        return _module_runner(request.target, change_argv=True), {}
    if request.source == "-c":
        return _text_runner(request.target.encode("utf-8", "surrogateescape"), "<string>"), {}
    if request.source != "file":
        return _text_runner(invocation.stdin, "<stdin>"), {}
    if _is_input(request):
        return _text_runner(invocation.stdin, request.target), {
            "__file__": request.target,
            "__cached__": None,
        }
    path = invocation.path(request.target)
    if pkgutil.get_importer(path) is not None:
        return _module_runner("__main__", change_argv=False), {}
    with open(path, "rb") as file:
        main = {"__file__": path, "__cached__": None, "__loader__": SourceFileLoader("__main__", path)}
        return _text_runner(file.read(), path), main


def _text_runner(source: bytes, name: str) -> Callable[[], object]:
    return lambda: exec(compile(source, name, "exec", dont_inherit=True), vars(sys.modules["__main__"]))


def _module_runner(name: str, *, change_argv: bool) -> Callable[[], object]:
    # CPython calls this for -m, directories and zip files. The public functions of runpy use a copy of `__main__`,
    # and don't distinguish a missing module from one that fails to import another.
    run: Callable[[str, bool], object] = runpy._run_module_as_main  # pyright: ignore
    return partial(run, name, change_argv)


def _program_directory(request: _Request, invocation: Invocation) -> list[str]:
    """Return the first entry of the program's `sys.path` as a list of one or none."""
    if request.source == "file":
        path = os.path.realpath(invocation.path(request.target))
        if pkgutil.get_importer(path) is not None:
            return [path]
        directory = os.path.dirname(path)
    else:
        directory = invocation.cwd if request.source == "-m" else ""
    return [] if request.flags & {"I", "P"} else [directory]


def _split(variables: Mapping[str, str], name: str, separator: str) -> list[str]:
    return [entry for entry in variables.get(name, "").split(separator) if entry]
