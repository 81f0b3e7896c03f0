"""Credentials of git servers: the user enters them, one origin gets them, and the kernel gets none."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import keyring
import keyring.backends.fail
import pytest

from gemini_companion.pages.consent import Entered
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.network.conftest import RIGHT, Outcome, World

UPLOAD, RECEIVE = "git-upload-pack", "git-receive-pack"
FETCHES = ["content-type", f"application/x-{UPLOAD}-request"]


@pytest.fixture(autouse=True)
def secrets() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


def entered(password: str = "secret", *, keep: bool = False) -> Entered:
    return Entered(user="ada", password=password, keep=keep)


def loopback(world: World) -> str:
    """Return the server's address that counts as encrypted, since nobody can listen there."""
    return f"http://127.0.0.1:{world.outside.main.number}"


def refs(world: World, service: str = UPLOAD, repository: str = "/private/a.git", **asked: Any) -> Outcome:
    return world.ask(f"{loopback(world)}{repository}/info/refs?service={service}", **asked)


def post(world: World, service: str = UPLOAD, repository: str = "/private/a.git") -> Outcome:
    headers = [["content-type", f"application/x-{service}-request"]]
    return world.ask(f"{loopback(world)}{repository}/{service}", method="POST", body=b"0000", headers=headers)


def authorizations(world: World) -> list[str | None]:
    return [dict(each).get("authorization") for each in world.seen.headers]


def test_a_fetch_signs_in_once(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    world.person.entries = [entered()]
    assert refs(world).body == post(world).body == post(world).body == b"objects"
    assert authorizations(world) == [None, RIGHT, RIGHT, RIGHT]
    assert world.person.kinds == ["network", "sign-in", "network", "network"]
    assert world.person.asked[1] == {
        "origin": loopback(world),
        "repository": f"{loopback(world)}/private/a.git",
        "access": "read",
        "rejected": False,
        "keyring": MemoryKeyring().name,
    }
    assert RIGHT not in caplog.text and "secret" not in caplog.text


def test_the_next_fetch_asks_again(world: World) -> None:
    world.person.entries = [entered()]
    assert refs(world).body == b"objects"
    assert refs(world).answer["status"] == 401
    assert authorizations(world) == [None, RIGHT, None]


def test_a_push_is_covered_once(world: World) -> None:
    world.person.entries = [entered()]
    assert refs(world, RECEIVE).body == post(world, RECEIVE).body == b"objects"
    assert world.person.asked[1]["access"] == "send"
    assert post(world, RECEIVE).answer["status"] == 401
    assert authorizations(world)[-1] is None


def test_saved_credentials_are_used_after_a_question(world: World, secrets: MemoryKeyring) -> None:
    world.person.entries = [entered(keep=True)]
    refs(world)
    origin = loopback(world)
    assert secrets.saved["control-surface", f"git {origin}"] == '{"user": "ada", "password": "secret"}'
    assert refs(world, RECEIVE).body == b"objects"
    assert world.person.kinds == ["network", "sign-in", "network", "credential"]
    repository = f"{origin}/private/a.git"
    assert world.person.asked[-1] == {
        "origin": origin, "repository": repository, "access": "send", "user": "ada"
    }  # fmt: skip


def test_refused_credentials_are_asked_for_again_and_not_saved(world: World, secrets: MemoryKeyring) -> None:
    world.person.entries = [entered("wrong", keep=True), entered("secret", keep=True)]
    assert refs(world).body == b"objects"
    assert [each["rejected"] for each in world.person.asked[1:]] == [False, True]
    assert "wrong" not in str(secrets.saved)


def test_old_saved_credentials_are_replaced(world: World, secrets: MemoryKeyring) -> None:
    secrets.saved["control-surface", f"git {loopback(world)}"] = '{"user": "ada", "password": "old"}'
    world.person.entries = [entered(keep=True)]
    assert refs(world).body == b"objects"
    assert world.person.kinds == ["network", "credential", "sign-in"] and world.person.asked[2]["rejected"]
    assert "old" not in str(secrets.saved)


def test_guessing_ends(world: World) -> None:
    world.person.entries = [entered(f"wrong{number}") for number in range(9)]
    outcome = refs(world)
    assert (outcome.answer["status"], outcome.body) == (401, b"who?")
    assert len(world.person.entries) == 6


def test_a_person_who_refuses_leaves_the_servers_answer(world: World) -> None:
    outcome = refs(world)
    assert (outcome.answer["status"], outcome.body) == (401, b"who?")
    assert world.person.kinds == ["network", "sign-in"]


def test_without_a_keyring_they_last_until_the_companion_ends(world: World) -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())
    world.person.entries = [entered(keep=True)]
    assert refs(world).body == refs(world).body == b"objects"
    assert world.person.asked[1]["keyring"] is None
    assert world.person.kinds == ["network", "sign-in", "network", "credential"]


@pytest.mark.parametrize("name", ["other.test", "outside.test"])
def test_a_redirect_to_another_origin_takes_none_along(world: World, name: str) -> None:
    world.names.known["other.test"] = [["127.0.0.1"]]
    world.seen.moved_to = f"http://{name}:{world.outside.main.number}/private/b.git/{UPLOAD}"
    world.person.entries = [entered(), entered()]
    refs(world)
    outcome = post(world)
    assert outcome.answer["status"] == 401 and outcome.answer["url"] == world.seen.moved_to
    assert authorizations(world) == [None, RIGHT, RIGHT, None]
    # An address on which others can listen isn't even asked about.
    assert world.person.kinds == ["network", "sign-in", "network", "network"]


def test_a_redirect_to_another_repository_asks_for_that(world: World) -> None:
    world.seen.moved_to = f"{loopback(world)}/private/b.git/{UPLOAD}"
    world.person.entries = [entered()]
    refs(world)
    assert post(world).answer["status"] == 401
    assert authorizations(world)[-1] is None
    assert [each["repository"] for each in world.person.asked if "repository" in each] == [
        f"{loopback(world)}/private/{name}.git" for name in "ab"
    ]


@pytest.mark.parametrize(
    "asked",
    [
        {"url": "/private/a.git/info/refs"},
        {"url": f"/private/a.git/info/refs?service={UPLOAD}&more=1"},
        {"url": f"/private/api?service={UPLOAD}"},
        {"url": f"/private/api?x=/info/refs&service={UPLOAD}"},
        {"url": f"/private/a.git/info/refs?service={UPLOAD}", "method": "HEAD"},
        {"url": f"/private/a.git/info/refs?service={UPLOAD}", "method": "DELETE"},
        {"url": "/private/a.git/info/refs?service=git-upload-archive"},
        {"url": f"/private/a.git/{UPLOAD}", "method": "POST"},
        {"url": f"/private/api?x=/{UPLOAD}", "method": "POST", "headers": [FETCHES]},
        {"url": f"/private/a.git/info/refs?service={UPLOAD}", "headers": [["Authorization", "Bearer mine"]]},
    ],
)  # fmt: skip
def test_other_requests_get_none(world: World, asked: dict[str, Any], secrets: MemoryKeyring) -> None:
    secrets.saved["control-surface", f"git {loopback(world)}"] = '{"user": "ada", "password": "secret"}'
    outcome = world.ask(loopback(world) + asked.pop("url"), **asked)
    assert outcome.answer["status"] == 401
    assert world.person.kinds == ["network"] and RIGHT not in authorizations(world)


def test_an_unencrypted_origin_gets_none(world: World, secrets: MemoryKeyring) -> None:
    for origin in (world.url, world.url.replace("http:", "https:")):
        secrets.saved["control-surface", f"git {origin}"] = '{"user": "ada", "password": "secret"}'
    outcome = world.ask(f"{world.url}/private/a.git/info/refs?service={UPLOAD}")
    assert outcome.answer["status"] == 401
    assert world.person.kinds == ["network"] and authorizations(world) == [None]


def test_a_public_repository_gets_none(world: World) -> None:
    world.person.entries = [entered()]
    refs(world)
    assert refs(world, repository="/public/a.git").body == b"here"
    assert post(world, repository="/public/a.git").body == b"here"
    assert authorizations(world)[2:] == [None, None]


def test_another_port_or_scheme_gets_none(world: World, secrets: MemoryKeyring) -> None:
    port = world.outside.main.number
    for origin in (f"http://127.0.0.1:{port + 1}", "http://127.0.0.1", f"https://127.0.0.1:{port}"):
        secrets.saved["control-surface", f"git {origin}"] = '{"user": "ada", "password": "secret"}'
    assert refs(world).answer["status"] == 401
    assert world.person.kinds == ["network", "sign-in"] and authorizations(world) == [None]
