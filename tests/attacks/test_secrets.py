"""A secret in the page: the user enters it, Python uses it by a placeholder, and nothing in the page has the value."""

from __future__ import annotations

import base64
import json
import textwrap
from collections.abc import Generator
from pathlib import Path

import pytest

from gemini_companion.serving import outside as of_outside
from gemini_testing.pool import BrowserPool
from tests.attacks.outside import Outside, outside_on_loopback
from tests.attacks.test_network import HTTPX, REQUESTS, World, install
from tests.companions import companion_of, opened_by
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.web.person import Person

pytestmark = pytest.mark.extended

AIOHTTP = [
    "aiohttp",
    "aiohappyeyeballs",
    "aiosignal",
    "attrs",
    "frozenlist",
    "idna",
    "multidict",
    "propcache",
    "yarl",
]
VALUE = "tok-aB3dE5gH7jK9mN1pQ3"
# Only Python that ends without a question gets these.
REFUSED = """
from gemini.kernel.kernel import kernel
asked = []
for method in ("settings/secrets", "settings/save_secret", "settings/delete_secret"):
    given = {"name": "github", "origins": ["https://evil.example"], "places": ["header"], "value": "12345678abc"}
    try:
        asked.append(str(await kernel.host.request(method, given)))
    except Exception as problem:
        asked.append(str(problem))
asked
"""


@pytest.fixture
def outside() -> Generator[Outside]:
    with outside_on_loopback() as outside:
        yield outside


@pytest.fixture
def keyring() -> Generator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
def world(
    surface_dist: Path,
    outside: Outside,
    browsers: BrowserPool,
    keyring: MemoryKeyring,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Generator[World]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    # The server stands for one of the internet, but has no certificate.
    monkeypatch.setattr(of_outside, "secret_origin", str)
    with (
        companion_of(surface_dist, network=outside.fetcher()) as companion,
        opened_by(companion, browsers) as surface,
    ):
        person = Person(surface)
        person.open_workspace()
        yield World(surface, outside, companion, person)


def add_secret(world: World, origin: str) -> None:
    """Enter a secret as the user does."""
    person = world.person
    person.open_panel("settings")
    for field, text in (("name", "github"), ("value", VALUE), ("origins", origin)):
        person.find(f"#secret-form [name={field}]").send_keys(text)
    person.click('#secret-form [value="git"]')
    person.click("#secret-form [type=submit]")
    person.sees('[data-secret="github"]', origin)


def test_the_user_enters_a_secret_and_every_library_sends_it(world: World, keyring: MemoryKeyring) -> None:
    origin = world.outside.named
    add_secret(world, origin)
    assert VALUE in keyring.saved.values()
    document = world.surface.javascript("return document.documentElement.outerHTML")
    form = world.surface.javascript(
        "return [...document.querySelectorAll('input')].map((each) => each.value).join()"
    )
    assert VALUE not in document + form

    refused = world.python(REFUSED).result()["result"]
    assert all("can't ask the companion" in each for each in refused), refused
    rows = world.python("import gemini\nawait gemini.secrets()").result()["result"]
    placeholder = rows[0].pop("placeholder")
    assert rows == [{"name": "github", "origins": [origin], "places": ["header", "git"]}]
    assert placeholder.startswith("cs-secret-github-")

    install(world.surface, sorted({*REQUESTS, *HTTPX, *AIOHTTP}))
    named = f"URL = {origin!r}\nheaders = {{'Authorization': f'Bearer {{gemini.secret(\"github\")}}'}}"
    for code in (
        "import urllib.request as u; u.urlopen(u.Request(URL, headers=headers)).status",
        "import requests; requests.get(URL, headers=headers).status_code",
        "import httpx; httpx.get(URL, headers=headers).status_code",
        "import aiohttp\nasync with aiohttp.ClientSession() as client:\n"
        "    async with client.get(URL, headers=headers) as answer: answer.status",
    ):
        assert sent_by_python(world, f"import gemini\n{named}\n{code}") == f"Bearer {VALUE}"
    shell = f'curl -s -H "Authorization: Bearer $(secret github)" {origin}/a'
    assert sent_by_shell(world, shell) == f"Bearer {VALUE}"
    login = "Basic " + base64.b64encode(f"ada:{VALUE}".encode()).decode()
    shell = f"GIT_HTTP_USER=ada GIT_HTTP_PASSWORD=$(secret github) git ls-remote {origin}/a.git"
    assert sent_by_shell(world, shell) == login

    answer = world.python("import subprocess").result()
    everything = json.dumps([answer, world.surface.call("terminal_read", terminal_id="term-1")])
    assert VALUE not in everything


def sent_by_python(world: World, code: str) -> str:
    world.outside.reset()
    call = world.python(textwrap.dedent(code))
    assert world.is_asked(call), call.result()
    question = world.question()
    assert "the secret github" in question and VALUE not in question
    world.answer("once")
    assert "error" not in call.result(), call.result()
    return world.outside.headers[-1]["authorization"]


def sent_by_shell(world: World, command: str) -> str:
    return sent_by_python(
        world,
        f"import gemini\nresult = await gemini.run_command({command!r})\n[result.exit_code, result.output]",
    )
