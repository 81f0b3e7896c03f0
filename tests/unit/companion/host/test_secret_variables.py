"""Secrets as variables of host commands: asked each time, and masked in what commands print and leave."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.secret_variables import divided
from tests.unit.companion.host.test_consent import Machine, home, policy, refusal
from tests.unit.companion.keyrings import MemoryKeyring, memory_keyring

__all__ = ["home", "policy"]
VALUE = "tok-aB3dE5gH7jK9mN1pQ3"


@pytest.fixture
def keyring() -> Iterator[MemoryKeyring]:
    with memory_keyring() as memory:
        yield memory


@pytest.fixture
async def machine(policy: HostPolicy, keyring: MemoryKeyring) -> AsyncIterator[Machine]:
    machine = Machine(policy)
    await machine.secrets.save("github", [], ["host"], VALUE)
    await machine.secrets.save("hidden", ["https://api.example.com"], ["header"], f"other-{VALUE}")
    await machine.opened()
    yield machine
    await machine.terminals.close()


async def printed(machine: Machine, command: str, decision: str = "once") -> bytes:
    """Run a command that the user is asked about, and return what it prints."""
    running = machine.asks("execute", terminal=1, command=command)
    await machine.person.decide(decision)
    text, ended = b"", False
    while not ended:
        output = await machine.does("output", terminal=1)
        text += base64.b64decode(output["stdout"]) + base64.b64decode(output["stderr"])
        ended = output["ended"]
    await running
    return text


@pytest.mark.parametrize(
    ("command", "names", "rest"),
    [
        ("GH_TOKEN=secret:github gh pr list", {"GH_TOKEN": "github"}, "gh pr list"),
        ("  A=secret:a B=secret:b-2  run it", {"A": "a", "B": "b-2"}, "run it"),
        ("A=secret:a", {}, "A=secret:a"),
        ("A=secret:a; echo", {}, "A=secret:a; echo"),
        ("A=secret:a'b' echo", {}, "A=secret:a'b' echo"),
        ("A=1 B=secret:b echo", {}, "A=1 B=secret:b echo"),
        ("echo A=secret:a b", {}, "echo A=secret:a b"),
    ],
)
def test_only_what_a_command_begins_with_is_a_secret(command: str, names: dict[str, str], rest: str) -> None:
    assert divided(command) == (names, rest)


async def test_a_command_has_the_value_after_a_question_that_names_it(machine: Machine) -> None:
    shown = await machine.is_asked_about(terminal=1, command="TOKEN=secret:github printenv TOKEN")
    assert shown["facts"]["secrets"] == {"TOKEN": "github"}
    assert shown["answers"] == ["once"]
    command = "TOKEN=secret:github echo ${#TOKEN}; printenv TOKEN; printenv TOKEN | base64 >&2"
    text = await printed(machine, command)
    assert text.startswith(b"22\n") and b"GITHUB" in text
    assert VALUE.encode() not in text and b"dG9rLWFCM" not in text


async def test_a_grant_of_an_hour_covers_no_command_with_a_secret(machine: Machine) -> None:
    await machine.grant("hour", "true")
    await machine.runs("true")
    await machine.is_asked_about(terminal=1, command="TOKEN=secret:github true")


async def test_the_next_command_has_no_value_and_prints_none(machine: Machine, tmp_path: Path) -> None:
    await printed(machine, "TOKEN=secret:github export COPY=$TOKEN OTHER=1; printenv TOKEN > saved")
    assert (tmp_path / "saved").read_text() == f"{VALUE}\n"
    text = await printed(machine, 'echo "[$TOKEN$COPY$OTHER]"; cat saved')
    assert text.startswith(b"[1]\n") and b"GITHUB" in text and VALUE.encode() not in text


@pytest.mark.parametrize(("name", "kind"), [("hidden", "SecretNotForThis"), ("none", "SecretUnknown")])
async def test_other_secrets_are_refused_without_a_question(machine: Machine, name: str, kind: str) -> None:
    asking = machine.asks("execute", terminal=1, command=f"TOKEN=secret:{name} printenv TOKEN")
    assert (await refusal(asking))["type"] == kind
    assert machine.person.asked == []


async def test_a_secret_that_was_deleted_during_the_question_starts_nothing(
    machine: Machine, tmp_path: Path
) -> None:
    asking = machine.asks("execute", terminal=1, command="TOKEN=secret:github touch made")
    shown = await machine.person.shown()
    await machine.secrets.delete("github")
    await asyncio.gather(machine.person.answer(shown["id"], "once"), refusal(asking))
    assert not (tmp_path / "made").exists()
