"""Pages of a server in the page, whose program and scripts are hostile, try to reach other origins and the surface."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from selenium.common.exceptions import JavascriptException, TimeoutException

from gemini_testing import Surface
from tests.attacks.listener import Listener, fenced_listener
from tests.attacks.site_escapes import ESCAPES, FILES
from tests.attacks.test_sites import CONNECTS, FORGED, attack
from tests.tiers import sampled
from tests.web.site import Site
from tests.web.test_servers import Servers

pytestmark = pytest.mark.extended

PORT = 8201
# Answers with the headers and the redirect that a request asks for.
SERVER = """
import json
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

class Handler(SimpleHTTPRequestHandler):
    def asked(self):
        return {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}

    def do_GET(self):
        to = self.asked().get("to")
        if to is None:
            return super().do_GET()
        self.send_response(302)
        self.send_header("Location", to)
        self.end_headers()

    do_POST = do_GET

    def end_headers(self):
        for name, value in json.loads(self.asked().get("headers", "{}")).items():
            self.send_header(name, value)
        super().end_headers()

print("port", PORT)
ThreadingHTTPServer(("", PORT), Handler).serve_forever()
"""
HEADERS = {
    **FORGED,
    "content-security-policy": "default-src *; report-uri OUT/a",
    "content-security-policy-report-only": "default-src 'none'; report-uri OUT/a",
    "reporting-endpoints": 'default="OUT/a"',
    "report-to": '{"group": "default", "max_age": 9, "endpoints": [{"url": "OUT/a"}]}',
    "link": "<OUT/a>; rel=preload; as=image, <OUT>; rel=preconnect",
    "refresh": "0; url=OUT/a",
    "service-worker-allowed": "/",
    "x-dns-prefetch-control": "on",
    "x-frame-options": "DENY",
}


@pytest.fixture(scope="module")
def outside() -> Iterator[Listener]:
    with fenced_listener() as listener:
        yield listener


@pytest.fixture
def site(surface: Surface, outside: Listener) -> Iterator[Site]:
    for name, text in FILES.items():
        surface.call("file_write", path=f"/project/served/{name}", content=text.replace("OUT", outside.url))
    surface.call("file_write", path="/project/served/server.py", content=SERVER.replace("PORT", str(PORT)))
    servers = Servers(surface)
    servers.start("python server.py", f"port {PORT}", "/project/served")
    site = Site(surface)
    site.open(f"http://localhost:{PORT}/index.html")
    yield site
    surface.call("browser_tabs", action="close", tab=site.tab)
    servers.close()


@pytest.mark.parametrize("escape", sampled(ESCAPES, every=16))
def test_no_escape_reaches_another_origin(site: Site, outside: Listener, escape: str) -> None:
    attack(site, outside, ESCAPES[escape])
    received = outside.received(site.surface)
    assert [each for each in received if each != "connection" or escape != CONNECTS] == []


def test_a_server_s_headers_change_no_policy(site: Site, outside: Listener) -> None:
    headers = {name: value.replace("OUT", outside.url) for name, value in HEADERS.items()}
    forged = f"index.html?headers={quote(json.dumps(headers))}"
    get = (
        "const { headers } = await fetch(arguments[0]); return arguments[1].map((name) => headers.get(name))"
    )
    assert site.run(get, forged, list(headers)) == site.run(get, "index.html", list(headers))
    attack(site, outside, f"await soon(framed({{ src: '{forged}' }}))")
    assert outside.received(site.surface) == []


def test_redirects_lead_nowhere_else(site: Site, outside: Listener) -> None:
    status = "return (await fetch(arguments[0], { method: arguments[1] })).status"
    for to in (
        f"{outside.url}/a",
        "https://example.org/a",
        "//example.org/a",
        f"http://localhost:{PORT + 1}/",
    ):
        for method in ("GET", "POST"):
            assert site.run(status, f"/?to={quote(to)}", method) == 502, to
    assert site.run("return (await fetch('/?to=/index.html')).redirected") is True
    elsewhere = f"/?to={quote(outside.url)}/a"
    for escape in (f"location = '{elsewhere}'", f"await soon(framed({{ src: '{elsewhere}' }}))"):
        with contextlib.suppress(JavascriptException, TimeoutException):
            attack(site, outside, escape)
        assert outside.received(site.surface) == [], escape


def test_a_server_s_page_can_not_reach_the_surface_or_files(site: Site, surface: Surface) -> None:
    surface.javascript("localStorage.setItem('of the surface', '1')")
    surface.call("file_write", path="/project/other/index.html", content="<title>Other</title><p>secret")
    assert "SecurityError" in site.run("return top.document.title")
    assert "SecurityError" in site.run("return parent.document.title")
    assert "SecurityError" in site.run("return String(parent.localStorage)")
    assert site.run("return localStorage.getItem('of the surface')") is None
    assert "TypeError" in site.run("return await fetch(arguments[0])", surface.url)
    assert site.run("return (await fetch('/project/other/index.html')).status") == 404
    assert "SecurityError" in site.run("top.location = 'about:blank'")
