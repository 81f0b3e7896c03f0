"""Credentials for git's requests: the companion adds them after a server has asked for them, and the user has agreed.

The kernel never gets them. They reach one origin only, and only by the requests of git's protocol
(https://git-scm.com/docs/http-protocol), which clone, fetch and push, but do nothing else with a user's account.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from gemini.errors import Refused
from gemini_companion.network.credentials import Credential, Credentials
from gemini_companion.network.fetching import Answer, Call
from gemini_companion.network.headers import PLAIN
from gemini_companion.pages.consent import Grant
from gemini_companion.storage.system_keyring import keyring_name

PUSH = "git-receive-pack"
SERVICES = ("git-upload-pack", PUSH)
START = "/info/refs"
# After that many credentials that the server refuses, the caller gets the refusal.
MAX_ATTEMPTS = 3
# Enough for the objects of a large repository; later requests ask again.
LASTS_S = 600.0
UNAUTHORIZED, FIRST_FAILURE = 401, 400
# What git sends (https://git-scm.com/docs/http-protocol).
HEADERS = PLAIN | {"content-type", "content-encoding", "git-protocol"}
BASIC = re.compile(rb"(^|,)\s*basic\b", re.IGNORECASE)


class Questions(Protocol):
    """Asks the user at a page (see `gemini_companion.pages.consent`)."""

    async def ask(
        self,
        kind: str,
        facts: Mapping[str, Any],
        words: Mapping[str, Any] | None = None,
        answers: Sequence[Grant] | None = None,
    ) -> Any:
        """Ask the user, and wait for the answer. Raises Refused."""
        ...


@dataclass(frozen=True)
class Conversation:
    """The requests of one fetch or push: one for the refs, then those that exchange objects.

    Attributes:
        origin: The server's origin.
        repository: The URL of the repository.
        service: One of `SERVICES`.
    """

    origin: str
    repository: str
    service: str


@dataclass
class _SignedIn:
    credential: Credential
    keeps: bool
    since: float


Signed = MutableMapping[Conversation, _SignedIn]


class SignIns:
    """The agreements of the users at pages.

    Args:
        credentials: The saved credentials.
    """

    def __init__(self, credentials: Credentials) -> None:
        self.credentials = credentials
        # An answer lasts for one conversation of one page.
        self._signed: WeakKeyDictionary[Questions, Signed] = WeakKeyDictionary()
        credentials.on_delete(self._forget)

    def of(self, questions: Questions, words: Mapping[str, Any]) -> SignIn:
        """Return the state for one request of a page, with its redirects."""
        return SignIn(self.credentials, questions, words, self._signed.setdefault(questions, {}))

    def _forget(self, origin: str) -> None:
        """End the conversations of an origin, which hold its credentials, too."""
        for signed in self._signed.values():
            for conversation in [each for each in signed if each.origin == origin]:
                del signed[conversation]


class SignIn:
    """Signs in for one request.

    Args:
        credentials: The saved credentials.
        questions: Asks the user.
        words: Python's words about the request.
        signed: The conversations of the page that are signed in.
    """

    def __init__(
        self, credentials: Credentials, questions: Questions, words: Mapping[str, Any], signed: Signed
    ) -> None:
        self._credentials = credentials
        self._questions = questions
        self._words = words
        self._signed = signed
        self._attempts = 0
        self._fresh: Conversation | None = None

    def authorization(self, call: Call) -> str | None:
        """Return the header's value for a request that is about to be sent, or None."""
        conversation = conversation_of(call)
        if conversation is None:
            return None
        signed = self._signed.get(conversation)
        # A new conversation begins without credentials, so that public repositories never get any.
        begins = call.method == "GET" and conversation != self._fresh
        if signed is None or begins or time.monotonic() - signed.since > LASTS_S:
            self._signed.pop(conversation, None)
            return None
        return signed.credential.authorization

    async def answered(self, call: Call, answer: Answer) -> bool:
        """Handle the answer to a request; return True if there are new credentials to send it again with."""
        conversation = conversation_of(call)
        if conversation is None:
            return False
        signed = self._signed.get(conversation)
        if answer.status != UNAUTHORIZED:
            if signed is not None and answer.status < FIRST_FAILURE:
                await self._accepted(conversation, signed)
            # A push is one request; a fetch can take several.
            if call.method == "POST" and conversation.service == PUSH:
                self._signed.pop(conversation, None)
            return False
        self._signed.pop(conversation, None)
        if not _wants_password(answer) or self._attempts >= MAX_ATTEMPTS:
            return False
        self._attempts += 1
        try:
            self._signed[conversation] = await self._ask(conversation, rejected=signed is not None)
        except Refused:
            return False
        self._fresh = conversation
        return True

    async def _accepted(self, conversation: Conversation, signed: _SignedIn) -> None:
        if signed.keeps:
            signed.keeps = False
            await self._credentials.save(conversation.origin, signed.credential)

    async def _ask(self, conversation: Conversation, *, rejected: bool) -> _SignedIn:
        access = "send" if conversation.service == PUSH else "read"
        facts = {"origin": conversation.origin, "repository": conversation.repository, "access": access}
        saved = None if rejected else await self._credentials.find(conversation.origin)
        if saved is not None:
            await self._questions.ask("credential", {**facts, "user": saved.user}, self._words)
            return _SignedIn(saved, keeps=False, since=time.monotonic())
        facts |= {"rejected": rejected, "keyring": await asyncio.to_thread(keyring_name)}
        entered = (await self._questions.ask("sign-in", facts, self._words)).entered
        if entered is None:
            raise Refused("the user entered nothing")
        return _SignedIn(Credential(entered.user, entered.password), entered.keep, since=time.monotonic())


def conversation_of(call: Call) -> Conversation | None:
    """Return the conversation that a request belongs to; None if the door adds no credentials to it."""
    target = call.target
    headers = dict(call.headers)
    # As in browsers, an address that others on the network can listen to gets no secret.
    trusted = target.scheme == "https" or (target.address is not None and target.address.is_loopback)
    # Servers could take other headers, or the first of two, as orders that aren't git's.
    if not trusted or len(headers) != len(call.headers) or not HEADERS.issuperset(headers):
        return None
    path = target.target.partition("?")[0]
    for service in SERVICES:
        starts = call.method == "GET" and path.endswith(START) and target.query == f"service={service}"
        posts = (
            path == target.target
            and path.endswith(f"/{service}")
            and headers.get("content-type") == f"application/x-{service}-request"
        )
        if starts or (call.method == "POST" and posts):
            end = START if starts else f"/{service}"
            return Conversation(target.origin, target.origin + path.removesuffix(end), service)
    return None


def _wants_password(answer: Answer) -> bool:
    return any(name.lower() == b"www-authenticate" and BASIC.search(value) for name, value in answer.headers)
