"""Secrets through the door: where they are sent, where they aren't, and what comes back."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.secrets import Place, SecretAccess, Secrets, Visit
from gemini_companion.secrets.placeholders import Visits
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.network.conftest import Outcome, World

VALUE = 'tok/en+aB3"dE5&gH7=jK9'
ELSEWHERE = "other.test"


@pytest.fixture
def keyring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
def secret_access(tmp_path: Path, keyring: MemoryKeyring) -> SecretAccess:
    return SecretAccess(Secrets(tmp_path), Visits())


@pytest.fixture
def vault(world: World, secret_access: SecretAccess) -> Vault:
    world.names.known[ELSEWHERE] = [["127.0.0.1"]]
    vault = Vault(world, secret_access)
    vault.save("header", "query", "body")
    return vault


class Vault:
    """The secret `github` of the user at the page."""

    def __init__(self, world: World, access: SecretAccess) -> None:
        self.world, self.access = world, access
        self.other = world.url.replace("outside.test", ELSEWHERE)

    def save(self, *places: Place, origins: tuple[str, ...] = ()) -> None:
        saving = self.access.secrets.save("github", origins or (self.world.url,), places, VALUE)
        asyncio.run(saving)

    @property
    def visit(self) -> Visit:
        return self.access.visits.of(self.world.person)

    @property
    def placeholder(self) -> str:
        return self.visit.placeholder("github")

    def bearer(self, url: str | None = None, **asked: Any) -> Outcome:
        headers = [["Authorization", f"Bearer {self.placeholder}"]]
        return self.world.ask(url or f"{self.world.url}/echo", headers=headers, **asked)

    @property
    def got(self) -> list[str]:
        return [each.removeprefix("echo ") for each in self.world.seen.lines if each.startswith("echo ")]


def test_a_header_gets_the_value_after_a_question_that_names_the_secret(vault: Vault) -> None:
    outcome = vault.bearer()
    assert vault.got == [VALUE]
    assert outcome.body == f"<{vault.placeholder}>".encode()
    (asked,) = vault.world.person.asked
    assert asked["secrets"] == [{"name": "github", "place": "header"}] and asked["access"] == "send"
    assert VALUE not in json.dumps(vault.world.person.asked)


def test_a_login_a_query_a_form_and_json_get_it_in_their_own_spelling(vault: Vault) -> None:
    url, text = f"{vault.world.url}/echo", vault.placeholder
    login = base64.b64encode(f"ada:{text}".encode()).decode()
    vault.world.ask(url, headers=[["Authorization", f"Basic {login}"]])
    vault.world.ask(f"{url}?token={text}")
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    vault.world.ask(url, method="POST", body=f"token={text}&a=1".encode(), fetched=form)
    of_json = {"Content-Type": "application/json; charset=utf-8"}
    vault.world.ask(url, method="POST", body=json.dumps({"token": text}).encode(), fetched=of_json)
    # Also where a library escapes more than it needs to.
    quoted = "".join(f"%{ord(each):02X}" for each in text)
    outcome = vault.world.ask(f"{url}?token={quoted}")
    assert vault.got == [VALUE] * 5
    assert outcome.answer["url"] == f"{url}?token={quoted}"


def test_a_git_login_is_a_place_of_its_own(vault: Vault) -> None:
    vault.save("git")
    login = base64.b64encode(f"ada:{vault.placeholder}".encode()).decode()
    headers = [["Authorization", f"Basic {login}"]]
    outcome = vault.world.ask(f"{vault.world.url}/echo", headers=headers)
    assert outcome.problem == "SecretRefused" and "headers" in outcome.message
    # An address that names this computer counts as safe without TLS.
    url = vault.world.url.replace("outside.test", "127.0.0.1")
    vault.save("git", origins=(url,))
    outcome = vault.world.ask(f"{url}/a.git/info/refs?service=git-upload-pack", headers=headers)
    assert outcome.status == 200
    sent = dict(vault.world.seen.headers[-1])["authorization"]
    assert base64.b64decode(sent.removeprefix("Basic ")).decode() == f"ada:{VALUE}"


@pytest.mark.parametrize("place", ["header", "query", "body"])
def test_a_place_that_is_not_allowed_is_refused_without_a_question(vault: Vault, place: str) -> None:
    others: list[Place] = [each for each in ("header", "query", "body") if each != place]
    vault.save(*others)
    url, text = f"{vault.world.url}/echo", vault.placeholder
    asked: dict[str, Any] = {
        "header": {"url": url, "headers": [["X-Token", text]]},
        "query": {"url": f"{url}?token={text}"},
        "body": {"url": url, "method": "POST", "body": f"token={text}".encode()},
    }[place]
    outcome = vault.world.ask(**asked)
    assert (outcome.status, outcome.problem) == (403, "SecretRefused")
    assert "'github' isn't for" in outcome.message
    assert vault.world.person.asked == [] and vault.world.seen.lines == []


def test_other_origins_and_other_parts_of_an_address_are_refused(vault: Vault) -> None:
    text = vault.placeholder
    host = vault.world.url.replace("outside.test", f"{text}.test")
    for url, word in (
        (f"{vault.other}/echo?token={text}", "isn't for"),
        (f"{vault.world.url}/{text}", "path"),
        (f"{host}/", "host name"),
    ):
        outcome = vault.world.ask(url)
        assert (outcome.problem, word in outcome.message) == ("SecretRefused", True), outcome.message
    outcome = vault.world.ask(f"{vault.world.url}/", headers=[[text, "a"]])
    assert "name" in outcome.message
    assert vault.world.seen.lines == [] and vault.world.names.asked == [] and vault.world.person.asked == []


def test_a_placeholder_of_another_visit_or_a_guessed_one_is_refused(vault: Vault) -> None:
    other = Visit().placeholder("github")
    guessed = vault.placeholder[:-1] + ("0" if vault.placeholder[-1] != "0" else "1")
    for text in (other, guessed, other.replace("github", "gitlab")):
        outcome = vault.world.ask(f"{vault.world.url}/echo", headers=[["Authorization", f"Bearer {text}"]])
        assert outcome.problem == "SecretRefused" and "another visit" in outcome.message
        assert "again" in json.loads(outcome.headers["x-network-problem"])["hint"]
    assert vault.got == []


def test_a_redirect_to_another_origin_gets_nothing(vault: Vault) -> None:
    there = f"{vault.other}/echo"
    outcome = vault.bearer(f"{vault.world.url}/echo?by=moved&to={there}")
    # The header isn't passed on, as for other headers.
    assert outcome.status == 200 and vault.got == [VALUE, ""]
    vault.save("body", origins=(vault.world.url, vault.other))
    url = f"{vault.world.url}/echo?by=moved&to={there}"
    body, form = f"token={vault.placeholder}".encode(), {"Content-Type": "application/x-www-form-urlencoded"}
    outcome = vault.world.ask(url, method="POST", body=body, fetched=form)
    assert outcome.problem == "SecretRefused" and "redirect" in outcome.message
    assert vault.got == [VALUE, "", VALUE]


def test_a_redirect_within_the_origin_gets_it_again(vault: Vault) -> None:
    outcome = vault.bearer(f"{vault.world.url}/echo?by=moved&to=/echo")
    assert vault.got == [VALUE, VALUE] and outcome.body == f"<{vault.placeholder}>".encode()
    # The server has put the value into the address, where the user hasn't allowed it.
    vault.save("header")
    outcome = vault.bearer(f"{vault.world.url}/echo?by=redirect&to=/echo")
    assert outcome.problem == "SecretRefused" and "the query" in outcome.message


def test_a_header_next_to_long_text_is_refused(vault: Vault) -> None:
    # A server that shows only the start of a header would show a part of the value.
    outcome = vault.world.ask(f"{vault.world.url}/echo", headers=[["X-A", "a" * 90 + vault.placeholder]])
    assert outcome.problem == "SecretRefused" and vault.got == []


def test_a_long_body_has_no_secret_and_passes_without_one(vault: Vault) -> None:
    long = b"a" * 9_000_000
    outcome = vault.world.ask(f"{vault.world.url}/a", method="POST", body=long + vault.placeholder.encode())
    assert outcome.problem == "SecretRefused" and "8,388,608" in outcome.message
    outcome = vault.world.ask(f"{vault.world.url}/a", method="POST", body=long)
    assert outcome.body == b"here" and vault.world.seen.bodies == [long]


def test_a_refusal_sends_nothing(vault: Vault) -> None:
    vault.world.person.refuses = True
    assert vault.bearer().problem == "ConsentRefused"
    assert vault.got == []


def test_another_origin_that_shows_the_value_later_is_masked_too(vault: Vault) -> None:
    vault.bearer()
    outcome = vault.world.ask(f"{vault.other}/echo", headers=[["X-A", "1"], ["Authorization", f"a {VALUE}"]])
    assert outcome.body == f"<{vault.placeholder}>".encode()


def test_an_origin_that_has_a_value_is_not_asked_for_parts(vault: Vault) -> None:
    url = f"{vault.world.url}/a"
    vault.world.ask(url, headers=[["Range", "bytes=0-3"]])
    vault.bearer()
    vault.world.ask(url, headers=[["Range", "bytes=0-3"]])
    assert [dict(each).get("range") for each in vault.world.seen.headers] == ["bytes=0-3", None]


@pytest.mark.parametrize("by", ["gzip", "deflate", "raw deflate", "twice"])
def test_compressed_answers_are_searched(vault: Vault, by: str) -> None:
    outcome = vault.bearer(f"{vault.world.url}/echo?by={by.replace(' ', '%20')}")
    assert outcome.body == f"<{vault.placeholder}>".encode()
    assert "content-encoding" not in outcome.headers and "content-encoding" not in outcome.remote_headers


def test_an_answer_that_cannot_be_searched_is_refused(vault: Vault) -> None:
    outcome = vault.bearer(f"{vault.world.url}/echo?by=br")
    assert (outcome.problem, outcome.body.count(VALUE.encode())) == ("AnswerUnreadable", 0)


def test_a_keyring_that_does_not_release_a_value_stops_what_could_show_it(
    vault: Vault, secret_access: SecretAccess, keyring: MemoryKeyring
) -> None:
    assert vault.world.ask(f"{vault.world.url}/a").body == b"here"
    vault.bearer()
    keyring.saved.clear()
    asyncio.run(secret_access.secrets.save("github", [vault.world.url], ["header"]))
    secret_access.secrets.forget_values()
    outcome = vault.world.ask(f"{vault.world.url}/a")
    assert outcome.problem == "SecretRefused" and "is gone" in outcome.message
