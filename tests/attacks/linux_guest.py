"""Root of a booted Linux, who attacks the surroundings of its machine."""

from __future__ import annotations

import ipaddress
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.request import urlopen

import pytest

from gemini_companion.network import Fetcher, Reach
from gemini_companion.network.targets import Address
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.attacks.listener import Listener
from tests.attacks.outside import HOST, NAMES, Outside, outside_on_loopback
from tests.companions import companion_of, opened_by
from tests.web.linux_page import require_machine
from tests.web.person import Background, Person

# Names with private addresses, also next to a public one. `NAMES` lead to the server that the user may allow.
RESOLVED = {
    **dict.fromkeys(NAMES, ["127.0.0.1"]),
    "six.test": ["::1"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "cloud.test": ["169.254.169.254"],
    "home.test": ["192.168.1.1"],
    "mixed.test": ["1.1.1.1", "127.0.0.1"],
}
# The programs of the machine's first filesystem, which a system disk doesn't have.
BUSYBOX = "busybox=/proc/1/root/bin/busybox"
ANSWERED = "HTTP/1.1 200 "
ALLOWED = "once"
LIMIT_S = 100
# Until the proxy closes a connection that it still reads.
ANSWER_S = 20


class Root(Protocol):
    """Runs commands of root in a booted machine."""

    def run(self, command: str, *decisions: str) -> tuple[str, list[str]]:
        """Run a command, and answer its questions; return all that it printed, and the questions."""
        ...

    def speak(self, *texts: str, decisions: Sequence[str] = ()) -> tuple[str, list[str]]:
        """Send bytes to the proxy in one connection; return its answers, and the questions."""
        ...


@dataclass
class Guest:
    """A terminal of root in a booted machine.

    Args:
        surface: The page.
        terminal: The terminal's id.
    """

    surface: Surface
    terminal: str

    def run(self, command: str, *decisions: str) -> tuple[str, list[str]]:
        """Run a command, and answer its questions; return all that it printed, and the questions."""
        given = {"command": command, "terminal_id": self.terminal, "streams": True, "timeout_s": LIMIT_S}
        call = Background(self.surface, "terminal_execute", given)
        questions = Person(self.surface).answer_questions(call, *decisions or ("refuse",))
        done: dict[str, Any] = call.result()
        return done["stdout"] + done["stderr"], questions

    def speak(self, *texts: str, decisions: Sequence[str] = ()) -> tuple[str, list[str]]:
        """Send bytes to the proxy in one connection; return its answers, and the questions."""
        return self.run(speaking(*texts), *decisions)


@pytest.fixture(scope="module")
def reachable_of_module() -> Iterator[Outside]:
    with outside_on_loopback() as outside:
        yield outside


@pytest.fixture
def reachable(reachable_of_module: Outside) -> Outside:
    """Return the server that the user may allow."""
    reachable_of_module.reset()
    return reachable_of_module


@pytest.fixture(scope="module")
def private() -> Iterator[Listener]:
    """Run a server of this computer that no page may reach."""
    listener = Listener()
    with listener.listening():
        yield listener


@pytest.fixture(scope="module")
def guest(surface_dist: Path, browsers: BrowserPool, reachable_of_module: Outside) -> Iterator[Guest]:
    """Open a page with a machine, whose requests a companion fetches."""
    require_machine(surface_dist)
    fetcher = Fetcher(Reach(resolve, also={(HOST, reachable_of_module.port)}))
    with companion_of(surface_dist, network=fetcher) as companion, opened_by(companion, browsers) as surface:
        yield Guest(surface, surface.call("terminal_create", backend="linux")["terminal_id"])


async def resolve(host: str, port: int) -> Sequence[Address]:
    return [ipaddress.ip_address(each) for each in RESOLVED.get(host, ())]


def arrived(private: Listener) -> list[str]:
    """Return what has reached the private server, before a request of the test's own."""
    with urlopen(f"{private.url}/fence"):
        pass
    seen, private.seen = private.seen, []
    seen.remove("connection")
    seen.remove("/fence")
    return seen


def requested(reachable: Outside) -> list[str]:
    """Return what has reached the server that the user may allow."""
    return list(reachable.seen()[1])


def check_control(guest: Root, reachable: Outside) -> None:
    """The same way, a request that the user allows gets its answer."""
    printed, questions = guest.run(asking([f"{reachable.named}/own"]), ALLOWED)
    assert printed.startswith(ANSWERED) and len(questions) == 1, (printed, questions)
    assert requested(reachable)[-1] == "GET /own"


def check_none_answered(printed: str, targets: Sequence[str]) -> None:
    statuses = printed.splitlines()
    assert len(statuses) == len(targets), printed
    for status, target in zip(statuses, targets, strict=True):
        assert re.match(r"HTTP/1\.1 (400|403|502) ", status), (target, status)


def request(line: str, *headers: str, host: str = "x", body: str = "") -> str:
    """Return the text of a request, the last of its connection."""
    return "\r\n".join([line, f"Host: {host}", "Connection: close", *headers, "", body])


def speaking(*texts: str) -> str:
    """Return a command that sends bytes to the proxy, and prints its answer until it closes the connection."""
    text = "".join(texts).translate({0: r"\0000", 10: r"\n", 13: r"\r", 92: r"\\"})
    given = f"printf %b {shlex.quote(text)}"
    return f"exec 3<>/dev/tcp/127.0.0.1/3128 && {given} >&3; timeout {ANSWER_S} cat <&3; exec 3>&-"


def asking(targets: Sequence[str], *headers: str) -> str:
    """Return a command that asks the proxy for each target, and prints each answer's first line."""
    rest = "".join(f"{header}\\r\\n" for header in ("Host: x", "Connection: close", *headers))
    send = f"printf 'GET %s HTTP/1.1\\r\\n{rest}\\r\\n' \"$target\" >&3; read -r -t {ANSWER_S} line <&3"
    each = f'exec 3<>/dev/tcp/127.0.0.1/3128; line=none; {send}; echo "$line"; exec 3>&-'
    return f"for target in {' '.join(map(shlex.quote, targets))}; do {each}; done"
