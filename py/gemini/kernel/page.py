"""The JSON-RPC methods that only the page may call."""

import base64
import functools
import inspect
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from gemini.automations.inbox.questions import Questions
from gemini.code_mode.lazy import LazyCodeMode
from gemini.computer.python.console import PythonConsole
from gemini.computer.shell.linux import LinuxBackend
from gemini.computer.terminal.manager import TerminalManager
from gemini.core import ffi
from gemini.core.protocol import Handler, Params
from gemini.errors import GeminiError
from gemini.kernel.archive import Archive
from gemini.kernel.endpoint import call_for_person
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.documents import Document
from gemini.pages.tabs.sites import Sites
from gemini.tools import Registry
from gemini.tools.calls import CallLog
from gemini.tools.waiting import WaitingCalls
from gemini.tools.writers import SCRIPT, writing

if TYPE_CHECKING:
    from gemini.computer.servers.page_sockets import PageSockets
    from gemini.computer.servers.pages import Pages
    from gemini.kernel.shown import Snapshot


class PageKernel(Protocol):
    """The parts of the kernel that the handlers use."""

    registry: Registry
    console: PythonConsole
    terminals: TerminalManager
    browser: Browser
    sites: Sites
    archive: Archive
    linux: LinuxBackend
    questions: Questions
    code: LazyCodeMode

    def snapshot(self) -> "Snapshot":
        """See `Kernel.snapshot`."""
        ...


def _seen(log: CallLog, ids: set[int]) -> list[dict[str, Any]]:
    """Return the sentences and views of the logged calls with these ids."""
    # Imported on first use, because few visits look at the log.
    from gemini.agents.watching.views import seen

    rows = (call.row() for call in log if call.id in ids)
    return [
        {
            "id": row["id"],
            **seen(row["tool"], row["arguments"], row["result_preview"], failed=row["ok"] is False),
        }
        for row in rows
    ]


def page_handlers(kernel: PageKernel, send_events: Callable[[], None]) -> dict[str, Handler]:
    """Return the page's handlers by method.

    Args:
        kernel: The kernel that they read and change.
        send_events: Sends the pending events to the page.
    """

    async def snapshot(_: Params) -> Any:
        return kernel.snapshot()

    async def attend(params: Params) -> Any:
        kernel.registry.consent.attended = bool(params["attended"])
        return {}

    async def end_session(params: Params) -> Any:
        kernel.code.end(str(params["_meta"]["caller"]))
        return {}

    async def see_calls(params: Params) -> Any:
        return _seen(kernel.registry.log, set(cast("list[int]", params["ids"])))

    async def terminal_placed(params: Params) -> Any:
        terminal = kernel.terminals.terminals.get(str(params["terminal_id"]))
        # It may have been closed meanwhile.
        if terminal is not None:
            x, y, width, height = (int(params[name]) for name in ("x", "y", "width", "height"))
            terminal.place(x, y, width, height, floating=bool(params["floating"]))
        return {}

    async def document_changed(params: Params) -> Any:
        kernel.browser.changed(cast(Document, params))
        return {}

    async def read_site(params: Params) -> Any:
        roots = [str(root) for root in params["roots"]]
        answer = kernel.sites.answer(str(params["path"]), roots)
        return {**vars(answer), "content": base64.b64encode(answer.content).decode()}

    return {
        "state/snapshot": snapshot,
        "panel/act": _panel_handler(kernel.registry, send_events),
        "page/attended": attend,
        "consent/waiting": _waiting_handler(kernel),
        "sessions/end": end_session,
        "calls/see": see_calls,
        "terminal/placed": terminal_placed,
        "document/changed": document_changed,
        "site/read": read_site,
        **server_handlers(kernel.sites),
        **console_handlers(kernel.console, kernel.registry, kernel.code),
        **exchange_handlers(kernel),
    }


def _panel_handler(registry: Registry, send_events: Callable[[], None]) -> Handler:
    """Return the handler of the panels' actions."""

    async def act(params: Params) -> Any:
        answer = call_for_person(registry, params)
        result = await answer if inspect.isawaitable(answer) else answer
        # The panel that gets this answer may look at once at what its action changed.
        send_events()
        return result

    return act


def _waiting_handler(kernel: PageKernel) -> Handler:
    """Return the handler of the page's list of questions that runs and calls wait for."""
    waiting = WaitingCalls(kernel.registry.log)

    async def report(params: Params) -> Any:
        kernel.questions.report(params.get("questions"))
        waiting.report(params.get("questions"))
        return {}

    return report


def server_handlers(sites: Sites) -> dict[str, Handler]:
    """Return the handlers for pages of servers in the page by method."""

    # Imported on first use, because few visits have a server.
    @functools.cache
    def pages() -> "Pages":
        from gemini.computer.servers.pages import Pages

        return Pages(sites.controlled)

    @functools.cache
    def sockets() -> "PageSockets":
        from gemini.computer.servers.page_sockets import PageSockets

        return PageSockets()

    async def ask_server(params: Params) -> Any:
        return await pages().answer(params)

    async def read_server(params: Params) -> Any:
        return await pages().more(int(params["stream"]))

    async def leave_server(params: Params) -> Any:
        pages().end(int(params["stream"]))
        return {}

    return {
        "server/request": ask_server,
        "server/more": read_server,
        "server/end": leave_server,
        "server/open_socket": lambda params: sockets().open(params),
        "server/receive": lambda params: sockets().receive(params),
        "server/send": lambda params: sockets().send(params),
        "server/close": lambda params: sockets().close(params),
        "server/leave": lambda params: sockets().leave(params),
    }


def console_handlers(console: PythonConsole, registry: Registry, code: LazyCodeMode) -> dict[str, Handler]:
    """Return the Python console's handlers by method, and the editor's."""

    async def evaluate(params: Params) -> Any:
        try:
            registry.require("python_run", "script")
            with writing(registry.writers, SCRIPT):
                return {"value": await console.evaluate(str(params["code"]))}
        except GeminiError as error:
            return error.as_json()

    async def complete(params: Params) -> Any:
        # This isn't a tool, because the log would fill with keystrokes.
        await ffi.load_programs()
        return await console.complete(str(params["code"]), int(params["cursor"]))

    async def ask_code(params: Params) -> Any:
        # Imported on first use, because few visits edit code.
        from gemini.computer.code import questions

        if "gemini.code_mode" in str(params["text"]):
            # The answer needs its stubs.
            code.mode.modules()
        return await questions.answer(params)

    async def is_complete(params: Params) -> Any:
        from gemini.computer.python.completeness import is_complete

        await ffi.load_programs()
        return {"complete": is_complete(str(params["code"]))}

    return {
        "python/evaluate": evaluate,
        "python/complete": complete,
        "python/is_complete": is_complete,
        "code/ask": ask_code,
    }


def exchange_handlers(kernel: PageKernel) -> dict[str, Handler]:
    """Return the handlers of export, import and reset by method. Files are passed by id (web/kernel/blobs.ts)."""
    offered: list[str] = []

    async def export_all(_: Params) -> Any:
        while offered:
            ffi.withdraw_download(offered.pop())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "everything.tar.gz")
            kernel.archive.export(str(path))
            data = path.read_bytes()
        offered.append(ffi.offer_download(data, "application/gzip"))
        return {"blob": offered[0], "name": f"gemini-{date.today()}.tar.gz", "bytes": len(data)}

    async def import_all(params: Params) -> Any:
        data = await ffi.fetch_upload(str(params["blob"]))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "everything.tar.gz")
            path.write_bytes(data)
            try:
                return kernel.archive.replace(str(path), tuple(map(str, params.get("take", ()))))
            except GeminiError as error:
                return error.as_json()

    async def inspect(params: Params) -> Any:
        data = await ffi.fetch_upload(str(params["blob"]))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "everything.tar.gz")
            path.write_bytes(data)
            try:
                return kernel.archive.inspect(str(path))
            except GeminiError as error:
                return error.as_json()

    async def reset_all(_: Params) -> Any:
        previous = kernel.archive.reset()
        if ffi.linux_folder() is not None:
            await kernel.linux.machines.erase()
        return previous

    return {
        "storage/look": inspect,
        "storage/export": export_all,
        "storage/import": import_all,
        "storage/reset": reset_all,
    }
