"""Connects a browser that has no code, once the user has agreed on one of two ways.

    POST /entrance/pair         {key}            → {pairing, number, shown, seconds}
    POST /entrance/pair/code    {pairing, code}  → {state}
    POST /entrance/pair/state   {pairing}        → {state}
    POST /entrance/pair/cancel  {pairing}        → {state}

The companion's terminal shows a code, which the user types into the page that asks (`shown` says whether it has a
terminal). And pages that are connected ask the user, with `number`, which the page that asks shows, too. `state` is
`waiting`, `connected` or `over`. None of these answers has a token: the browser then returns by its key,
which only it can sign with (`gemini_companion.admission.admission`).
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gemini.errors import GeminiError, Refused
from gemini_companion.admission.known_browsers import require_key

LASTS_S = 120.0
# Wrong codes until a request ends: with `MOST_IN_SPAN`, one guess in two million is right within a span.
TRIES = 5
CODE_DIGITS, NUMBER_DIGITS = 8, 4
# Any process of the machine can ask, so requests are few.
AT_ONCE, MOST_IN_SPAN, SPAN_S = 3, 10, 600.0
# The words for a browser come from this list alone, so that no request puts its own into a terminal or a question.
BROWSERS = (
    ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip

State = Literal["waiting", "connected", "over"]
Announce = Callable[[str], None]
AskPages = Callable[[Mapping[str, Any]], Awaitable[bool]]


class PairingRefused(GeminiError):
    """A request to connect a browser isn't accepted; `status` is of HTTP."""

    status = 403


class TooManyPairings(PairingRefused):
    """Too many browsers ask."""

    status = 429


class WrongCode(PairingRefused):
    """The code isn't the one that the terminal shows."""


@dataclass
class Pairing:
    """A browser that asks to be connected.

    Attributes:
        key: Its public key.
        origin: The origin of its page.
        code: The code that the terminal shows.
        number: The number that the page and the questions show.
        until: The end of its validity, by the monotonic clock.
    """

    key: str
    origin: str
    until: float
    code: str = field(default_factory=lambda: _digits(CODE_DIGITS), repr=False)
    number: str = field(default_factory=lambda: _digits(NUMBER_DIGITS))
    tries: int = TRIES
    state: State = "waiting"
    asking: asyncio.Task[None] | None = None

    def end(self, state: State) -> None:
        """Set the last state, and withdraw the questions."""
        self.state = state
        if self.asking is not None and self.asking is not asyncio.current_task():
            self.asking.cancel()


class Pairings:
    """The browsers that ask.

    Args:
        admit: Remembers a browser, by its public key and origin.
        ask: Asks the user at connected pages, and returns whether they agree at one.
    """

    def __init__(self, admit: Callable[[str, str], object], ask: AskPages) -> None:
        # Shows a line in the companion's terminal; None without one.
        self.announce: Announce | None = None
        self._admit = admit
        self._ask = ask
        self._known: dict[str, Pairing] = {}
        self._begun: list[float] = []

    def begin(self, key: str, origin: str, agent: str) -> dict[str, Any]:
        """Show the code in the terminal, ask at connected pages, and return the number that the page shows.

        Args:
            key: The browser's public key.
            origin: The origin of its page.
            agent: The request's `User-Agent`, which names the browser in its own words.

        Raises:
            TooManyPairings: Others ask, or have asked too often.
            ValueError: `key` isn't a public key.
        """
        self._require_room()
        require_key(key)
        name = secrets.token_urlsafe(16)
        pairing = self._known[name] = Pairing(key, origin, time.monotonic() + LASTS_S)
        browser, clock = browser_name(agent), time.strftime("%H:%M")
        if self.announce is not None:
            self.announce(
                f"{clock}: {browser} asks to connect at {origin}. If it is yours, type this code into its page within "
                f"{LASTS_S / 60:.0f} minutes: {pairing.code[:4]} {pairing.code[4:]}"
            )
        facts = {"browser": browser, "origin": origin, "asked": clock, "number": pairing.number}
        pairing.asking = asyncio.create_task(self._ask_person(pairing, facts))
        return {
            "pairing": name,
            "number": pairing.number,
            "shown": self.announce is not None,
            "seconds": int(LASTS_S),
        }

    def enter(self, name: str, code: str) -> State:
        """Connect the browser if the code is the terminal's. A request takes few codes, and each connects once.

        Raises:
            WrongCode: It isn't.
        """
        pairing = self._find(name)
        if pairing is None or pairing.state != "waiting" or self.announce is None:
            return "over" if pairing is None else pairing.state
        pairing.tries -= 1
        typed = re.sub(r"[\s-]", "", code)
        if not hmac.compare_digest(typed.encode(), pairing.code.encode()):
            if pairing.tries == 0:
                pairing.end("over")
            raise WrongCode(
                "That isn't the code that the companion's terminal shows for this page.",
                hint="Start over: it shows another one." if pairing.tries == 0 else "Type the latest one.",
            )
        self._connect(pairing)
        return pairing.state

    def state(self, name: str) -> State:
        """Return the state of a request; `over` if it is unknown."""
        pairing = self._find(name)
        return "over" if pairing is None else pairing.state

    def cancel(self, name: str) -> State:
        """End a request."""
        pairing = self._find(name)
        if pairing is not None and pairing.state == "waiting":
            pairing.end("over")
        return self.state(name)

    async def _ask_person(self, pairing: Pairing, facts: Mapping[str, Any]) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LASTS_S):
                if await self._ask(facts) and pairing.state == "waiting":
                    self._connect(pairing)

    def _connect(self, pairing: Pairing) -> None:
        self._admit(pairing.key, pairing.origin)
        pairing.end("connected")

    def _require_room(self) -> None:
        now = time.monotonic()
        self._begun = [each for each in self._begun if now - each < SPAN_S]
        waiting = [each for each in self._known.values() if each.state == "waiting" and now <= each.until]
        if len(waiting) >= AT_ONCE or len(self._begun) >= MOST_IN_SPAN:
            raise TooManyPairings(
                "Too many browsers have asked to connect.",
                hint="Wait ten minutes, or open an address that the companion's command prints.",
            )
        self._begun.append(now)
        self._known = {name: each for name, each in self._known.items() if now - each.until < SPAN_S}

    def _find(self, name: str) -> Pairing | None:
        pairing = self._known.get(name)
        if pairing is not None and pairing.state == "waiting" and time.monotonic() > pairing.until:
            pairing.end("over")
        return pairing


async def ask_pages(asks: Iterable[Coroutine[Any, Any, Any]]) -> bool:
    """Return whether the user agrees at one of several pages, which withdraws the other questions.

    Args:
        asks: The questions, each of which raises `Refused` without an agreement.
    """
    questions = {asyncio.create_task(each) for each in asks}
    try:
        for question in asyncio.as_completed(questions):
            with contextlib.suppress(Refused):
                await question
                return True
    finally:
        for each in questions:
            each.cancel()
        await asyncio.gather(*questions, return_exceptions=True)
    return False


def browser_name(agent: str) -> str:
    """Return a browser's name from its `User-Agent`, such as `Firefox on Linux`."""
    browser = next((name for part, name in BROWSERS if part in agent), "A browser")
    system = next((name for part, name in SYSTEMS if part in agent), None)
    return browser if system is None else f"{browser} on {system}"


def _digits(count: int) -> str:
    return f"{secrets.randbelow(10**count):0{count}}"
