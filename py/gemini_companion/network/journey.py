"""One request with its redirects, each origin of which the user is asked about."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from gemini.errors import Refused
from gemini_companion.admission.identity import companion_at
from gemini_companion.network import headers as rules
from gemini_companion.network.addresses import is_of_this_machine
from gemini_companion.network.description import READS, facts
from gemini_companion.network.errors import AddressRefused, ConsentRefused, HostSlow, RedirectRefused
from gemini_companion.network.fetching import Answer, Call, Fetcher
from gemini_companion.network.placing import Placing, Use
from gemini_companion.network.private_origins import PrivateOrigins
from gemini_companion.network.sign_in import Questions, SignIn
from gemini_companion.network.targets import ELSEWHERE, Address, redirected

UseAnswer = Callable[[Call, Answer], Awaitable[None]]
"""Uses the last answer of a journey, while its connection is open."""

WORDS_OF_CALLERS = ("tool", "caller", "run")
"""A request without any of these is of a command that the user has typed, as far as Python says."""


@dataclass
class Journey:
    """Sends a request and follows its redirects; the user is asked once for each origin and kind of access.

    Attributes:
        fetcher: Sends the requests.
        questions: Asks the user.
        words: Python's words about the request.
        redirect: As in fetch: `manual` treats a redirect as the last answer.
        sign_in: Adds the credentials of git servers.
        own: Headers of the companion itself, such as a key. No redirect passes them on, and they don't make a request
            count as sending, since no program has put them together.
        pace: Waits until the server may be asked, after the user has agreed.
        placing: Puts the user's secrets in place of placeholders.
    """

    fetcher: Fetcher
    questions: Questions
    words: Mapping[str, Any]
    redirect: Literal["follow", "error", "manual"] = "follow"
    sign_in: SignIn | None = None
    own: rules.Headers = field(default_factory=list[tuple[str, str]], repr=False)
    pace: Callable[[], Awaitable[None]] | None = None
    placing: Placing | None = None
    _allowed: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]], init=False)

    async def go(
        self, call: Call, use: UseAnswer, body: Callable[[], AsyncIterator[bytes]] | None = None
    ) -> None:
        """Send a request, once the user has agreed, and use its last answer.

        Args:
            call: The request.
            use: Uses the answer.
            body: Returns the pieces of the request's body, each time that it is sent.

        Raises:
            NetworkProblem: The user refused, or there is no answer.
        """
        origin, redirected = call.target.origin, False
        for _ in range(self.fetcher.limits.redirects + 1):
            self._require_typed(call)
            secrets = [] if self.placing is None else await self.placing.uses(call, redirected=redirected)
            await self._ask(call, secrets)
            await self._ask_for_private(call)
            following = await self._fetch(call, secrets, use, body)
            if following is None:
                return
            if following.target.origin != origin:
                self.own, redirected = [], True
            call = following
        raise RedirectRefused(
            f"{call.target.origin} redirects more than {self.fetcher.limits.redirects} times",
            hint="Check the URL.",
        )

    def _require_typed(self, call: Call) -> None:
        """Refuse a tool's request to this computer, unless the user has allowed the origin.

        Agents look for servers in the page, which may not have begun: they would ask for programs of this computer.
        What Python says of a request is no proof, so those that name no tool are asked about.

        Raises:
            AddressRefused: It is such a request.
        """
        target, private = call.target, self.fetcher.reach.private
        named = any(self.words.get(each) for each in WORDS_OF_CALLERS)
        if private is not None and target.is_loopback and named and not private.has(target.origin):
            raise AddressRefused(
                f"nothing in the page answers at {target.origin}, and this computer isn't reached this way",
                hint="Start the server in the page, or let the user type the command.",
            )

    async def _ask(self, call: Call, secrets: Sequence[Use]) -> None:
        known = facts(call)
        if secrets:
            rows = [{"name": each.name, "place": each.place} for each in secrets]
            known = {**known, "access": "send", "secrets": rows}
        need = (call.target.origin, str(known["access"]), *(each.name for each in secrets))
        if need in self._allowed:
            return
        try:
            await self.questions.ask("network", known, self.words)
        except Refused as refusal:
            raise self._not_sent(call, refusal) from None
        self._allowed.add(need)

    def _not_sent(self, call: Call, refusal: Refused) -> ConsentRefused:
        message, hint = refusal.message, refusal.hint
        # Without a tool, a run or a caller, the user reads the error of their own command.
        if not any(self.words.get(each) for each in WORDS_OF_CALLERS):
            message, hint = message.replace("the user", "you", 1), None
        return ConsentRefused(f"{call.method} {call.target.origin} was not sent: {message}", hint=hint)

    async def _ask_for_private(self, call: Call) -> None:
        """Ask whether an origin at a private address may be reached, each time that it isn't allowed yet."""
        private = self.fetcher.reach.private
        if private is None:
            return
        target = call.target
        # No name is looked up before the user has agreed to the request.
        addresses = await self.fetcher.reach.private_addresses(target)
        if not addresses:
            return
        # A program such as pip sends several requests at once.
        async with private.asking(target.origin):
            if not private.permits(target, addresses):
                await self._ask_for_origin(call, private, addresses)

    async def _ask_for_origin(
        self, call: Call, private: PrivateOrigins, addresses: Sequence[Address]
    ) -> None:
        target = call.target
        ours = any(is_of_this_machine(each) for each in addresses)
        asked = {**facts(call), "addresses": [str(each) for each in addresses], "here": ours}
        try:
            decision = await self.questions.ask("private-origin", asked, self.words, answers=("always",))
        except Refused as refusal:
            raise self._not_sent(call, refusal) from None
        if decision.decision != "always":
            raise self._not_sent(call, Refused("the user did not allow it"))
        if ours and await asyncio.to_thread(companion_at, target.port) is not None:
            raise AddressRefused(
                f"{target.origin} is a companion, which isn't reached this way", hint=ELSEWHERE
            )
        private.allow(target, addresses)

    async def _fetch(
        self,
        call: Call,
        secrets: Sequence[Use],
        use: UseAnswer,
        body: Callable[[], AsyncIterator[bytes]] | None,
    ) -> Call | None:
        """Use the answer, or return the next request: where it redirects to, or the same with credentials."""
        limits = self.fetcher.limits
        if self.pace is not None:
            await self.pace()
        pieces = body() if body is not None and call.size else None
        sending = Call(call.method, call.target, self._sign(call), call.size, pieces)
        if self.placing is not None:
            # The call itself has no value, so that no redirect, message or answer has one.
            sending = replace(await self.placing.fill(sending, secrets), placeholder=self.placing.placeholder)
        try:
            async with asyncio.timeout(limits.total_s), self.fetcher.answer(sending) as answer:
                if answer.location is not None and self.redirect != "manual":
                    return self._redirect(call, answer.status, answer.location)
                if self.sign_in is not None and await self.sign_in.answered(call, answer):
                    return call
                await use(call, answer)
                return None
        except TimeoutError:
            raise HostSlow(
                f"{call.target.origin} took more than {limits.total_s:g} s", hint="Ask for less at once."
            ) from None

    def _sign(self, call: Call) -> rules.Headers:
        # Not part of the call, so that no redirect passes it on.
        authorization = None if self.sign_in is None else self.sign_in.authorization(call)
        signature = [] if authorization is None else [("authorization", authorization)]
        return [*call.headers, *self.own, *signature]

    def _redirect(self, call: Call, status: int, location: str) -> Call:
        if self.redirect == "error":
            raise RedirectRefused(f"{call.target.origin} redirects, which the request forbids")
        local = self.fetcher.reach.private is not None
        target = redirected(call.target.url, location, local=local)
        self.fetcher.reach.require_possible(target)
        headers = call.headers if target.origin == call.target.origin else rules.plain(call.headers)
        # https://fetch.spec.whatwg.org/#http-redirect-fetch
        becomes_get = (status in (301, 302) and call.method == "POST") or (
            status == 303 and call.method not in READS
        )
        if not becomes_get:
            return Call(call.method, target, headers, call.size)
        return Call("GET", target, [each for each in headers if each[0] != "content-type"])
