"""Failed requests of the web tools, on the page and with its companion: each has its type and says what happened."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.web import Search
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import Outside, outside_on_loopback
from tests.companions import companion_of, opened_by
from tests.web.person import Background, Person

pytestmark = pytest.mark.fortnightly

ENGINE = "/engine"
CALL = """
import json
import socket
from gemini.kernel.kernel import kernel
from gemini.errors import GeminiError
async def call(tool, **arguments):
    try:
        return await kernel.registry.call(tool, arguments, caller="agent:a")
    except GeminiError as error:
        return error.as_json()["error"]
"""


@pytest.fixture(scope="module")
def closed() -> Iterator[int]:
    """Return a port that nobody listens on: it is bound, so that no other process gets it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with outside_on_loopback() as outside:
        yield outside


@pytest.fixture(scope="module")
def endpoints(outside: Outside) -> dict[str, str]:
    return {"duckduckgo": outside.named + ENGINE}


@pytest.fixture(scope="module")
def surface(
    surface_dist: Path,
    outside: Outside,
    endpoints: dict[str, str],
    closed: int,
    browsers: BrowserPool,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Surface]:
    folder = tmp_path_factory.mktemp("configuration")
    search = Search(path=folder / "search.json", endpoints=endpoints)
    network = outside.fetcher(closed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder))
        with (
            companion_of(surface_dist, network=network, search=search) as companion,
            opened_by(companion, browsers) as surface,
        ):
            surface.python(CALL)
            yield surface


def ask(surface: Surface, code: str) -> dict[str, Any]:
    """Run a call of a web tool, whose questions the user allows once, and return its result or its error."""
    call = Background(surface, "python_run", {"code": f"print(json.dumps(await {code}))"})
    Person(surface).answer_questions(call, "once")
    return json.loads(call.result()["stdout"])


FETCHES = {
    "a status of 404": ("{named}/missing", "PageUnreadable", "404"),
    "a status of 500": ("{named}/broken", "PageUnreadable", "500"),
    "something without text": ("{named}/picture", "PageUnreadable", ""),
    "a broken coding": ("{named}/coded", "HostBroken", "gzip"),
    "an unknown host": ("http://unknown.test/", "HostUnknown", "unknown.test"),
    "a closed port": ("http://outside.test:{closed}/", "HostUnreachable", "outside.test:{closed}"),
    "a circle of redirects": ("{named}/circle", "RedirectRefused", ""),
    "an address of this network": ("http://127.0.0.1:2/", "AddressRefused", ""),
    "another protocol": ("ftp://outside.test/", "AddressRefused", "ftp"),
}


@pytest.mark.parametrize("way", FETCHES)
def test_a_page_that_can_not_be_read(surface: Surface, outside: Outside, closed: int, way: str) -> None:
    outside.statuses["/broken"] = 500
    outside.pages["/picture"] = ("image/png", b"\x89PNG\r\n\x1a\n")
    outside.pages["/coded"] = ("text/html", b"no gzip")
    outside.page_headers["/coded"] = {"Content-Encoding": "gzip"}
    url, kind, said = FETCHES[way]
    url, said = (text.format(named=outside.named, closed=closed) for text in (url, said))
    failed = ask(surface, f"call('web_fetch', url={url!r})")
    assert failed["type"] == kind
    assert said in failed["message"]
    assert "connected" not in failed["message"]


def test_pages_can_be_read_then(surface: Surface, outside: Outside) -> None:
    outside.pages["/tea"] = ("text/html", b"<p>Green tea is brewed at 80 degrees.</p>")
    assert "80 degrees" in ask(surface, f"call('web_fetch', url={outside.named + '/tea'!r})")["markdown"]


@pytest.mark.parametrize(("status", "said"), [(429, "too many"), (403, "refuses"), (503, "503")])
def test_an_engine_that_fails(surface: Surface, outside: Outside, status: int, said: str) -> None:
    outside.statuses[ENGINE] = status
    outside.pages[ENGINE] = ("text/html", b"no")
    failed = ask(surface, "call('web_search', query='tea')")
    assert failed["type"] == "SearchFailed"
    assert said in failed["message"]


def test_an_engine_that_is_down(surface: Surface, endpoints: dict[str, str], closed: int) -> None:
    endpoints["duckduckgo"] = f"http://outside.test:{closed}{ENGINE}"
    failed = ask(surface, "call('web_search', query='tea')")
    assert failed["type"] == "HostUnreachable"
    assert "connected" not in failed["message"]
