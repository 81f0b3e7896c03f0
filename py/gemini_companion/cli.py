"""The command `control-surface`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from gemini.errors import GeminiError, NotADirectory
from gemini_companion import doctor
from gemini_companion.host.policy import HostPolicy
from gemini_companion.serve import serving, stopped
from gemini_companion.server import Server

DEFAULT_PORT = 8765


def main(arguments: list[str] | None = None) -> int:
    """Run one command. Returns the exit code; a failure is a sentence on stderr."""
    options = _parser().parse_args(arguments)
    if options.command == "doctor":
        return doctor.run(doctor.Options(port=options.port, dist=options.dist, json=options.json))
    try:
        return asyncio.run(_serve(options.dist, options.port, _host(options.allow_host)))
    except GeminiError as error:
        print(" ".join(filter(None, (error.message, error.hint))), file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="control-surface", description="Serves the surface, and gives its tools to MCP clients."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="serve the surface and MCP on loopback")
    serve.add_argument(
        "--allow-host",
        type=Path,
        nargs="*",
        metavar="FOLDER",
        help="let pages run commands on this machine, in these folders (the current one), when their person agrees",
    )
    check = commands.add_parser("doctor", help="check what is needed, and say what to do")
    check.add_argument("--json", action="store_true", help="print the findings as JSON")
    for command in (serve, check):
        command.add_argument(
            "--port", type=int, default=DEFAULT_PORT, help=f"{DEFAULT_PORT} unless told otherwise"
        )
        command.add_argument("--dist", type=Path, default=Path("dist"), help="the built surface; ./dist")
    return parser


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


async def _serve(dist: Path, port: int, host: HostPolicy) -> int:
    if not (dist / "index.html").is_file():
        print(
            f"There is no built surface in {dist}: run python3 build.py build, or name one by --dist.",
            file=sys.stderr,
        )
        return 1
    async with serving(Server(port), dist, host) as companion:
        print(f"Open {companion.url}", flush=True)
        print(f"MCP clients connect to {companion.mcp_url} with this header:", flush=True)
        print(f"  Authorization: Bearer {companion.token}", flush=True)
        if host.allowed:
            folders = ", ".join(str(each.resolve()) for each in host.directories)
            print(
                f"Pages may run commands on this machine in {folders}, when their person agrees.", flush=True
            )
        print("Ctrl-C stops.", flush=True)
        await stopped()
    return 0
