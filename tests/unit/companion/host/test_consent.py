"""The user's consent to commands, shells and keys, by the companion's own facts; attacks on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from gemini.core.protocol import Connection
from gemini.errors import ProtocolError
from gemini_companion.host.consent import HOUR_S, Clock, HostConsent
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.secret_variables import HostSecrets
from gemini_companion.host.terminals import HostTerminals
from gemini_companion.secrets import Secrets
from tests.tiers import in_turn
from tests.unit.companion.people import PATIENCE_S, PersonAtPage, Row


class StoppedClock(Clock):
    """A clock that a test advances; the time of day can also be set alone."""

    def __init__(self) -> None:
        self.of_day = 1_800_000_000.0
        self.ticks = 0.0

    def now(self) -> float:
        return self.of_day

    def monotonic(self) -> float:
        return self.ticks

    def advance(self, seconds: float) -> None:
        self.of_day += seconds
        self.ticks += seconds


class Machine:
    """A page's Python, its person, and the host terminals between them."""

    def __init__(self, policy: HostPolicy, *, attended: bool = True) -> None:
        self.person = PersonAtPage(attended=attended)
        self.clock = StoppedClock()
        self.consent = HostConsent(self.person.questions, clock=self.clock)
        self.secrets = Secrets(policy.directories[0] / "secrets")
        self.terminals = HostTerminals(policy, self.consent, secrets=HostSecrets(self.secrets, str.upper))
        self._python = Connection(self._to_companion, {})
        handlers = {**self.terminals.handlers(), **self.consent.handlers()}
        self._companion = Connection(self._python.receive, handlers)

    def _to_companion(self, text: str) -> None:
        self._companion.receive(text)

    def asks(self, method: str, **params: Any) -> asyncio.Task[Any]:
        return asyncio.create_task(self._python.request(f"host/{method}", params))

    async def does(self, method: str, **params: Any) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            return await self.asks(method, **params)

    async def opened(self) -> int:
        """Open a terminal of the user's own, so that no grant is needed."""
        press = (await self.does("press"))["press"]
        return (await self.does("open", press=press))["terminal"]

    async def runs(self, command: str, terminal: int = 1) -> None:
        """Run a command to its end, without any question."""
        running = self.asks("execute", terminal=terminal, command=command)
        while not (await self.does("output", terminal=terminal))["ended"]:
            pass
        await running

    async def is_asked_about(self, method: str = "execute", **params: Any) -> Row:
        """Refuse the question that a request causes, and return what was shown."""
        asking = self.asks(method, **params)
        shown = await self.person.decide("refuse")
        assert (await refusal(asking))["type"] == "Refused"
        return shown

    async def grant(self, decision: str, command: str, terminal: int = 1) -> Row:
        """Run a command that gets this grant."""
        running = asyncio.create_task(self.runs(command, terminal))
        shown = await self.person.decide(decision)
        await running
        return shown


async def refusal(asking: asyncio.Task[Any]) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(ProtocolError) as raised:
            await asking
    return raised.value.data["data"]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def policy(tmp_path: Path) -> HostPolicy:
    return HostPolicy(allowed=True, directories=(tmp_path,), grace_s=0.5)


@pytest.fixture
async def machine(policy: HostPolicy) -> AsyncIterator[Machine]:
    machine = Machine(policy)
    yield machine
    await machine.terminals.close()


async def test_facts_are_the_companions_own_and_words_are_apart(machine: Machine, tmp_path: Path) -> None:
    words = {"tool": "file_read", "effect": "read", "arguments": {"command": "ls"}}
    opening = machine.asks("open", working_dir=".", words=words)
    shown = await machine.person.decide("once")
    terminal = (await opening)["terminal"]
    assert shown["kind"] == "host" and shown["words"] == words
    assert shown["facts"] == {
        "action": "open", "command": "bash", "directory": str(tmp_path), "program": None,
        "until": "2027-01-15T09:00:00.000Z",
    }  # fmt: skip
    shown = await machine.is_asked_about(terminal=terminal, command="rm -r .", words=words)
    assert (shown["facts"]["action"], shown["facts"]["command"]) == ("run", "rm -r .")
    shown = await machine.is_asked_about("write", terminal=terminal, data="rm -r .\r", words=words)
    assert (shown["facts"]["action"], shown["facts"]["command"]) == ("type", "rm -r .\r")
    assert shown["answers"] == ["once", "hour"]


async def test_nothing_happens_before_the_answer_or_after_a_refusal(machine: Machine, tmp_path: Path) -> None:
    await machine.opened()
    asking = machine.asks("execute", terminal=1, command="touch made")
    shown = await machine.person.shown()
    assert list(tmp_path.iterdir()) == []
    await machine.person.answer(shown["id"], "refuse")
    assert (await refusal(asking))["message"] == "the user refused"
    await machine.grant("once", "touch made")
    assert [each.name for each in tmp_path.iterdir()] == ["made"]
    await machine.is_asked_about(terminal=1, command="touch made")


@pytest.mark.parametrize(
    ("granted", "others"),
    [("run", ("write", "open")), ("type", ("execute", "open")), ("open", ("execute", "write"))],
)
async def test_an_hour_covers_one_action(machine: Machine, granted: str, others: tuple[str, ...]) -> None:
    requests: dict[str, dict[str, Any]] = {
        "execute": {"terminal": 1, "command": "true"},
        "write": {"terminal": 1, "data": "\x15"},
        "open": {},
    }
    await machine.opened()
    method = {"run": "execute", "type": "write", "open": "open"}[granted]
    if granted == "run":
        await machine.grant("hour", "true")
        await machine.runs("true")
    else:
        first = machine.asks(method, **requests[method])
        await machine.person.decide("hour")
        await first
        await machine.does(method, **requests[method])
    assert [row["action"] for row in machine.consent.rows()] == [granted]
    for other in others:
        await machine.is_asked_about(other, **requests[other])


@pytest.mark.parametrize("way", ["both", "of-day", "monotonic"])
async def test_an_hour_ends_at_the_time_shown(machine: Machine, way: str) -> None:
    await machine.opened()
    shown = await machine.grant("hour", "true")
    assert machine.consent.rows()[0]["until"] == shown["facts"]["until"]
    machine.clock.advance(HOUR_S - 1)
    await machine.runs("true")
    if way != "monotonic":
        machine.clock.of_day += 2
    if way != "of-day":
        machine.clock.ticks += 2
    assert machine.consent.rows() == []
    await machine.is_asked_about(terminal=1, command="true")


async def test_a_clock_that_is_set_back_does_not_extend_an_hour(machine: Machine) -> None:
    await machine.opened()
    await machine.grant("hour", "true")
    machine.clock.advance(HOUR_S + 1)
    machine.clock.of_day -= 2 * HOUR_S
    await machine.is_asked_about(terminal=1, command="true")


async def test_a_grant_is_revoked_alone_or_with_all(machine: Machine) -> None:
    await machine.opened()
    await machine.grant("program", "ls -l")
    await machine.grant("hour", "true")
    by_program, hour = machine.consent.rows()
    await machine.does("revoke", grant=hour["id"])
    await machine.is_asked_about(terminal=1, command="true")
    await machine.runs("ls")
    assert machine.consent.rows() == [by_program]
    await machine.does("revoke")
    await machine.is_asked_about(terminal=1, command="ls")


async def test_a_program_grant_covers_all_arguments_in_its_directory(
    machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "sub").mkdir()
    await machine.opened()
    shown = await machine.grant("program", "ls -l")
    assert shown["answers"] == ["once", "program", "hour"]
    assert shown["facts"]["program"].endswith("/ls")
    await machine.runs("ls -a 'a b' *.py")
    await machine.runs("/usr/bin/ls")
    await machine.grant("once", "cd sub")
    await machine.is_asked_about(terminal=1, command="ls -l")


# Each runs, or may run, something other than the program that its first word names.
WAYS_AROUND = {
    "semicolon": "ls; touch made",
    "newline": "ls\ntouch made",
    "carriage-return": "ls\r\ntouch made",
    "and": "ls && touch made",
    "background": "ls & touch made",
    "pipe": "ls | xargs touch",
    "substitution": "ls $(touch made)",
    "backticks": "ls `touch made`",
    "process": "ls <(touch made)",
    "redirection": "ls > made",
    "here-string": "ls <<< made",
    "in-quotes": 'ls "$(touch made)"',
    "ansi-quotes": "ls $'\\n' touch",
    "variable": "ls ${x:=made}",
    "arithmetic": "ls $((made=1))",
    "assignment": "LD_PRELOAD=./evil.so ls",
    "path-assignment": "PATH=. ls",
    "escape": "ls \\\ntouch made",
    "quoted-name": "'ls'x",
    "split-name": "l''s",
    "function": "ls() { touch made; }",
    "comment": "ls # made",
    "brace": "{ ls; }",
    "subshell": "(ls)",
    "negation": "! ls",
    "history": "ls !!",
    "tilde": "ls ~root",
    "unfinished": "ls 'made",
    "null": "ls \x00touch",
    "escape-code": "ls \x1b[2J",
    "bidi": "ls \u202egnp",
    "env": "env ls",
    "exec": "exec ls",
    "command": "command ls",
    "time": "time ls",
    "sudo": "sudo ls",
    "xargs": "xargs ls",
    "shell": "sh -c ls",
    "local": "./ls",
    "parent": "../bin/ls",
}


@in_turn("command", WAYS_AROUND.values(), ids=WAYS_AROUND)
async def test_a_program_grant_can_not_be_bypassed(machine: Machine, command: str) -> None:
    await machine.opened()
    await machine.grant("program", "ls")
    shown = await machine.is_asked_about(terminal=1, command=command)
    assert shown["facts"]["command"] == command and shown["facts"]["program"] is None
    assert shown["answers"] == ["once", "hour"]


@in_turn(
    "command",
    [
        "git status",
        "git -c core.pager='touch made' log",
        "python3 -c 1",
        "bash -c ls",
        "make",
        "find . -exec touch made +",
        "awk 1",
        "sort -o made x",
        "uniq x made",
        "tar --to-command=sh -xf x",
        "vim x",
        "less x",
        "sed e",
        "date -s 0",
        "tee made",
        "nice ls",
        "timeout 1 ls",
        "printf -v PATH .",
        "eval ls",
        "source x",
        "unknown-program",
    ],
)
async def test_a_program_that_may_start_others_or_write_is_not_offered(
    machine: Machine, command: str
) -> None:
    await machine.opened()
    shown = await machine.is_asked_about(terminal=1, command=command)
    assert shown["facts"]["program"] is None and "program" not in shown["answers"]


# Each makes bash run another `ls` the next time.
POISONS = {
    "path": "export PATH=$PWD:$PATH",
    "function": "ls() { touch made; }; export -f ls",
    "startup-file": "echo 'touch made' > rc; export BASH_ENV=$PWD/rc",
    "preload": "export LD_PRELOAD=$PWD/evil.so",
    "options": "export SHELLOPTS",
    "unset": "unset PATH",
}


@pytest.mark.parametrize("poison", POISONS.values(), ids=POISONS)
async def test_a_poisoned_environment_ends_a_program_grant(machine: Machine, poison: str) -> None:
    await machine.opened()
    await machine.grant("program", "ls")
    await machine.grant("once", poison)
    shown = await machine.is_asked_about(terminal=1, command="ls")
    assert shown["facts"]["program"] is None


async def test_a_program_in_the_persons_own_folder_is_not_offered(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "ls"
    fake.write_text("#!/bin/sh\ntouch made\n")
    fake.chmod(0o777)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    await machine.opened()
    shown = await machine.is_asked_about(terminal=1, command="ls")
    assert shown["facts"]["program"] is None
    link = tmp_path / "cat"
    link.symlink_to("/usr/bin/env")
    shown = await machine.is_asked_about(terminal=1, command="cat touch made")
    assert shown["facts"]["program"] is None


async def test_an_answer_counts_for_the_directory_that_was_shown(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    await machine.opened()
    await machine.grant("program", "ls")
    moving = machine.asks("execute", terminal=1, command="cd sub")
    mover = await machine.person.shown()
    await machine.person.answer(mover["id"], "hour")
    while not (await machine.does("output", terminal=1))["ended"]:
        pass
    await moving
    await machine.does("revoke")
    late = machine.asks("execute", terminal=1, command="rm -r .")
    shown = await machine.person.shown()
    assert shown["facts"]["directory"] == str(tmp_path / "sub")
    # An action with another consent moves the terminal meanwhile.
    back = asyncio.create_task(machine.terminals._find(_Of(1)).execute("cd ..", None))  # pyright: ignore
    while not (await machine.does("output", terminal=1))["ended"]:
        pass
    await back
    await machine.person.answer(shown["id"], "once")
    assert "since the user was asked" in (await refusal(late))["message"]
    assert (tmp_path / "sub").is_dir()


class _Of:
    def __init__(self, terminal: int) -> None:
        self.terminal = terminal


async def test_a_cancelled_request_runs_nothing_when_it_is_answered(machine: Machine, tmp_path: Path) -> None:
    await machine.opened()
    asking = machine.asks("execute", terminal=1, command="touch made")
    shown = await machine.person.shown()
    asking.cancel()
    await asyncio.wait([asking])
    with pytest.raises(ProtocolError, match="no question with this id"):
        await machine.person.answer(shown["id"], "hour")
    assert machine.person.withdrawn == [shown["id"]]
    assert machine.consent.rows() == [] and list(tmp_path.iterdir()) == []


async def test_an_answer_covers_the_requests_that_wait(machine: Machine, tmp_path: Path) -> None:
    await machine.opened()
    typed = [machine.asks("write", terminal=1, data=key) for key in "true\r"]
    await machine.person.decide("hour")
    await asyncio.gather(*typed)
    assert len(machine.person.asked) == 1


async def test_a_refusal_also_refuses_the_requests_that_wait(machine: Machine) -> None:
    await machine.opened()
    typed = [machine.asks("write", terminal=1, data=key) for key in "rm *\r"]
    await machine.person.decide("refuse")
    assert {(await refusal(each))["type"] for each in typed} == {"Refused"}
    assert len(machine.person.asked) == 1
    await machine.is_asked_about("write", terminal=1, data="x")


async def test_what_a_caller_is_refused_unasked_refuses_no_other(machine: Machine) -> None:
    await machine.opened()
    first, second = (machine.asks("write", terminal=1, data=key) for key in "ab")
    await machine.person.decide("refuse", until=4_000_000_000_000)
    refused = await refusal(first)
    assert (
        refused["type"] == "Refused" and "refused without a question until 2096-10-02" in refused["message"]
    )
    await machine.person.decide("once")
    await second


async def test_a_flood_of_requests_is_refused(machine: Machine) -> None:
    await machine.opened()
    typed = [machine.asks("write", terminal=1, data="x") for _ in range(100)]
    await machine.person.shown()
    done, waiting = await asyncio.wait(typed, timeout=0)
    async with asyncio.timeout(PATIENCE_S):
        while len(done) < 60:
            done, waiting = await asyncio.wait(typed, return_when=asyncio.FIRST_COMPLETED, timeout=1)
    assert len(machine.person.asked) == 1 and waiting
    for each in waiting:
        each.cancel()
    await asyncio.wait(waiting)


async def test_without_a_person_everything_is_refused(policy: HostPolicy, tmp_path: Path) -> None:
    machine = Machine(policy, attended=False)
    assert "nobody is at the page" in (await refusal(machine.asks("open")))["message"]
    await machine.opened()
    for method, params in (("execute", {"command": "touch made"}), ("write", {"data": "touch made\r"})):
        assert (await refusal(machine.asks(method, terminal=1, **params)))["type"] == "Refused"
    assert list(tmp_path.iterdir()) == []
    await machine.terminals.close()


async def test_a_grant_is_for_one_page_only(policy: HostPolicy) -> None:
    one, other = Machine(policy), Machine(policy)
    await one.opened()
    await other.opened()
    await one.grant("hour", "true")
    await other.is_asked_about(terminal=1, command="true")
    for each in (one, other):
        await each.terminals.close()


async def test_grants_from_before_text_from_outside_do_not_count_after_it(machine: Machine) -> None:
    await machine.opened()
    await machine.grant("hour", "true")
    machine.consent.taint(True)
    await machine.grant("hour", "true")
    await machine.runs("true")
    machine.consent.taint(False)
    await machine.runs("true")


async def test_a_press_opens_one_terminal_and_only_its_keys_need_no_consent(machine: Machine) -> None:
    press = (await machine.does("press"))["press"]
    terminal = (await machine.does("open", press=press))["terminal"]
    await machine.does("keys", press=press, data="echo k''eys\r")
    printed = ""
    async with asyncio.timeout(PATIENCE_S):
        while "keys\r\n" not in printed:
            printed += (await machine.does("read", terminal=terminal))["data"]
    assert machine.person.asked == []
    await machine.is_asked_about("open", press=press)
    await machine.is_asked_about("write", terminal=terminal, data="x")
    for forged in ("", "1", press + "x"):
        assert (await refusal(machine.asks("keys", press=forged, data="x")))["type"] == "TerminalMissing"
    assert (await refusal(machine.asks("signal", terminal=terminal, signal="KILL")))["type"] == "Refused"
    await machine.does("close", terminal=terminal)
    assert (await refusal(machine.asks("keys", press=press, data="x")))["type"] == "TerminalMissing"


async def test_a_press_sends_no_keys_to_a_terminal_that_python_opened(machine: Machine) -> None:
    opening = machine.asks("open")
    await machine.person.decide("once")
    await opening
    press = (await machine.does("press"))["press"]
    assert (await refusal(machine.asks("keys", press=press, data="x")))["type"] == "TerminalMissing"
