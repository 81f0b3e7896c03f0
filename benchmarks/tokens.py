"""Counts the tokens of fifteen tasks with six clients, and writes the table of README.md.

Each client solves each task with the shortest calls that a model could find (`_token_tasks.py`), on the real page, and
an oracle checks the files or the answer. A client's tokens are those of its list of tools, once, of its calls, and of
the answers, by the tokenizer that a package ships (`_token_clients.py`). `--no-write` leaves README.md as it is;
`--task WORDS` solves the tasks with these words in their names. `--calls FILE` saves the calls and answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import textwrap
import threading
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import _token_mcp  # noqa: E402
from _document import written  # noqa: E402
from _token_browsing import OF_PAGES  # noqa: E402
from _token_clients import MODULES, TOKENIZER, Tools, count_tokens, foreign, own  # noqa: E402
from _token_pages import PAGES  # noqa: E402
from _token_table import CLIENTS, MARKS, Recorded, Result, summary, table  # noqa: E402
from _token_tasks import FOLDER, OF_FILES, Client, Files, Task  # noqa: E402
from mcp import MCPError  # noqa: E402

from gemini_companion.serving.app import Companion  # noqa: E402
from gemini_companion.serving.server import Server, running  # noqa: E402
from gemini_testing.browser import launch  # noqa: E402
from gemini_testing.chromium import find_browser  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402
from tests.unit.companion.keyrings import memory_keyring  # noqa: E402

LONGEST_S = 120
# The characters of a line of a document.
WIDTH = 120
DIST, README = HERE.parent / "dist", HERE.parent / "README.md"
WRITE = """
import json, pathlib, shutil
folder = pathlib.Path({folder!r})
shutil.rmtree(folder, ignore_errors=True)
for path, text in json.loads({files!r}).items():
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text)
"""
READ = """
import pathlib
folder = pathlib.Path({folder!r})
{{str(p.relative_to(folder)): p.read_text(errors="replace") for p in folder.rglob("*") if p.is_file()}}
"""
LEAN = """
from gemini.kernel.kernel import kernel
[each.declaration.name for each in kernel.registry if each.declaration.lean]
"""


class World:
    """The page with the tasks' files, and a server with the tasks' pages.

    Args:
        surface: The page.
        folder: Where other clients save files.
    """

    def __init__(self, surface: Surface, folder: Path) -> None:
        self.surface = surface
        self.folder = folder

    def begin(self, task: Task) -> None:
        """Write the files of a task, and the pages."""
        files = json.dumps({**PAGES, **task.files})
        self.surface.python(WRITE.format(folder=FOLDER, files=files))
        for path in self.folder.rglob("*.csv"):
            path.unlink()

    def files(self, tools: Tools) -> Files:
        """Return the files that a client has at the end."""
        if tools.is_own:
            return self.surface.python(READ.format(folder=FOLDER))
        return {path.name: path.read_text() for path in self.folder.rglob("*.csv")}


def client_of(task: Task, name: str) -> Client | None:
    """Return a client's way to solve a task; None if it can't."""
    by_name = {
        "code mode": task.code,
        "full list": task.own,
        "lean list": task.own if task.has_lean else None,
        "shell only": task.shell,
        "Playwright MCP": task.playwright,
        "chrome-devtools-mcp": task.devtools,
    }
    return by_name[name]


async def solve(world: World, task: Task, tools: Tools) -> Result | None:
    """Have a client solve a task; None if it can't. The result has the reason if it didn't."""
    client = client_of(task, tools.name)
    if client is None:
        return None
    await asyncio.to_thread(world.begin, task)
    tools.recorded = Recorded()
    failure = ""
    try:
        async with asyncio.timeout(LONGEST_S):
            answering = asyncio.to_thread(_token_mcp.answer, world.surface, task.questions)
            answer, _ = await asyncio.gather(client(tools), answering)
        files = await asyncio.to_thread(world.files, tools)
        if not task.is_done(answer, files):
            failure = "another result"
            print(f"The last answer is: {answer[-2_000:]}", flush=True)
    except (RuntimeError, ValueError, LookupError, TimeoutError, MCPError) as error:
        failure = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
    calls = len(tools.recorded.calls)
    print(f"{task.name}: {tools.name}, {calls} calls{failure and f', not solved: {failure}'}", flush=True)
    return Result(task.name, tools.name, tools.list, tools.recorded, failure=failure)


@contextmanager
def pages_served(folder: Path) -> Generator[str]:
    """Serve the tasks' pages on loopback, and yield the address."""
    for name, text in PAGES.items():
        (folder / name).write_text(text)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@asynccontextmanager
async def all_clients(
    companion: Companion, surface: Surface, folder: Path, root: str
) -> AsyncGenerator[list[Tools]]:
    """Connect to all clients' tools, and yield them in the order of the table."""
    browser = find_browser()
    assert browser is not None
    lean = set(await asyncio.to_thread(surface.python, LEAN))
    playwright = ["@playwright/mcp/cli.js", "--executable-path", str(browser), "--no-sandbox"]
    devtools = ["chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", "--executablePath", str(browser)]
    devtools += ["--chromeArg=--no-sandbox", "--no-usage-statistics", "--no-performance-crux"]
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        found = await enter(own(companion.mcp_url, companion.token, lean, FOLDER))
        for name, (script, *options) in (("Playwright MCP", playwright), ("chrome-devtools-mcp", devtools)):
            command = ["node", str(MODULES / script), "--headless", "--isolated", *options]
            found.append(await enter(foreign(name, command, root, folder)))
        yield sorted(found, key=lambda tools: CLIENTS.index(tools.name))


async def measure(companion: Companion, surface: Surface, wanted: str, folder: Path) -> list[Result]:
    """Solve all tasks that have the wanted words in their names, with all clients.

    Args:
        companion: The companion.
        surface: Its page.
        wanted: The words.
        folder: An empty folder.
    """
    results: list[Result] = []
    world = World(surface, folder)
    (folder / "pages").mkdir()
    await _token_mcp.add(folder / "starred")
    of_servers = _token_mcp.task(folder / "starred")
    with pages_served(folder / "pages") as root:
        for tasks in ([*OF_FILES, *OF_PAGES], [of_servers]):
            chosen = [task for task in tasks if wanted in task.name]
            if of_servers in chosen:
                await asyncio.to_thread(_token_mcp.switch_on, surface)
            async with all_clients(companion, surface, folder, root) as clients:
                results += [
                    result
                    for task in chosen
                    for tools in clients
                    if (result := await solve(world, task, tools)) is not None
                ]
    return results


def count(results: Sequence[Result]) -> dict[str, int]:
    """Set the tokens of all results, and return those of each client's usual list."""
    lists = list(dict.fromkeys(result.listed for result in results))
    of_lists = dict(zip(lists, count_tokens(lists), strict=True))
    texts = ["".join(text for pair in result.recorded.calls for text in pair) for result in results]
    for result, tokens in zip(results, count_tokens(texts), strict=True):
        result.tokens = tokens + of_lists[result.listed]
    # The last task has more tools in its lists than the others.
    return {result.client: of_lists[result.listed] for result in reversed(results)}


def main() -> int:
    """Solve the tasks, and write the table; return 0. A task that a client doesn't solve is an error."""
    parser = argparse.ArgumentParser(prog="build.py bench tokens", description=__doc__)
    parser.add_argument("--no-write", action="store_true", help="leave README.md as it is")
    parser.add_argument("--task", default="", help="words in the names of tasks")
    parser.add_argument("--calls", type=Path, help="a file that gets all calls and answers, as JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder, memory_keyring():
        os.environ["XDG_DATA_HOME"] = data
        server = Server(0)
        companion = Companion(DIST, server)
        with running(server, companion.app(), **companion.other_apps()):
            driver = launch()
            try:
                surface = Surface(driver, companion.entrance.address())
                surface.load()
                results = asyncio.run(measure(companion, surface, options.task, Path(folder)))
            finally:
                driver.quit()
    lists = count(results)
    said = textwrap.fill(f"{summary(results)} Tokens are by {TOKENIZER}.", WIDTH, break_on_hyphens=False)
    made = f"{table(results, lists)}\n\n{said}"
    print(made)
    if options.calls is not None:
        rows = [[each.task, each.client, each.tokens, each.recorded.calls] for each in results]
        options.calls.write_text(json.dumps(rows, indent=1))
    if not options.no_write and not options.task:
        README.write_text(written(README.read_text(), made, MARKS))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
