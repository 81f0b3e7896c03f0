"""Sixty forms of a secret by five ways out: what Python gets, with masking and without."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from gemini_companion.secrets import SecretAccess, Secrets
from gemini_companion.secrets.placeholders import Visits
from tests.attacks.secret_forms import shows
from tests.unit.companion.keyrings import memory_keyring
from tests.unit.companion.network.conftest import World
from tests.unit.companion.network.echo import ENCODINGS, WAYS

VALUE = 'tok/en+aB3"dE5&gH7=jK9'
ELSEWHERE = "other.test"
SENT_AS = ("header", "login", "data")
ATTACKS = [(sent, form, way) for sent in SENT_AS for form in ENCODINGS for way in WAYS]


@pytest.fixture
def secret_access(tmp_path: Path) -> Iterator[SecretAccess]:
    with memory_keyring():
        yield SecretAccess(Secrets(tmp_path), Visits())


def test_there_are_sixty_forms_and_five_ways() -> None:
    assert len(ATTACKS) == 300


def test_no_attack_gets_a_value(world: World, secret_access: SecretAccess) -> None:
    leaks = _leaks(world, secret_access)
    assert leaks == [], f"{len(leaks)} leaks"


@pytest.mark.extended
def test_without_masking_all_of_them_do(
    world: World, secret_access: SecretAccess, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: Any) -> list[Any]:
        return []

    monkeypatch.setattr(secret_access.secrets, "masks", nothing)
    leaks = _leaks(world, secret_access)
    assert [each for each in ATTACKS if each not in leaks] == []


def _leaks(world: World, access: SecretAccess) -> list[tuple[str, str, str]]:
    """Return the attacks after which Python, a question or another origin has the value or a part of it."""
    world.names.known[ELSEWHERE] = [["127.0.0.1"]]
    asyncio.run(access.secrets.save("github", [world.url], ["header", "query", "body"], VALUE))
    text = access.visits.of(world.person).placeholder("github")
    return [attack for attack in ATTACKS if shows(_received(world, text, *attack), VALUE)]


def _received(world: World, text: str, sent: str, form: str, way: str) -> str:
    """Return all that came back of one attack, and all that another origin got."""
    other = world.url.replace("outside.test", ELSEWHERE)
    to = f"{other}/landed" if way == "redirect" else ""
    url = f"{world.url}/echo?as={quote(form)}&by={way}&to={quote(to)}"
    before, asked = len(world.seen.lines), len(world.person.asked)
    # The door sends no fragment on, so Python reads such an address in the header.
    follow = "manual" if "#" in ENCODINGS[form](VALUE) else "follow"
    outcome = world.ask(url, redirect=follow, **_request(sent, text))
    assert world.seen.lines[before] == f"echo {VALUE}", (sent, form, way)
    landed = [each for each in world.seen.lines[before + 1 :] if "/landed" in each]
    questions = json.dumps(world.person.asked[asked:])
    headers = [value for _, value in outcome.answer["headers"]] if outcome.problem == "" else []
    problem = outcome.headers.get("x-network-problem", "")
    # As the browser decodes it.
    packed = outcome.headers.get("content-encoding") == "gzip"
    body = (gzip.decompress(outcome.body) if packed else outcome.body).decode("latin-1")
    return "\n".join([body, problem, *headers, questions, *landed])


def _request(sent: str, text: str) -> dict[str, Any]:
    if sent == "data":
        kind = {"Content-Type": "application/json"}
        return {"method": "POST", "body": json.dumps({"token": text}).encode(), "fetched": kind}
    login = base64.b64encode(f"ada:{text}".encode()).decode()
    return {"headers": [["Authorization", f"Bearer {text}" if sent == "header" else f"Basic {login}"]]}
