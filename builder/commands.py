"""The command line of `build.py`."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from builder import (
    checking,
    docs,
    drivers,
    environment,
    extension,
    release,
    requirements,
    site,
    testing,
    wheels,
)
from builder.compression import Effort
from builder.exclusion import one_build
from builder.linux import image
from builder.meaning import model
from builder.problems import BuildProblem
from builder.progress import Progress
from builder.project import Project
from builder.stamps import Steps
from gemini.errors import GeminiError
from gemini_companion.admission import control
from gemini_companion.admission.identity import port_owner
from gemini_companion.closed_output import end_quietly
from gemini_companion.serving.chosen_port import saved_port
from gemini_testing.server import PortUnavailable, Server

ROOT = Path(__file__).parent.parent
FULL = {errno.ENOSPC, errno.EDQUOT}


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code.

    A failure prints its message to stderr, without a traceback.

    Args:
        arguments: The command line without the program; `sys.argv` by default.
    """
    options, rest = _parse(sys.argv[1:] if arguments is None else arguments)
    steps = Steps(Progress())
    try:
        if options.command == "url":
            print(_address(options.port))
            return 0
        return _run(options, rest, Project(ROOT), steps)
    except BuildProblem as problem:
        if problem.details:
            print(problem.details.rstrip(), file=sys.stderr)
        print(problem, file=sys.stderr)
        return 1
    except BrokenPipeError:
        return end_quietly()
    except OSError as problem:
        if problem.errno not in FULL:
            raise
        advice = "free some space, and start again. Steps that have ended aren't repeated"
        print(f"The disk with {ROOT} is full; {advice}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # The shell's exit code for a program that SIGINT ended.
        return 130


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    serve = commands.add_parser("serve", help="build, serve on loopback, open Chromium", description=_SERVE)
    serve.add_argument(
        "--port", type=int, help="the port to listen on (default: the settings' or 8765; 0 picks a free one)"
    )
    serve.add_argument("--no-open", action="store_true", help="don't open a browser")
    serve.add_argument("--headless", action="store_true", help="open the page in a headless browser")
    serve.add_argument(
        "--allow-host",
        nargs="*",
        metavar="FOLDER",
        help="let pages run commands in these folders (default: the current one), with your consent",
    )
    serve.add_argument(
        "--browser",
        nargs="?",
        choices=("window", "hidden"),
        const="window",
        help="open other sites in tabs of a browser of the companion's, with your consent",
    )


def _add_meaning(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    meaning = commands.add_parser("meaning", help="make the model for search", description=_MEANING)
    _add_quick(meaning, "compress less, as test does")
    meaning.add_argument(
        "--add", action="store_true", help="add it to a dist/ that is being served, and build nothing else"
    )


def _parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="build.py", description="Builds, serves, tests and measures the surface."
    )
    parser.set_defaults(effort=Effort.SMALL)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="build dist/, a static site", description="Builds dist/.")
    _add_quick(build, "compress less, as test does")
    _add_serve(commands)
    url = commands.add_parser(
        "url", help="print an address that opens the page in a browser", description=_URL
    )
    url.add_argument("--port", type=int, help="the port of the companion (default: the settings' or 8765)")
    check = commands.add_parser("doctor", help="check this machine", description=_DOCTOR)
    check.add_argument("--port", type=int, help="the port for the companion (default: the settings' or 8765)")
    check.add_argument("--json", action="store_true", help="print the findings as JSON")
    test = commands.add_parser("test", help="check the code and run every test", description=_TEST)
    test.add_argument(
        "--only", action="append", default=[], choices=testing.SUITES, help="run only this suite"
    )
    test.add_argument("--all", action="store_true", help="run the tests and files that take turns, too")
    commands.add_parser("wheel", help="build the wheel for users to install", description=_WHEEL)
    release = commands.add_parser("release", help="make all that is published", description=_RELEASE)
    _add_quick(release, "compress less, to try it")
    commands.add_parser("extension", help="build the browser extension", description=_EXTENSION)
    _add_meaning(commands)
    commands.add_parser("linux", help="make the Linux of the page", description=_LINUX)
    commands.add_parser("pictures", help="take the pictures of docs/tour.md in Chromium")
    commands.add_parser("docs", help="build dist/docs/, the documentation", description=_DOCS)
    commands.add_parser("check", help="check types, lint, format and layering", description=_CHECK)
    bench = commands.add_parser(
        "bench", help="run benchmarks, and print ratios to baselines", description=_BENCH
    )
    bench.add_argument("name", nargs="*", help="a benchmark's file name without .py (default: all)")
    commands.add_parser("lock", help="update the pinned packages", description=_LOCK)
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command not in ("test", "bench"):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return options, rest


def _add_quick(command: argparse.ArgumentParser, text: str) -> None:
    command.add_argument(
        "--quick",
        action="store_const",
        dest="effort",
        const=Effort.QUICK,
        default=Effort.SMALL,
        help=text,
    )


_SERVE = (
    "Builds what changed, starts the companion, which serves dist/, and opens Chromium with WebMCP enabled."
)
_URL = (
    "Prints an address of the running companion, which opens the page in a browser once, within ten minutes."
)
_DOCTOR = (
    "Checks this machine for what the companion and the page need, and says how to get it. It builds nothing."
)
_TEST = "Installs what the tests need, including Chromium; runs `check` and every suite. Other arguments go to pytest."
_WHEEL = "Builds the wheel with the page and the command `control-surface`, and prints its path."
_RELEASE = (
    "Makes dist/release/: packages for Python, npm, the browser and MCP clients, and a site with documents."
)
_EXTENSION = "Builds the browser extension, and prints the paths of its archive and of its unpacked folder."
_LINUX = "Makes the Linux of the page from Debian's packages, and builds dist/ with it."
_MEANING = "Makes the model by which files are searched by meaning on the device, and builds dist/ with it."
_DOCS = "Builds the documentation with the API reference, and prints the path of its first page."
_CHECK = "Runs ruff, import-linter, pyright, Biome, knip, tsc and the checks of builder/."
_BENCH = "Builds the site and runs benchmarks/. Options that aren't listed go to the named benchmark."
_LOCK = "Writes requirements/*.txt from the dependency groups of pyproject.toml, and the lock files of npm."


# What the build of dist/ begins with, by command.
_FIRST = {"linux": image.build, "meaning": model.build}


def _run(options: argparse.Namespace, rest: list[str], project: Project, steps: Steps) -> int:
    match options.command:
        case "meaning" if options.add:
            with one_build(project.work, steps.progress):
                model.add(project, steps)
        case "build" | "linux" | "meaning":
            _build(project, steps, options.effort, first=_FIRST.get(options.command))
        case "serve":
            return _serve(project, steps, options.port, _companion_options(options))
        case "doctor":
            return _doctor(project, steps, options.port, as_json=options.json)
        case "test":
            return testing.test(project, steps, options.only, rest, run_all=options.all)
        case "wheel" | "release" | "extension" | "docs":
            steps.progress.note(_make(options, project, steps))
        case "pictures":
            return testing.pictures(project, steps)
        case "check":
            checking.check(project, steps)
        case "bench":
            return testing.bench(project, steps, options.name, rest)
        case _:
            requirements.lock(project, steps)
    return 0


def _make(options: argparse.Namespace, project: Project, steps: Steps) -> str:
    """Make what a command is named after, and return the line that says where it is."""
    match options.command:
        case "wheel":
            _build(project, steps)
            return project.shown(wheels.make_installable(project, steps))
        case "release":
            return project.shown(release.build(project, steps, options.effort))
        case "extension":
            archive = project.shown(extension.build(project, steps))
            return f"{archive}\nunpacked: {project.shown(project.extension)}"
        case _:
            docs.build(project, steps)
            return project.shown(project.docs / "index.html")


def _build(
    project: Project,
    steps: Steps,
    effort: Effort = Effort.SMALL,
    *,
    first: Callable[[Project, Steps], None] | None = None,
) -> None:
    if first:
        with one_build(project.work, steps.progress):
            first(project, steps)
    site.build(project, steps, effort)
    steps.progress.note("dist/ is built" if steps.taken else "dist/ is up to date")


def _address(port: int | None) -> str:
    """Return a one-time address of the companion that runs."""
    try:
        return control.new_address(saved_port()[0] if port is None else port)
    except GeminiError as problem:
        raise BuildProblem(". ".join(filter(None, (problem.message.rstrip("."), problem.hint)))) from None


def _doctor(project: Project, steps: Steps, port: int | None, *, as_json: bool) -> int:
    """Run the companion's checks with its packages, which are installed before; return the exit code."""
    environment.prepare(project, steps, "companion")
    named = [*(["--json"] if as_json else []), *(["--port", str(port)] if port is not None else [])]
    command = [str(project.python), "-m", "gemini_companion", "doctor", "--dist", str(project.dist), *named]
    env = {**os.environ, "PYTHONPATH": str(project.root / "py")}
    return subprocess.run(command, env=env, check=False).returncode


def _serve(project: Project, steps: Steps, port: int | None, arguments: list[str]) -> int:
    if port is None:
        port, _ = saved_port()
    # Check first, so a port in use is reported before minutes of building.
    try:
        Server(project.dist, port).server_close()
    except PortUnavailable as problem:
        owner = port_owner(port) if port in range(1, 65536) else None
        raise BuildProblem(
            f"{problem}{f' by {owner}' if owner else ''}; choose another port with --port."
        ) from None
    # On this machine, smaller files would arrive no sooner.
    with one_build(project.work, steps.progress):
        model.refresh(project, steps)
    site.build(project, steps, Effort.NONE, group="companion", can_make_model=True)
    steps.progress.note("dist/ is built" if steps.taken else "dist/ is up to date")
    browser = drivers.for_headless_page(project, steps) if "--headless" in arguments else {}
    if not {"--headless", "--no-open"} & set(arguments) and (advice := drivers.advice()):
        steps.progress.note(advice)
    profile = project.work / "browser-profile"
    command_line = ["--port", str(port), "--dist", str(project.dist), "--profile", str(profile), *arguments]
    # The companion needs packages that this Python doesn't have.
    companion = subprocess.Popen(
        [str(project.python), "-m", "gemini_companion", "serve", *command_line],
        env={**os.environ, **browser, "PYTHONPATH": str(project.root / "py")},
    )

    def stop(number: int, frame: FrameType | None) -> None:
        companion.terminate()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    return companion.wait()


def _companion_options(options: argparse.Namespace) -> list[str]:
    """Return the options that are passed on to the companion."""
    flags = [flag for flag in ("no_open", "headless") if getattr(options, flag)]
    folders = [] if options.allow_host is None else ["--allow-host", *options.allow_host]
    tabs = [] if options.browser is None else ["--browser", options.browser]
    return [*(f"--{flag.replace('_', '-')}" for flag in flags), *tabs, *folders]
