"""The network door on hosts without a companion: a service worker holds requests until the user answers."""

from __future__ import annotations

import json
from collections.abc import Generator

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.attacks.outside import Outside, outside_on_loopback
from tests.web.person import Background, Person

ASKED = "document.querySelector('#approval-question')?.checkVisibility()"


@pytest.fixture
def outside() -> Generator[Outside]:
    with outside_on_loopback() as outside:
        yield outside


def start_request(surface: Surface, code: str) -> Background:
    """Start Python code that makes a request, and wait for the question."""
    call = Background(surface, "python_run", {"code": code})
    surface.wait_for(f"{ASKED} || 'outcome' in calls[arguments[0]]", call.id)
    assert surface.javascript(f"return Boolean({ASKED})"), call.result()
    return call


@pytest.mark.parametrize("kernel", [True, False], ids=["an origin of its own", "the page's origin"])
def test_requests_wait_for_consent_and_are_then_fetched_with_cors(
    open_surface: OpenSurface, outside: Outside, kernel: bool
) -> None:
    surface = open_surface(kernel=kernel)
    person = Person(surface)
    call = start_request(
        surface,
        f"import js\nanswer = await js.fetch('{outside.url}/a')\n[answer.status, await answer.text()]",
    )
    assert outside.seen() == (0, []) and f"{outside.url}/a" in person.sees("#approval-question")
    person.click("#approval-once")
    assert call.result()["result"] == [200, "hällo"]

    call = start_request(surface, f"from pyodide.http import open_url\nopen_url('{outside.url}/b').read()")
    assert outside.requests == ["GET /a"]
    person.click("#approval-once")
    assert call.result()["result"] == "hällo"

    call = start_request(surface, f"import js\nawait js.fetch('{outside.url}/c', method='POST', body='data')")
    assert "/c" in person.sees("#approval-question", "send data")
    person.click("#approval-refuse")
    assert "the person refused" in json.dumps(call.result()["error"])

    call = start_request(
        surface, f"import js\nawait js.fetch('{outside.url}/redirect?to=http://127.0.0.1:1/')"
    )
    person.click("#approval-once")
    assert "redirects" in json.dumps(call.result()["error"])
    assert [each for each in outside.requests if "/c" in each] == []


@pytest.mark.extended
def test_the_kernel_s_policy_applies_if_the_host_sends_none(
    open_surface: OpenSurface, outside: Outside
) -> None:
    surface = open_surface(kernel=False)
    code = (
        "from pyodide.code import run_js\n"
        "await run_js('''(async () => { const x = new (Object.getPrototypeOf(XMLHttpRequest)); "
        f"x.open('GET', '{outside.url}', false); x.send(); return x.status }})()''')"
    )
    assert "error" in Background(surface, "python_run", {"code": code}).result()
    assert outside.seen() == (0, [])
