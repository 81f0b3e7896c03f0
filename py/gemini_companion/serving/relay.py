"""The page's WebSocket: JSON-RPC text both ways (see `gemini.core.protocol`).

    page → companion   page/hello {key, title, url, version} → {name, host, mcp: {on}, tabs: {on, sites}, version};
                       page/looked_at;
                       host/… from its Python and from the user (see `gemini_companion.host.terminals`); from the
                       person alone, since Python can't send them, consent/answer (see
                       `gemini_companion.pages.consent`), consent/tainted {tainted}, whether Python has read text from
                       outside, page/framing (see `gemini_companion.network.framing`) and settings/… (see
                       `gemini_companion.settings.settings`); caller/elicit, caller/sample and caller/roots from a
                       running tool, for the client that called it; models/… (see
                       `gemini_companion.models.access`) from its Python and from the user; web/… (see
                       `gemini_companion.web.access`), dav/… (see `gemini_companion.dav.access`), mcp/… (see
                       `gemini_companion.mcp_servers.access`) and secrets/list (see
                       `gemini_companion.secrets.access`) from its Python; clock/… (see
                       `gemini_companion.browser.wake`), tabs/… (see `gemini_companion.browser.tabs.tabs`) and
                       sites/… (see `gemini_companion.serving.site_relay`) from the page alone
    companion → page   tools/…, resources/… and prompts/… as in MCP, completion/complete; beat; settings/changed;
                       consent/asks and consent/withdrawn; tabs/changed, tabs/has_messages and tabs/picture;
                       sites/request, sites/more and sites/end; mcp/changed and mcp/progress, for its Python

Each message is one text frame. When a page disconnects, all requests to it fail. A slow page delays no other, since
each has its own queue.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Any, cast

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from gemini.core.protocol import Connection, Handler, Params
from gemini.errors import ProtocolError
from gemini.kernel.endpoint import installed_version
from gemini_companion.admission.admission import Visitor
from gemini_companion.admission.guard import ADMITTED
from gemini_companion.browser.tabs import BrowserTabs
from gemini_companion.browser.wake import Waking
from gemini_companion.dav import DavAccess
from gemini_companion.errors import PageLost
from gemini_companion.host.consent import HostConsent
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.secret_variables import HostSecrets
from gemini_companion.host.terminals import HostTerminals
from gemini_companion.mcp_servers.access import McpAccess
from gemini_companion.models import ModelAccess
from gemini_companion.network import Framing
from gemini_companion.pages.consent import Questions
from gemini_companion.pages.pages import Caller, Page, Pages
from gemini_companion.pages.releases import different_release
from gemini_companion.secrets import SecretAccess
from gemini_companion.serving.site_relay import SiteRelay
from gemini_companion.settings import Settings
from gemini_companion.web import WebAccess

NotifyClients = Callable[[str, str], None]
OpenTabs = Callable[[Callable[[str, Params], None]], BrowserTabs]
SUBPROTOCOL = "control-surface.v1"
# Seconds between beats, which a page answers while a request to it is pending.
BEAT_S = 2.0
# A page that answers none of so many beats in a row counts as lost: its main thread, which pages in tabs share, hangs.
# Beats are counted instead of seconds, since a stalled companion reads a page's answers late. A page that is closed,
# reloaded or frozen reports it at once.
MAX_UNANSWERED = 15
# Bytes that wait for a page. At the limit the page is dropped, instead of growing the companion.
MAX_UNSENT = 256 * 1024 * 1024
# Longer titles and addresses are cut; they are only shown.
LONGEST_LABEL = 200
logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Powers:
    """The powers of the companion that pages can use.

    Attributes:
        pages: The pages that are connected.
        notify_clients: Called when the current page's "resources" or "prompts" have changed, or when a resource is
            "updated", with its URI.
        host: The access of pages to this machine.
        settings: The settings that the user sees and changes in the page.
        models: The access of Python to language models.
        tabs: Returns the tabs of a page, for a function that sends it notifications.
        framing: Reads whether pages forbid being shown in a frame.
        web: The access of Python to pages and searches.
        dav: The access of Python to servers of calendars and contacts.
        secrets: The access of Python to the names of secrets.
        waking: Wakes the page for its schedules.
        sites: The sites that pages serve.
        mcp: The access of Python to the user's MCP servers.
    """

    pages: Pages
    notify_clients: NotifyClients
    host: HostPolicy
    settings: Settings
    models: ModelAccess
    tabs: OpenTabs
    framing: Framing
    web: WebAccess
    dav: DavAccess
    secrets: SecretAccess
    waking: Waking
    sites: SiteRelay
    mcp: McpAccess


class Relay:
    """Connects pages.

    Args:
        powers: What they can use.
    """

    def __init__(self, powers: Powers) -> None:
        self._powers = powers

    async def connect(self, socket: WebSocket) -> None:
        """Serve one page, which the guard has admitted, until it disconnects."""
        visitor: Visitor = socket.scope[ADMITTED]
        await socket.accept(subprotocol=SUBPROTOCOL)
        async with _sending(socket) as send:
            page_connection = PageConnection(self._powers, visitor, send)
            watch = asyncio.create_task(page_connection.watch())
            try:
                await _receive(socket, page_connection, watch)
            finally:
                watch.cancel()
                page_connection.end("was closed or reloaded")
                page_connection.mcp.stop()
                await page_connection.host.close()
                await page_connection.tabs.close()
                page_connection.sites.close()


async def _receive(socket: WebSocket, page_connection: "PageConnection", watch: "asyncio.Task[None]") -> None:
    # The second error occurs when the end is noticed while sending, the third when the watch ends.
    with contextlib.suppress(WebSocketDisconnect, WebSocketDisconnected, TimeoutError):
        async with asyncio.timeout(None) as until_watch_ends:

            def stop(_: object) -> None:
                until_watch_ends.reschedule(0)

            watch.add_done_callback(stop)
            try:
                while True:
                    page_connection.receive(await socket.receive_text())
            finally:
                watch.remove_done_callback(stop)


class PageConnection:
    """One connection of a page.

    Args:
        powers: What the page can use.
        visitor: The owner of the WebSocket.
        send: Sends the page a text.
    """

    def __init__(self, powers: Powers, visitor: Visitor, send: Callable[[str], None]) -> None:
        settings, secrets = powers.settings, powers.secrets
        self._pages = powers.pages
        self._visitor = visitor
        self._policy = powers.host
        self._settings = settings
        self._questions = Questions(self._notify)
        self._consent = HostConsent(self._questions, settings.changed)
        self._models = powers.models.for_page(self._questions)
        self.host = HostTerminals(
            powers.host, self._consent, settings.changed, secrets=HostSecrets.of(secrets, self._questions)
        )
        self.tabs = powers.tabs(self._notify)
        self.sites = powers.sites.of_page(self._ask)
        self.mcp = powers.mcp.for_page(self._questions, self._notify)
        self._notify_clients = powers.notify_clients
        self._page: Page | None = None
        self._unanswered = 0
        self.connection = Connection(send, self._handlers(powers), listeners=self._listeners())
        self.connection.on_close(
            settings.watch(lambda params: self.connection.notify("settings/changed", params))
        )
        self._listing: set[asyncio.Task[None]] = set()

    def _handlers(self, powers: Powers) -> dict[str, Handler]:
        """Return the functions that answer the page's requests, by method."""
        return {
            "page/hello": self._hello,
            "caller/elicit": self._elicit,
            "caller/sample": self._sample,
            "caller/roots": self._roots,
            **self._questions.handlers(),
            **self._models.handlers(),
            **powers.framing.handlers(),
            **powers.web.handlers(self._questions),
            **powers.dav.handlers(self._questions),
            **powers.secrets.handlers(self._questions),
            **powers.waking.handlers(self._visitor),
            **self.host.handlers(),
            **self.tabs.handlers(),
            **self.sites.handlers(),
            **self.mcp.handlers(),
            **self._consent.handlers(),
            **self._settings.handlers(self._host_row, self._visitor.browser, self._questions),
        }

    def _listeners(self) -> dict[str, Callable[[Params], None]]:
        """Return the functions that receive the page's notifications, by method."""
        return {
            "consent/tainted": lambda params: self._consent.taint(params.get("tainted") is not False),
            "page/looked_at": lambda _: self._with_page(self._pages.focus),
            "notifications/tools/list_changed": lambda _: self._list_again(),
            "notifications/resources/list_changed": lambda _: self._announce("resources"),
            "notifications/resources/updated": lambda params: self._announce(
                "updated", str(params.get("uri"))
            ),
            "notifications/prompts/list_changed": lambda _: self._announce("prompts"),
            "notifications/progress": lambda params: self._with_page(lambda page: page.progressed(params)),
            "notifications/message": lambda params: self._with_page(lambda page: page.messaged(params)),
        }

    def _notify(self, method: str, params: Params) -> None:
        self.connection.notify(method, params)

    async def _ask(self, method: str, params: Params) -> Any:
        return await self.connection.request(method, params)

    def receive(self, text: str) -> None:
        """Handle a message of the page."""
        self._unanswered = 0
        self.connection.receive(text)

    async def _hello(self, params: Params) -> Any:
        if self._page is not None:
            raise ProtocolError("a page sends page/hello once")
        key = _label(params, "key")
        name = self._pages.name_of(key)
        title, url = _label(params, "title"), _label(params, "url")
        page = Page(name, key, title, url, self.connection, self._questions)
        self._page = page
        self._questions.open(attended=self._visitor.attended or self._visitor.waits)
        self._pages.join(page)
        self._list_again()
        version = installed_version()
        if (difference := different_release(params.get("version"), version)) is not None:
            logger.warning(difference)
        mcp, tabs = {"on": self._settings.mcp_is_on}, self.tabs.row()
        return {"name": page.name, "host": self._policy.row(), "mcp": mcp, "tabs": tabs, "version": version}

    def _host_row(self) -> dict[str, Any]:
        return {**self._policy.row(), "grants": self._consent.rows(), "terminals": self.host.count}

    async def _elicit(self, params: Params) -> Any:
        name, message, schema = params.get("name"), params.get("message"), params.get("schema")
        if not isinstance(name, str | None) or not isinstance(message, str) or not isinstance(schema, dict):
            raise ProtocolError(
                "caller/elicit needs a message and the schema of an object, and may have a name"
            )
        return await self._caller(params).elicit(name, message, cast(Params, schema))

    async def _sample(self, params: Params) -> Any:
        prompt, system, most = params.get("prompt"), params.get("system"), params.get("max_tokens")
        if not isinstance(prompt, str) or not isinstance(system, str | None) or not isinstance(most, int):
            raise ProtocolError(
                "caller/sample needs a prompt and a number of tokens, and may have a system text"
            )
        return {"text": await self._caller(params).sample(prompt, system, most)}

    async def _roots(self, params: Params) -> Any:
        return {"roots": await self._caller(params).roots()}

    def _caller(self, params: Params) -> Caller:
        if self._page is None:
            raise ProtocolError("a page sends page/hello first")
        return self._page.caller(params)

    def _list_again(self) -> None:
        task = asyncio.create_task(self._list())
        self._listing.add(task)
        task.add_done_callback(self._listing.discard)

    async def _list(self) -> None:
        page = self._page
        if page is None:
            return
        try:
            page.tools, page.problem = (await page.ask("tools/list", {}))["tools"], None
        except PageLost:
            return
        except ProtocolError as error:
            # Without Python, each request to the page ends with the reason.
            page.problem = error.message
        self._pages.changed()

    def _announce(self, what: str, uri: str = "") -> None:
        if self._page is not None and self._page is self._pages.current:
            self._notify_clients(what, uri)

    def _with_page(self, act: Callable[[Page], None]) -> None:
        if self._page is not None:
            act(self._page)

    async def watch(self) -> None:
        """Return when the page has answered no beat for too long while a request to it was pending."""
        while self._unanswered < MAX_UNANSWERED:
            await asyncio.sleep(BEAT_S)
            if self.connection.has_pending_requests:
                self._unanswered += 1
                self.connection.notify("beat", {})
        self.end("stopped answering")

    def end(self, why: str) -> None:
        """Remove the page, and refuse or fail all that is pending."""
        page, self._page = self._page, None
        self._questions.close()
        self._models.close()
        if page is not None:
            self._pages.leave(page, why)
        else:
            self.connection.close()


@contextlib.asynccontextmanager
async def _sending(socket: WebSocket) -> AsyncGenerator[Callable[[str], None]]:
    """Yield a function that sends text in order, without waiting."""
    queue: asyncio.Queue[str] = asyncio.Queue()
    unsent = 0

    def send(text: str) -> None:
        nonlocal unsent
        unsent += len(text)
        if unsent > MAX_UNSENT:
            # It can't be notified, since it takes nothing.
            writing.cancel()
            return
        queue.put_nowait(text)

    async def write() -> None:
        nonlocal unsent
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                text = await queue.get()
                await socket.send_text(text)
                unsent -= len(text)

    writing = asyncio.create_task(write())
    try:
        yield send
    finally:
        writing.cancel()


def _label(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str) or not value:
        raise ProtocolError(f"page/hello needs a {name}")
    return value[:LONGEST_LABEL]
