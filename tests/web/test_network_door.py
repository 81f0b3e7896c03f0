"""The network door on hosts without a companion: a service worker holds requests until the user answers."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.attacks.outside import Outside, outside_on_loopback
from tests.git.server import git_server
from tests.web.person import Background, Person, erase

ASKED = "document.querySelector('[role=alertdialog] [data-id]')?.checkVisibility()"


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


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(True, id="its own origin"),
        pytest.param(False, marks=pytest.mark.extended, id="the page's origin"),
    ],
)
def test_requests_wait_for_consent_and_are_then_fetched_with_cors(
    open_surface: OpenSurface, outside: Outside, kernel: bool
) -> None:
    surface = open_surface(kernel=kernel)
    person = Person(surface)
    call = start_request(
        surface,
        f"import js\nanswer = await js.fetch('{outside.url}/a')\n[answer.status, await answer.text()]",
    )
    assert outside.seen() == (0, []) and f"{outside.url}/a" in person.asked()
    person.click('button "Allow once"')
    assert call.result()["result"] == [200, "hällo"]

    call = start_request(surface, f"from pyodide.http import open_url\nopen_url('{outside.url}/b').read()")
    assert outside.requests == ["GET /a"]
    person.click('button "Allow once"')
    assert call.result()["result"] == "hällo"

    call = start_request(surface, f"import js\nawait js.fetch('{outside.url}/c', method='POST', body='data')")
    assert "/c" in person.asked("send data")
    person.click('button "Refuse"')
    assert "the user refused" in json.dumps(call.result()["error"])

    call = start_request(
        surface, f"import js\nawait js.fetch('{outside.url}/redirect?to=http://127.0.0.1:1/')"
    )
    person.click('button "Allow once"')
    assert "redirects" in json.dumps(call.result()["error"])
    assert [each for each in outside.requests if "/c" in each] == []


@pytest.fixture
def proxy(tmp_path: Path) -> Generator[str]:
    """A CORS proxy that reaches https://git.example/public.git."""
    commit = [
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=ada@example.org",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "First",
    ]
    for command in (["init", "-q", "-b", "main", "work"], ["-C", "work", *commit]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    clone = ["git", "clone", "-q", "--bare", "work", "git.example/public.git"]
    subprocess.run(clone, cwd=tmp_path, check=True)
    with git_server(tmp_path) as url:
        yield url


@pytest.mark.extended
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git for the server")
def test_git_takes_the_proxy_of_the_settings_and_sends_it_no_credentials(
    open_surface: OpenSurface, proxy: str
) -> None:
    surface = open_surface()
    person = Person(surface)
    person.open_panel("settings")
    person.find('region "Settings" textbox "CORS proxy"').send_keys("http://proxy.example", Keys.ENTER)
    person.sees('region "Git without the companion" [role=status]', "Enter an address")
    erase(person.find('region "Settings" textbox "CORS proxy"'))
    person.find('region "Settings" textbox "CORS proxy"').send_keys(proxy, Keys.ENTER)
    person.sees('region "Git without the companion" [role=status]', "Saved")

    clone = "cd $(mktemp -d) && {} git clone https://git.example/public.git && git -C public log --format=%s"
    call = Background(surface, "terminal_execute", {"command": clone.format("")})
    questions = person.answer_questions(call, "once")
    assert call.result()["output"].endswith("First\n")
    assert all(f"through the proxy {proxy}/" in each and "https://git.example" in each for each in questions)

    call = Background(surface, "terminal_execute", {"command": clone.format("GIT_HTTP_BEARER_TOKEN=secret")})
    [question] = person.answer_questions(call, "refuse")
    assert "Python wants to send data to https://git.example" in question and proxy not in question


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
