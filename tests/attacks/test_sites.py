"""Pages made of files, and Python that serves them, try to reach or read other origins and to set policies."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator

import pytest
from selenium.common.exceptions import JavascriptException, TimeoutException, WebDriverException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from gemini_testing import Surface
from gemini_testing.browser import SCRIPT_TIMEOUT_S
from gemini_testing.errors import PythonFailed, ToolCallFailed
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.site_escapes import ESCAPES, FENCE, FILES, PRELUDE
from tests.tiers import in_turn, sampled
from tests.web.agent import close_tabs
from tests.web.person import Person
from tests.web.site import Site

PATIENCE_S = 10
# Chromium may connect for a navigation before the outer frame refuses it; nothing is sent (docs/security.md).
CONNECTS = "javascript-document"
KERNEL = "from gemini.kernel.kernel import kernel\n"


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    with fenced_listener() as listener:
        yield listener


@pytest.fixture
def site(surface: Surface, outside: Listener) -> Iterator[Site]:
    """Return a site in the tab in front. Another site, whose data it must not learn, isn't open."""
    for name, text in FILES.items():
        surface.call("file_write", path=f"/project/attack/{name}", content=text.replace("OUT", outside.url))
    surface.call("file_write", path="/project/other/index.html", content="<title>Other</title><p>secret")
    site = Site(surface)
    site.open("/project/attack/index.html")
    yield site
    close_tabs(surface)


def attack(site: Site, outside: Listener, escape: str) -> None:
    """Try an escape. An attempt that ends its own document or throws counts, too."""
    outside.received(site.surface)
    driver = site.surface.driver
    # A document that was left no longer answers.
    driver.set_script_timeout(PATIENCE_S)
    try:
        site.run(f"{PRELUDE} try {{ {escape} }} finally {{ {FENCE} }}", outside.url, outside.udp)
    except (JavascriptException, TimeoutException) as error:
        print("The document was left, or threw:", error.msg)
    except WebDriverException as error:
        # Chromium ends the process of a page that uses WebRTC in a forbidden realm.
        assert "tab crashed" in str(error.msg), error.msg
    finally:
        driver.set_script_timeout(SCRIPT_TIMEOUT_S)
        driver.switch_to.default_content()


@pytest.mark.parametrize("escape", sampled(ESCAPES, every=24))
def test_no_escape_reaches_another_origin(site: Site, outside: Listener, escape: str) -> None:
    attack(site, outside, ESCAPES[escape])
    received = outside.received(site.surface)
    assert [each for each in received if each != "connection" or escape != CONNECTS] == []


@pytest.mark.fortnightly
def test_the_listener_receives_allowed_requests(site: Site, outside: Listener, surface: Surface) -> None:
    person = Person(surface)
    if not surface.javascript("return document.querySelector('#browser-network').checkVisibility()"):
        person.open_panel("browser")
    attack(site, outside, ESCAPES["fetch"])
    person.click("#browser-network")
    person.sees("#approval-question", outside.url)
    person.click("#approval-run")
    person.sees("#browser-network[aria-pressed=true]")
    assert surface.call("browser_get_text") is not None
    assert "//n" in site.says("location.href")
    attack(site, outside, ESCAPES["fetch"])
    assert "/a" in outside.received(surface)
    # Not after the user has turned it off.
    person.click("#browser-network")
    person.sees("#browser-network[aria-pressed=false]")
    assert surface.call("browser_get_text") is not None
    attack(site, outside, ESCAPES["fetch"])
    assert outside.received(surface) == []


DOCUMENTS = ("/host.html", "/host.js", "/worker.js", "/gemini-page.js", "/none", "/none.html", "/", "/index.html",
             "/project/attack/", "/project/attack/none", "/project/attack/sub", "/project/attack/leaves.svg",
             "/project/other/index.html", "/etc/passwd", "/%00/x", "/project/attack/%ff")  # fmt: skip


@pytest.mark.parametrize("path", sampled(DOCUMENTS, every=10))
def test_every_document_of_the_origin_has_a_policy(site: Site, path: str) -> None:
    lines = site.run(
        "const r = await fetch(arguments[0]); return [...r.headers].map(([k, v]) => k + ': ' + v)", path
    )
    headers = dict(each.split(": ", 1) for each in lines)
    policy = headers["content-security-policy"]
    assert "default-src 'self' data: blob:" in policy or "default-src 'none'" in policy
    assert "sandbox allow-scripts" in policy and "allow-popups" not in policy
    assert "frame-ancestors" in policy and "form-action" in policy and "base-uri" in policy
    assert headers["connection-allowlist"].startswith("(response-origin)")


READ = "const r = await fetch(arguments[0]); return [r.status, (await r.text()).includes('secret')]"


@pytest.mark.parametrize(
    "path",
    sampled(
        [
            "/project/attack/linked/index.html", "/project/other/index.html", "../other/index.html",
            "/project/./other/index.html", "/project/attack/..%2fother/index.html",
            "/project/attack/%2e%2e/other/index.html",
        ],
        every=6,
    ),
)  # fmt: skip
@in_turn("shown", ["before", "beside", "never"])
def test_a_site_can_not_read_another_one(site: Site, surface: Surface, path: str, shown: str) -> None:
    link = "'/project/other', '/project/attack/linked'"
    surface.python(f"import os\nif not os.path.lexists('/project/attack/linked'): os.symlink({link})")
    here = site.tab
    if shown != "never":
        tab = site.open_beside("/project/other/index.html")
        assert site.run(READ, "index.html") == [200, True]
        if shown == "before":
            surface.call("browser_tabs", action="close", tab=tab)
        site.tab = here
    status, leaked = site.run(READ, path)
    assert status == 404 and not leaked


@pytest.mark.fortnightly
def test_a_closed_site_can_not_be_read(site: Site, surface: Surface) -> None:
    other = site.open_beside("/project/other/index.html")
    assert site.says("document.title") == "Other"
    site.open_beside("/project/attack/index.html")
    surface.call("browser_tabs", action="close", tab=other)
    assert site.run(READ, "/project/other/index.html") == [404, False]
    code = f"{KERNEL}kernel.sites.answer('/project/other/index.html', ['/project/other']).status"
    assert surface.python(code) == 404


@pytest.mark.extended
def test_a_left_site_can_not_be_read(site: Site, surface: Surface) -> None:
    left = site.run("return location.href")
    surface.call("browser_navigate", url="/project/other/index.html")
    assert site.says("document.title") == "Other"
    # The page has nothing of its origin left.
    frames = (
        "const all = (doc) => [...doc.querySelectorAll('iframe')].flatMap((frame) => "
        "[frame.src, ...(frame.contentDocument ? all(frame.contentDocument) : [])]); return all(document)"
    )
    origin = "/".join(left.split("/")[:3])
    assert not [url for url in surface.javascript(frames) if url.startswith(origin)]
    code = f"{KERNEL}kernel.sites.answer('/project/attack/index.html', ['/project/attack']).status"
    assert surface.python(code) == 404


STORE = (
    "localStorage.secret = '1'; document.cookie = 'secret=1'; document.cookie = 'secret=1; domain=localhost';"
    "await (await caches.open('secret')).put('/secret', new Response('1'));"
    "await new Promise((done) => { indexedDB.open('secret').onsuccess = done });"
    "navigator.locks.request('secret', () => new Promise(() => {})); globalThis.secret = 1;"
)
STORES = {
    "local-storage": "localStorage.secret",
    "cookie": "document.cookie.includes('secret')",
    "cache": "(await caches.keys()).includes('secret')",
    "database": "(await indexedDB.databases()).some(({ name }) => name === 'secret')",
    "lock": "(await navigator.locks.query()).held.some(({ name }) => name === 'secret')",
    "window": "near().some((view) => view.secret)",
    "worker": "(await navigator.serviceWorker.getRegistrations()).length > 1",
}


@pytest.mark.fortnightly
@pytest.mark.parametrize("store", sampled(STORES, every=8))
def test_a_site_can_not_reach_another_one_s_storage(site: Site, surface: Surface, store: str) -> None:
    here = f"{PRELUDE} return Boolean({STORES[store]})"
    site.open_beside("/project/other/index.html")
    site.run(STORE)
    site.open_beside("/project/attack/index.html")
    assert site.run(here) is False


FORGED = {
    "content-security-policy": "default-src *",
    "connection-allowlist": "(*)",
    "set-cookie": "secret=1",
    "service-worker-allowed": "/",
    "location": "OUT/a",
    "clear-site-data": '"*"',
    "refresh": "0;url=OUT/a",
    "link": "<OUT/a>; rel=preload; as=image",
    "access-control-allow-origin": "*",
    "cross-origin-embedder-policy": "unsafe-none",
    "reporting-endpoints": 'default="OUT/a"',
}
FORGING = """
import types
real = kernel.sites.answer
def forged(*given, **named):
    answer = real(*given, **named)
    headers = {{**getattr(answer, "headers", {{}}), **{headers!r}}}
    return types.SimpleNamespace(**{{**vars(answer), "headers": headers, **{more!r}}})
kernel.sites.answer = forged
"""


Forge = Callable[..., None]


@pytest.fixture
def forging(site: Site, surface: Surface, outside: Listener) -> Iterator[Forge]:
    def forge(headers: dict[str, str], **more: object) -> None:
        surface.python(KERNEL + FORGING.format(headers=headers, more=more))

    yield forge
    surface.python(f"{KERNEL}del kernel.sites.answer")


@pytest.mark.parametrize("header", sampled(FORGED, every=6))
def test_python_can_not_set_headers(site: Site, outside: Listener, forging: Forge, header: str) -> None:
    value = FORGED[header].replace("OUT", outside.url)
    get = "return (await fetch('index.html')).headers.get(arguments[0])"
    before = site.run(get, header)
    forging({header: value})
    assert site.run(get, header) == before
    attack(site, outside, "await soon(framed({ src: 'index.html' }))")
    assert outside.received(site.surface) == []


@pytest.mark.fortnightly
@pytest.mark.parametrize(
    "forged",
    sampled(
        [
            {"status": 302, "headers": {"location": "OUT/a"}},
            {"status": 301},
            {"type": "text/html\r\ncontent-security-policy: default-src *"},
            {"type": "text/html, text/plain; x=1"},
            {"type": 7},
            {"outside": True},
        ],
        every=3,
    ),
    ids=json.dumps,
)
def test_python_can_only_set_status_type_and_content(
    site: Site, outside: Listener, forging: Forge, forged: dict[str, object]
) -> None:
    filled = json.loads(json.dumps(forged).replace("OUT", outside.url))
    forging(filled.pop("headers", {}), **filled)
    escape = f"const f = await soon(framed({{ src: 'sub/index.html' }})); {ESCAPES['blank-realm']}; "
    attack(site, outside, escape + "await f.contentWindow.fetch(`${out}/a`, { mode: 'no-cors' })")
    assert outside.received(site.surface) == []


PAGE = "documents, tab = kernel.browser._documents, kernel.browser.active.id\n"
INDEX = "'root': '/project/attack', 'path': '/project/attack/index.html'"
SWITCHES = {
    "let_pages_outside": "kernel.let_pages_outside(True)",
    "field": "kernel.sites.outside = True",
    "handler": "from gemini.kernel.page import page_handlers\n"
    "await page_handlers(kernel, print)['site/outside']({'allowed': True})",
    "request": f"{PAGE}await documents._request('switchNetwork', {{'tab': tab}})",
    "parameter": f"{PAGE}await documents._request('openFile', {{'tab': tab, {INDEX}, 'outside': True}})",
    "path": f"{PAGE}await documents._request('openFile', {{'tab': tab, 'root': '/project', 'path': '//HOST/a'}})",
    "root": f"{PAGE}await documents._request('openFile', {{'tab': tab, 'root': 'http://HOST', 'path': '/a'}})",
    "click": "await kernel.browser.tabs['page'].click(selector='#browser-network')",
    "key": "await kernel.browser.tabs['page'].press_key('Enter', selector='#browser-network')",
    "origin": f"{PAGE}url = kernel.browser.active.url.replace('http://', 'http://n')\n"
    "await documents.open(tab, url, 'same')",
    "unframed": f"{PAGE}await documents.open(tab, kernel.browser.active.url, 'same')",
}


@pytest.mark.parametrize("switch", sampled(SWITCHES, every=6))
def test_python_can_not_switch_network_on(
    site: Site, surface: Surface, outside: Listener, switch: str
) -> None:
    code = (
        SWITCHES[switch].replace("OUTHOST", outside.url.removeprefix("http://")).replace("OUT", outside.url)
    )
    with contextlib.suppress(PythonFailed, ToolCallFailed):
        surface.python(KERNEL + code)
    with contextlib.suppress(ToolCallFailed):
        surface.call("browser_tabs", action="reload")
    assert surface.javascript("return document.querySelector('#browser-network').ariaPressed") == "false"
    for escape in ("fetch", "location-unheard"):
        attack(site, outside, ESCAPES[escape])
    assert outside.received(surface) == []


def test_a_site_can_not_see_the_page(site: Site) -> None:
    assert "SecurityError" in site.run("return top.document.title")
    assert "SecurityError" in site.run("return parent.document.title")
    assert "SecurityError" in site.run("return String(parent.localStorage)")
    assert site.run("return Object.keys(localStorage).length") == 0
    assert site.run("return document.referrer") == ""


# --- the user's clipboard ---

FILLED = "<!doctype html><title>Copies</title><p id=text>from the page</p><button>Press</button><script>WAY</script>"
COPIES = {
    "execCommand": "getSelection().selectAllChildren(text); seen(document.execCommand('copy'))",
    "cut": "getSelection().selectAllChildren(text); text.contentEditable = true;"
    "seen(document.execCommand('CUT'))",
    "an event's data": "document.addEventListener('copy', (event) => {"
    "event.clipboardData.setData('text/plain', 'from the page'); event.preventDefault() });"
    "seen(document.execCommand('copy'))",
    "a name that changes": "let n = 0; getSelection().selectAllChildren(text);"
    "seen(document.execCommand({ toString: () => (n++ ? 'copy' : 'bold') }))",
    "the prototype": "getSelection().selectAllChildren(text);"
    "seen(Document.prototype.execCommand.call(document, 'copy'))",
    "writeText": "navigator.clipboard.writeText('from the page').then(() => seen(true), () => seen(false))",
    "write": "navigator.clipboard.write([new ClipboardItem({ 'text/plain': 'from the page' })])"
    ".then(() => seen(true), () => seen(false))",
}


@pytest.mark.parametrize("way", sampled(COPIES))
def test_a_press_in_a_page_does_not_fill_the_clipboard(surface: Surface, way: str) -> None:
    person = Person(surface)
    person.copy("before")
    act = (
        "const seen = (done) => (document.title = String(done));"
        f"document.querySelector('button').onclick = () => {{ {COPIES[way]} }}"
    )
    surface.call("file_write", path="/project/copies/index.html", content=FILLED.replace("WAY", act))
    site = Site(surface)
    site.open("/project/copies/index.html")
    with site.inside():
        surface.driver.find_element("css selector", "button").click()
        WebDriverWait(surface.driver, PATIENCE_S).until(
            lambda driver: driver.execute_script("return document.title") != "Copies"
        )
        assert surface.driver.execute_script("return document.title") == "false"
    # Only the document with the focus reads it.
    person.click("#top h1")
    assert surface.javascript("return await navigator.clipboard.readText()") == "before"
    # The control: text that the user copies by their own keys is there.
    with site.inside():
        # Keys go to the frame that was pressed.
        surface.driver.find_element("css selector", "#text").click()
        surface.driver.execute_script("getSelection().selectAllChildren(text)")
        surface.driver.find_element("css selector", "body").send_keys(Keys.CONTROL, "c")
    person.click("#top h1")
    surface.wait_for("navigator.clipboard.readText().then((text) => text.trim() === 'from the page')")
    close_tabs(surface)
