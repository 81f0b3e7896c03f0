"""The command `control-surface`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from gemini.errors import GeminiError, NotADirectory
from gemini_companion import control, doctor
from gemini_companion.doctor.installation import check_packages
from gemini_companion.host.policy import HostPolicy
from gemini_companion.site import find_site

DEFAULT_PORT = 8765


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Returns the exit code; a failure is a sentence on stderr."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "doctor":
            return doctor.run(doctor.Options(options.port, options.dist, options.json, options.forget))
        if options.command == "url":
            print(control.new_address(options.port))
            return 0
        return _serve(options)
    except GeminiError as error:
        print(" ".join(filter(None, (error.message, error.hint))), file=sys.stderr)
        return 1
    except PermissionError as error:
        print(f"{error.filename or 'Something'} can't be used: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # The shell's own convention for a program that SIGINT ended.
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="control-surface", description="Serves the surface, and gives its tools to MCP clients."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serving = commands.add_parser("serve", help="serve the surface and MCP on loopback, and open it")
    serving.add_argument(
        "--no-open", dest="open", action="store_false", help="don't open the surface in a window"
    )
    stdio = commands.add_parser("mcp", help="be an MCP server by standard input and output")
    address = commands.add_parser("url", help="print an address that opens the surface in a browser, once")
    check = commands.add_parser("doctor", help="check what is needed, and say what to do")
    check.add_argument("--json", action="store_true", help="print the findings as JSON")
    check.add_argument(
        "--forget-browsers",
        dest="forget",
        action="store_true",
        help="have companions forget the browsers they know",
    )
    for command in (serving, stdio):
        command.add_argument("--headless", action="store_true", help="open the surface without a window")
        command.add_argument("--profile", type=Path, help="where the browser keeps what pages store")
        command.add_argument(
            "--network-proxy",
            metavar="URL",
            help="an HTTP proxy for what pages fetch from other origins; it looks up their names",
        )
        command.add_argument(
            "--allow-host",
            type=Path,
            nargs="*",
            metavar="FOLDER",
            help="let pages run commands on this machine, in these folders (the current one), when their person agrees",
        )
    for command, port, told in (
        (serving, DEFAULT_PORT, f"{DEFAULT_PORT} unless told otherwise; 0 takes a free one"),
        (stdio, None, f"the first free one from {DEFAULT_PORT} on, unless told otherwise"),
        (check, DEFAULT_PORT, f"{DEFAULT_PORT} unless told otherwise"),
        (address, DEFAULT_PORT, f"{DEFAULT_PORT} unless told otherwise"),
    ):
        command.add_argument("--port", type=int, default=port, help=told)
    for command in (serving, stdio, check):
        command.add_argument(
            "--dist", type=Path, help="the built surface, if it isn't the one that is installed"
        )
    return parser


def _serve(told: argparse.Namespace) -> int:
    packages = check_packages()
    if not packages.ok:
        print(f"Packages are {packages.told}. {packages.hint}", file=sys.stderr)
        return 1
    # These need the packages.
    from gemini_companion import serve, stdio  # noqa: PLC0415

    options = serve.Options(
        folder=find_site(told.dist),
        host=_host(told.allow_host),
        headless=told.headless,
        profile=told.profile,
        network_proxy=told.network_proxy,
    )
    if told.command == "mcp":
        asyncio.run(stdio.run(options, told.port))
    else:
        asyncio.run(serve.run(options, told.port, opens=told.open))
    return 0


def _host(folders: list[Path] | None) -> HostPolicy:
    """What `--allow-host` says: nothing without it.

    Raises:
        NotADirectory: One of the folders isn't there.
    """
    if folders is None:
        return HostPolicy()
    for folder in folders:
        if not folder.is_dir():
            raise NotADirectory(f"{folder}, which --allow-host names, is no folder")
    return HostPolicy(allowed=True, directories=tuple(folders or [Path.cwd()]))
