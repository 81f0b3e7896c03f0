"""Saved credentials of git servers: hostile requests, servers and settings get none that the user hasn't agreed to."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import keyring
import keyring.backends.fail
import pytest

from gemini_companion.network.credentials import Credential, Credentials
from tests.tiers import sampled
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring
from tests.unit.companion.network.conftest import (
    RIGHT,
    Outcome,
    World,
    limits,
    private_origins,
    saved,
    secret_access,
    world,
)
from tests.unit.companion.network.test_sign_in import (
    RECEIVE,
    UPLOAD,
    authorizations,
    entered,
    loopback,
    post,
    refs,
)

__all__ = ["limits", "private_origins", "saved", "secret_access", "world"]
TYPE = ["content-type", f"application/x-{UPLOAD}-request"]
REFS = f"info/refs?service={UPLOAD}"


@pytest.fixture(autouse=True)
def secrets() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


def agreed(world: World, secrets: MemoryKeyring) -> None:
    """Save credentials, and have the user agree to read one repository: the control of each attack."""
    secrets.saved["control-surface", f"git {loopback(world)}"] = '{"user": "ada", "password": "secret"}'
    assert refs(world).body == post(world).body == b"objects"
    assert world.person.kinds == ["network", "credential", "network"]
    assert authorizations(world) == [None, RIGHT, RIGHT]
    world.seen.headers.clear()
    world.person.kinds.clear()
    # From here on, the user agrees to nothing more.
    world.person.refuses = True


def attempt(world: World, url: str, **asked: Any) -> Outcome:
    """Send a request that the network's question would let pass."""
    world.person.refuses = False
    try:
        ask = world.person.ask

        async def only_network(kind: str, *rest: Any) -> Any:
            world.person.refuses = kind != "network"
            return await ask(kind, *rest)

        world.person.ask = only_network  # type: ignore[method-assign]
        return world.ask(url, **asked)
    finally:
        world.person.ask = ask  # type: ignore[method-assign]
        world.person.refuses = True


# Requests to the origin whose repository the user has agreed to read, `{url}`.
REQUESTS: dict[str, dict[str, Any]] = {
    "another repository": {"url": f"/private/b.git/{REFS}"},
    "another repository, by its objects": {"url": f"/private/b.git/{UPLOAD}", "method": "POST", "headers": [TYPE]},
    "another service": {"url": f"/private/a.git/info/refs?service={RECEIVE}"},
    "a push after reading": {
        "url": f"/private/a.git/{RECEIVE}", "method": "POST",
        "headers": [["content-type", f"application/x-{RECEIVE}-request"]],
    },
    "a service that isn't git's": {"url": "/private/a.git/info/refs?service=git-upload-archive"},
    "the server's own interface": {"url": "/private/api/user"},
    "the interface, with git's query": {"url": f"/private/api/user?service={UPLOAD}"},
    "the interface, with git's path in the query": {"url": f"/private/api/user?x=/{REFS}"},
    "a query with objects": {"url": f"/private/a.git/{UPLOAD}?action=delete", "method": "POST", "headers": [TYPE]},
    "an empty query with objects": {"url": f"/private/a.git/{UPLOAD}?", "method": "POST", "headers": [TYPE]},
    "a header of its own": {
        "url": f"/private/a.git/{UPLOAD}", "method": "POST", "headers": [TYPE, ["x-sudo", "root"]],
    },
    "an order in a header": {
        "url": f"/private/a.git/{UPLOAD}", "method": "POST", "headers": [TYPE, ["x-original-url", "/admin"]],
    },
    "two types": {
        "url": f"/private/a.git/{UPLOAD}", "method": "POST", "headers": [["content-type", "application/json"], TYPE],
    },
    "a type with more": {
        "url": f"/private/a.git/{UPLOAD}", "method": "POST", "headers": [[TYPE[0], f"{TYPE[1]}, application/json"]],
    },
    "a form": {"url": f"/private/a.git/{UPLOAD}", "method": "POST", "headers": [["content-type", "text/plain"]]},
    "its own authorization": {"url": f"/private/a.git/{REFS}", "headers": [["authorization", "Bearer mine"]]},
    "deleting": {"url": f"/private/a.git/{REFS}", "method": "DELETE"},
    "another case": {"url": f"/private/A.git/{REFS}"},
    "more slashes": {"url": f"/private//a.git/{REFS}"},
    "an encoded slash": {"url": f"/private/b.git%2F..%2Fa.git/{REFS}"},
    "dots": {"url": f"/private/a.git/../b.git/{REFS}"},
    "one dot": {"url": f"/private/./a.git/{REFS}"},
    "encoded dots": {"url": f"/private/a.git/%2e%2E/b.git/{REFS}"},
    "half encoded dots": {"url": f"/private/a.git/.%2e/b.git/{UPLOAD}", "method": "POST", "headers": [TYPE]},
}  # fmt: skip


@pytest.mark.parametrize("attack", [each for each in REQUESTS if "dot" in each])
def test_a_path_has_one_spelling(world: World, attack: str) -> None:
    asked = dict(REQUESTS[attack])
    outcome = world.ask(loopback(world) + asked.pop("url"), **asked)
    assert outcome.problem == "AddressRefused" and world.person.kinds == [] and world.seen.lines == []


# Spellings of `127.0.0.1:{port}`, whose credentials are saved.
HOSTS = {
    "a user": "http://ada@127.0.0.1:{port}",
    "a user that looks like a host": "http://127.0.0.1:{port}@outside.test",
    "two dots": "http://127.0.0.1.:{port}",
    "fewer numbers": "http://127.1:{port}",
    "hexadecimal": "http://0x7f.0.0.1:{port}",
    "one number": "http://2130706433:{port}",
    "inside of IPv6": "http://[::ffff:127.0.0.1]:{port}",
    "a name for it": "http://outside.test:{port}",
    "a scheme in capitals": "HTTP://127.0.0.1:{port}",
    "another scheme": "https://127.0.0.1:{port}",
    "a port with zeros": "http://127.0.0.1:0{port}",
    "a backslash": "http://127.0.0.1:{port}\\@outside.test",
}


@pytest.mark.parametrize("attack", sampled([*REQUESTS, *HOSTS], every=6))
def test_a_request_gets_no_credentials_of_another(world: World, secrets: MemoryKeyring, attack: str) -> None:
    agreed(world, secrets)
    asked = dict(REQUESTS.get(attack, {"url": f"/private/a.git/{REFS}"}))
    origin = HOSTS.get(attack, "http://127.0.0.1:{port}").format(port=world.outside.main.number)
    body = b"0000" if asked.get("method") == "POST" else None
    attempt(world, origin + asked.pop("url"), body=body, **asked)
    assert RIGHT not in authorizations(world)
    assert attack in REQUESTS or "credential" not in world.person.kinds


# Where the server sends the objects' request that has credentials.
MOVES = {
    "a name for the same server": "http://outside.test:{port}/private/a.git/git-upload-pack",
    "its own interface": "http://127.0.0.1:{port}/private/api/user",
    "another repository": "http://127.0.0.1:{port}/private/b.git/git-upload-pack",
    "another repository by dots": "http://127.0.0.1:{port}/private/a.git/%2e%2e/b.git/git-upload-pack",
    "a push": "http://127.0.0.1:{port}/private/a.git/git-receive-pack",
    "with a user": "http://ada@127.0.0.1:{port}/private/a.git/git-upload-pack",
    "with a query": "http://127.0.0.1:{port}/private/a.git/git-upload-pack?delete=1",
}


@pytest.mark.parametrize("attack", sampled(MOVES))
def test_a_redirect_takes_no_credentials_along(world: World, secrets: MemoryKeyring, attack: str) -> None:
    agreed(world, secrets)
    world.seen.moved_to = MOVES[attack].format(port=world.outside.main.number)
    attempt(world, f"{loopback(world)}/private/a.git/{UPLOAD}", method="POST", body=b"0000", headers=[TYPE])
    # The first request is the one that the user has agreed to.
    assert authorizations(world)[:1] == [RIGHT] and RIGHT not in authorizations(world)[1:]


def test_deleted_credentials_are_gone_at_once(
    world: World, secrets: MemoryKeyring, saved: Credentials
) -> None:
    world.person.entries = [entered(keep=True)]
    assert refs(world).body == post(world).body == b"objects"
    asyncio.run(saved.delete(loopback(world)))
    world.seen.headers.clear()
    assert post(world).answer["status"] == 401
    assert authorizations(world) == [None]
    assert not any("secret" in each for each in secrets.saved.values())


def test_without_a_keyring_deleting_works_as_well(world: World, saved: Credentials) -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())
    world.person.entries = [entered(keep=True)]
    assert refs(world).body == b"objects"
    asyncio.run(saved.delete(loopback(world)))
    assert post(world).answer["status"] == 401


def test_another_caller_of_the_page_gets_no_push(world: World, secrets: MemoryKeyring) -> None:
    agreed(world, secrets)
    world.person.refuses = False
    assert refs(world, RECEIVE).body == post(world, RECEIVE).body == b"objects"
    # One answer covers one push.
    world.person.refuses = True
    world.seen.headers.clear()
    attempt(world, f"{loopback(world)}/private/a.git/{RECEIVE}", method="POST", body=b"0000",
        headers=[["content-type", f"application/x-{RECEIVE}-request"]])  # fmt: skip
    assert RIGHT not in authorizations(world)


def test_no_answer_log_or_error_has_the_secret(
    world: World, secrets: MemoryKeyring, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    agreed(world, secrets)
    world.seen.moved_to = "http://127.0.0.1:1/"
    outcomes = [refs(world), post(world), attempt(world, f"{loopback(world)}/private/b.git/{REFS}")]
    shown = (
        caplog.text + "".join(f"{each.headers}{each.body!r}" for each in outcomes) + str(world.person.asked)
    )
    assert "secret" not in shown and RIGHT not in shown and RIGHT.removeprefix("Basic ") not in shown
    assert "secret" not in repr(Credential("ada", "secret"))


def test_words_of_python_change_no_fact_of_a_sign_in(world: World) -> None:
    forged: dict[str, Any] = {
        "origin": "https://github.com",
        "repository": "https://github.com/ada/a",
        "user": "ada",
    }
    world.ask(
        f"{loopback(world)}/private/a.git/{REFS}", words={"tool": "git", **forged}, facts=forged, **forged
    )
    shown = [
        facts for kind, facts in zip(world.person.kinds, world.person.asked, strict=True) if kind == "sign-in"
    ]
    assert [(facts["origin"], facts["repository"]) for facts in shown] in (
        [], [(loopback(world), f"{loopback(world)}/private/a.git")],
    )  # fmt: skip
    assert refs(world) and world.person.kinds[-1] == "sign-in"


@pytest.mark.parametrize(
    "browser",
    [
        {"Origin": "http://evil.test"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate"},
    ],
    ids=str,
)
def test_a_page_in_a_tab_reaches_no_credentials(
    world: World, secrets: MemoryKeyring, browser: dict[str, str]
) -> None:
    agreed(world, secrets)
    outcome = world.ask(f"{loopback(world)}/private/a.git/{REFS}", fetched=browser)
    assert outcome.status in (400, 403) and world.person.kinds == [] and authorizations(world) == []
