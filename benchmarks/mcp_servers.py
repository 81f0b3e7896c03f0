"""Connect to public MCP servers from npm and PyPI that need no account, and list, call and show their tools.

    python -m benchmarks.mcp_servers FOLDER     installs the packages in FOLDER, unless they are there

Prints a table: server, tools, how many have usable schemas, seconds until ready, the call, the beginning of its answer,
and the called tool as a function of code mode. The stub of all its functions must be valid Python.
"""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from gemini.code_mode.modules import described
from gemini.code_mode.signatures import Described
from gemini.code_mode.stubs import stub
from gemini.errors import GeminiError
from gemini_companion.mcp_servers.access import McpAccess
from gemini_companion.mcp_servers.servers import McpServers
from gemini_companion.mcp_servers.setups import stdio_setup
from gemini_companion.mcp_servers.store import ServerStore
from gemini_companion.mcp_servers.versions import Versions
from gemini_companion.models.key_file import KeyFile
from gemini_companion.pages.consent import Decision, Questions
from tests.unit.companion.keyrings import memory_keyring

Row = dict[str, Any]
# Some packages need the SDK before its version 2.
NPM, PYPI, OLD = "npm", "pypi", "pypi with mcp 1"
PLACES = {NPM: "node_modules/.bin", PYPI: "py/bin", OLD: "old/bin"}


@dataclass(frozen=True)
class Public:
    """A public server.

    Attributes:
        package: Its package, with its version.
        command: Its command in the package's folder of programs.
        arguments: Its arguments; `{folder}` is a folder with a file `note.txt`, a Git repository and a database.
        tool: A tool to call.
        given: The arguments of the call.
    """

    source: str
    package: str
    command: str
    tool: str
    given: Row = field(default_factory=dict[str, Any])
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


MODEL = "@modelcontextprotocol"
SERVERS = (
    Public(
        NPM, f"{MODEL}/server-everything@2026.8.31", "mcp-server-everything", "echo", {"message": "hello"}
    ),
    Public(
        NPM,
        f"{MODEL}/server-filesystem@2026.8.31",
        "mcp-server-filesystem",
        "list_directory",
        {"path": "{folder}"},
        ("{folder}",),
    ),
    Public(
        NPM,
        f"{MODEL}/server-memory@2026.8.31",
        "mcp-server-memory",
        "read_graph",
        variables={"MEMORY_FILE_PATH": "{folder}/memory.json"},
    ),
    Public(
        NPM,
        f"{MODEL}/server-sequential-thinking@2026.8.31",
        "mcp-server-sequential-thinking",
        "sequentialthinking",
        {"thought": "One.", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1},
    ),
    Public(NPM, f"{MODEL}/server-pdf@2.0.4", "mcp-pdf-server", "list_pdfs", arguments=("--stdio",)),
    Public(
        NPM,
        f"{MODEL}/server-budget-allocator@2.0.3",
        "mcp-budget-allocator-server",
        "get-budget-data",
        arguments=("--stdio",),
    ),
    Public(
        NPM,
        f"{MODEL}/server-cohort-heatmap@2.0.3",
        "mcp-cohort-heatmap-server",
        "get-cohort-data",
        arguments=("--stdio",),
    ),
    Public(
        NPM,
        f"{MODEL}/server-customer-segmentation@2.0.3",
        "mcp-customer-segmentation-server",
        "get-customer-data",
        arguments=("--stdio",),
    ),
    Public(
        NPM,
        f"{MODEL}/server-scenario-modeler@2.0.3",
        "mcp-scenario-modeler-server",
        "get-scenario-data",
        arguments=("--stdio",),
    ),
    Public(
        NPM,
        f"{MODEL}/server-system-monitor@2.0.3",
        "mcp-system-monitor-server",
        "get-system-info",
        arguments=("--stdio",),
    ),
    Public(
        NPM,
        f"{MODEL}/server-sheet-music@2.0.3",
        "mcp-sheet-music-server",
        "play-sheet-music",
        arguments=("--stdio",),
    ),
    Public(NPM, "mcp-fetch-server@1.1.2", "mcp-fetch-server", "fetch_txt", {"url": "http://127.0.0.1:9/"}),
    Public(
        NPM,
        "mcp-graphql-schema@0.0.2",
        "mcp-graphql-schema",
        "list-query-fields",
        arguments=("{folder}/schema.graphqls",),
    ),
    Public(
        NPM,
        "mcp-sequentialthinking-tools@0.0.3",
        "mcp-sequentialthinking-tools",
        "sequentialthinking_tools",
        {
            "thought": "One.",
            "next_thought_needed": False,
            "thought_number": 1,
            "total_thoughts": 1,
            "available_mcp_tools": [],
        },
    ),
    Public(
        NPM,
        "@allpepper/memory-bank-mcp@0.2.2",
        "mcp-server-memory-bank",
        "list_projects",
        variables={"MEMORY_BANK_ROOT": "{folder}"},
    ),
    Public(NPM, "fast-filesystem-mcp@3.5.2", "fast-filesystem-mcp", "fast_list_allowed_directories"),
    Public(PYPI, "mcp-server-time", "mcp-server-time", "get_current_time", {"timezone": "UTC"}),
    Public(
        PYPI,
        "mcp-server-git",
        "mcp-server-git",
        "git_log",
        {"repo_path": "{folder}"},
        ("--repository", "{folder}"),
    ),
    Public(
        PYPI,
        "mcp-server-fetch",
        "mcp-server-fetch",
        "fetch",
        {"url": "{note}"},
        ("--ignore-robots-txt", "--allow-private-ips"),
    ),
    Public(
        OLD,
        "mcp-server-sqlite",
        "mcp-server-sqlite",
        "list_tables",
        arguments=("--db-path", "{folder}/data.db"),
    ),
    Public(OLD, "mcp-server-calculator", "mcp-server-calculator", "calculate", {"expression": "6*7"}),
    Public(OLD, "mcp-server-converter", "mcp-server-converter", "convert", {"expression": "5 km to m"}),
)


class Agreeable(Questions):
    """Answers as a user who agrees."""

    async def ask(self, kind: str, facts: Mapping[str, Any], *_: Any, **__: Any) -> Any:
        """Agree."""
        return Decision("once")


def ignored(method: str, params: Row) -> None:
    """Ignore a notification to the page."""


def install(folder: Path) -> None:
    """Install what is missing. Scripts of packages don't run."""
    npm = [each.package for each in SERVERS if each.source == NPM]
    if not (folder / "node_modules").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        subprocess.run(
            ["npm", "i", "--no-audit", "--no-fund", "--ignore-scripts", *npm], cwd=folder, check=True
        )
    for source, extra in ((PYPI, []), (OLD, ["mcp<2"])):
        place = (folder / PLACES[source]).parent
        if not place.is_dir():
            venv.create(place, with_pip=True)
            packages = [each.package for each in SERVERS if each.source == source]
            subprocess.run([place / "bin" / "pip", "install", "-q", *packages, *extra], check=True)


def sample(folder: Path) -> Path:
    """Create a folder with something to look at."""
    place = folder / "sample"
    if not place.is_dir():
        place.mkdir()
        (place / "note.txt").write_text("Buy milk.\n")
        (place / "schema.graphqls").write_text("type Query { milk: Int }\n")
        who = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
        for command in (["init", "-q"], ["add", "note.txt"], [*who, "commit", "-qm", "First"]):
            subprocess.run(["git", *command], cwd=place, check=True)
    return place


class Quiet(SimpleHTTPRequestHandler):
    """Serves the folder on loopback without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing."""


@contextmanager
def served(folder: Path) -> Generator[str]:
    """Yield the address of a folder's files on loopback."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def filled(value: Any, place: Path, address: str = "") -> Any:
    """Return a value with the folder in place of `{folder}`, and the address of its note in place of `{note}`."""
    text = json.dumps(value).replace("{folder}", str(place)).replace("{note}", f"{address}/note.txt")
    return json.loads(text)


async def measured(public: Public, folder: Path, place: Path, address: str) -> Row:
    """Connect to a server; return its row of the table."""
    bin_folder = folder / PLACES[public.source]
    store = ServerStore(folder / "servers.json", KeyFile(folder / "keys.json"))
    servers = McpServers(store)
    name = public.command
    setup, values = stdio_setup(
        name,
        str(bin_folder / public.command),
        filled(list(public.arguments), place),
        filled(public.variables, place),
    )
    await store.add(setup, values, in_file=False)
    access = McpAccess(servers, Versions(folder / "tools.json"))
    page = access.for_page(Agreeable(ignored), ignored).handlers()
    row: Row = {"server": public.package, "tools": 0, "typed": 0, "seconds": 0.0}
    row |= dict.fromkeys(("call", "answer", "function"), "")
    try:
        began = time.monotonic()
        listed = await page["mcp/tools"]({"server": name})
        row["seconds"] = time.monotonic() - began
        tools = listed["tools"]
        row |= {"tools": len(tools), "typed": sum(each["problem"] is None for each in tools)}
        tool = public.tool or tools[0]["name"]
        row["function"] = function_of(name, tools, tool)
        given = filled(public.given, place, address)
        row["call"] = tool
        answer = await page["mcp/call"]({"server": name, "tool": tool, "arguments": given, "timeout_s": 30})
        said = answer["text"] or json.dumps(answer.get("structured")) or f"{len(answer['parts'])} parts"
        row["answer"] = ("(error) " if answer["is_error"] else "") + " ".join(said.split())[:60]
    except GeminiError as error:
        row["answer"] = "FAILED " + " ".join(f"{error.type}: {error.message}".split())[:160]
    finally:
        await servers.aclose()
        await store.remove(name)
    return row


def function_of(server: str, tools: list[Row], tool: str) -> str:
    """Return a tool's signature in code mode. Raises SyntaxError if the stub of all of them isn't Python."""
    names = ("function", "description", "input", "output")
    functions = described("mcp", [Described(*(each[name] for name in names)) for each in tools])
    ast.parse(stub(server, functions))
    wanted = next(each["function"] for each in tools if each["name"] == tool)
    return next(each.call_text() for each in functions if each.tool == wanted).partition(" -> ")[0]


async def run(folder: Path) -> None:
    """Print the table."""
    place = sample(folder)
    print(
        "| server | tools | typed | ready after | call | answer | function |\n|---|---|---|---|---|---|---|"
    )
    for public in SERVERS:
        with served(place) as address:
            row = await measured(public, folder, place, address)
        shown = str(row["answer"]).replace("|", "/")
        cells = [
            row["server"],
            row["tools"],
            row["typed"],
            f"{row['seconds']:.1f} s",
            row["call"],
            shown,
            row["function"],
        ]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main() -> None:
    """Install and run."""
    folder = Path(sys.argv[1]).resolve()
    install(folder)
    with memory_keyring():
        asyncio.run(run(folder))


if __name__ == "__main__":
    main()
