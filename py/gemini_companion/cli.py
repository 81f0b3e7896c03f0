"""The command `control-surface`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from gemini.errors import GeminiError, NotADirectory
from gemini.kernel.endpoint import installed_version
from gemini_companion import doctor, pyodide_dist
from gemini_companion.admission import control
from gemini_companion.closed_output import end_quietly
from gemini_companion.doctor.installation import check_packages
from gemini_companion.host.policy import HostPolicy
from gemini_companion.serving.chosen_port import DEFAULT_PORT, saved_port
from gemini_companion.serving.fetch_parts import fetch_parts
from gemini_companion.site import find_site

# argparse has no public name for it.
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]
# Without --port: the port that the user has chosen in the settings, or the usual one.
CHOSEN = f"the port of the settings, or {DEFAULT_PORT}"


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code; a failure prints a sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except GeminiError as error:
        print(". ".join(filter(None, (error.message.rstrip("."), error.hint))), file=sys.stderr)
        return 1
    except BrokenPipeError:
        return end_quietly()
    except PermissionError as error:
        print(f"{error.filename or 'A file'} can't be used: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # The shell's convention for a program that SIGINT ended.
        return 130


def _run(options: argparse.Namespace) -> int:
    """Run the command of parsed options and return the exit code."""
    if options.command in ("serve", "mcp"):
        return _serve(options)
    if options.command == "pyodide-dist":
        count = pyodide_dist.make(options.folder, options.dist)
        print(f"Wrote {count} files to {options.folder}.")
        return 0
    if options.command == "offline":
        return fetch_parts(options.dist)
    port: int = saved_port()[0] if options.port is None else options.port
    if options.command == "doctor":
        return doctor.run(doctor.Options(port, options.dist, options.json, options.forget))
    if options.command == "url":
        print(control.new_address(port))
        return 0
    return _connect(options.client, port, options.tools)


def _add_serving(command: argparse.ArgumentParser) -> None:
    """Add the options of commands that serve the surface."""
    command.add_argument("--headless", action="store_true", help="open the surface without a window")
    command.add_argument("--profile", type=Path, help="the folder where the browser stores its data")
    command.add_argument(
        "--browser",
        nargs="?",
        choices=("window", "hidden"),
        const="window",
        help="open other sites in tabs of a separate browser, which agents can read and use, with consent",
    )
    command.add_argument(
        "--allow-site",
        dest="sites",
        action="append",
        default=[],
        type=_site,
        metavar="ORIGIN",
        help="an origin that agents may use in those tabs without a question, such as https://example.com; "
        "'*' for all https sites with a public name; can be repeated",
    )
    command.add_argument(
        "--network-proxy",
        metavar="URL",
        help="an HTTP proxy for pages' requests to other origins; it resolves their names",
    )
    command.add_argument(
        "--allow-host",
        type=Path,
        nargs="*",
        metavar="FOLDER",
        help="let pages run commands in these folders of this machine (default: the current one), with consent",
    )


def _add_doctor(commands: Commands) -> argparse.ArgumentParser:
    command = commands.add_parser("doctor", help="check the requirements, and say how to meet them")
    command.add_argument("--json", action="store_true", help="print the findings as JSON")
    command.add_argument(
        "--forget-browsers",
        dest="forget",
        action="store_true",
        help="forget all known browsers",
    )
    return command


def _add_pyodide_dist(commands: Commands) -> argparse.ArgumentParser:
    command = commands.add_parser(
        "pyodide-dist", help="write a folder with Pyodide and the packages, for pytest-pyodide's --dist-dir"
    )
    command.add_argument(
        "folder", type=Path, metavar="DIR", help="a new folder, or one that this command wrote"
    )
    return command


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="control-surface", description="Serve the surface, and offer its tools to MCP clients."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serving = commands.add_parser("serve", help="serve the surface and MCP on loopback, and open the surface")
    serving.add_argument(
        "--no-open", dest="open", action="store_false", help="don't open the surface in a window"
    )
    stdio = commands.add_parser("mcp", help="run as an MCP server on standard input and output")
    passing = commands.add_parser(
        "connect", help="pass an MCP client's standard input and output on to a running companion"
    )
    passing.add_argument("client", help="the client's name in the page's dialog, such as 'Claude Desktop'")
    address = commands.add_parser("url", help="print a one-time address that opens the surface in a browser")
    offline = commands.add_parser(
        "offline", help="fetch the parts of the page that are otherwise fetched on first use"
    )
    runtime = _add_pyodide_dist(commands)
    check = _add_doctor(commands)
    for command in (serving, stdio):
        _add_serving(command)
    for command, help_text in (
        (serving, f"default: {CHOSEN}; 0 selects a free one"),
        (stdio, f"default: the first free one from {DEFAULT_PORT} on"),
        (check, f"default: {CHOSEN}"),
        (address, f"default: {CHOSEN}"),
        (passing, f"the companion's port (default: {CHOSEN})"),
    ):
        command.add_argument("--port", type=int, help=help_text)
    for command in (serving, stdio, passing):
        command.add_argument(
            "--tools",
            choices=("all", "code"),
            help="the tools that MCP clients list: all, or two that write Python over them "
            "(default: the choice in the settings)",
        )
    for command in (serving, stdio, check, offline, runtime):
        command.add_argument("--dist", type=Path, help="the built surface, if not the installed one")
    return parser


def _connect(client: str, port: int, tools: Literal["all", "code"] | None) -> int:
    if not _has_packages():
        return 1
    from gemini_companion.mcp import stdio_proxy  # noqa: PLC0415

    asyncio.run(stdio_proxy.run(client, port, tools))
    return 0


def _has_packages() -> bool:
    packages = check_packages()
    if not packages.ok:
        print(f"Packages are {packages.result}. {packages.hint}", file=sys.stderr)
    return packages.ok


def _serve(arguments: argparse.Namespace) -> int:
    if not _has_packages():
        return 1
    # These need the packages.
    from gemini_companion.serving import serve, stdio  # noqa: PLC0415

    options = serve.Options(
        folder=find_site(arguments.dist),
        host=_host(arguments.allow_host),
        headless=arguments.headless,
        profile=arguments.profile,
        tabs=_tabs(arguments),
        sites=tuple(arguments.sites),
        network_proxy=arguments.network_proxy,
        tools=arguments.tools,
    )
    if arguments.command == "mcp":
        asyncio.run(stdio.run(options, arguments.port))
    else:
        asyncio.run(serve.run(options, arguments.port, opens=arguments.open))
    return 0


def _tabs(arguments: argparse.Namespace) -> Literal["window", "hidden"] | None:
    """Return the browser for tabs. A headless page has one, since nobody sees what a frame shows there."""
    return arguments.browser or ("hidden" if arguments.headless else None)


def _site(text: str) -> str:
    parts = urlsplit(text)
    origin = f"{parts.scheme}://{parts.netloc}"
    if text != "*" and (parts.scheme not in {"http", "https"} or text.rstrip("/") != origin):
        raise argparse.ArgumentTypeError(f"{text!r} isn't an origin, such as https://example.com")
    return text.rstrip("/")


def _host(folders: list[Path] | None) -> HostPolicy:
    """Return the policy that `--allow-host` sets; without the option nothing is allowed.

    Raises:
        NotADirectory: A folder doesn't exist.
    """
    if folders is None:
        return HostPolicy()
    for folder in folders:
        if not folder.is_dir():
            raise NotADirectory(f"--allow-host names {folder}, which isn't a folder")
    return HostPolicy(allowed=True, directories=tuple(folders or [Path.cwd()]))
