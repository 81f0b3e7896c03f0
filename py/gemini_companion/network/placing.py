"""Puts the user's secrets into a request in place of their placeholders, or refuses the request."""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote, quote_plus

from gemini_companion.network.errors import SecretRefused
from gemini_companion.network.fetching import Call
from gemini_companion.network.headers import Headers
from gemini_companion.network.sign_in import conversation_of
from gemini_companion.secrets import Place, SecretProblem, Secrets, Visit
from gemini_companion.secrets.placeholders import ESCAPED, PREFIX, plain

Body = Callable[[], AsyncIterator[bytes]]
Escape = Callable[[str], str]
# A longer body can't have a placeholder, and escapes are looked for in shorter ones.
LARGEST_BODY, LARGEST_ESCAPED = 8 * 1024 * 1024, 1024 * 1024
# What else a header with a secret has, such as `Bearer`: a server that shows the start of a long header would show a
# part of the secret, which isn't found as such.
LONGEST_REST = 64
AUTHORIZATION = "authorization"
BASIC = re.compile(r"basic +([A-Za-z0-9+/_-]+=*)", re.IGNORECASE)
# With one of them a placeholder may begin.
BEGINNINGS = (PREFIX.encode(), b"%63", b"\\u0063")
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, order=True)
class Use:
    """A secret in a place of a request."""

    name: str
    place: Place


class Placing:
    """The secrets of one request of a page, with its redirects.

    Args:
        secrets: The user's secrets.
        visit: The placeholders of the page.
        body: Returns the pieces of the request's body, each time that it is sent.
    """

    def __init__(self, secrets: Secrets, visit: Visit, body: Body | None) -> None:
        self._secrets = secrets
        self._visit = visit
        self._body = body
        self._content: bytes | None = None

    def placeholder(self, name: str) -> str:
        """Return the text in place of a secret's value in answers."""
        return self._visit.placeholder(name)

    async def uses(self, call: Call, *, redirected: bool) -> list[Use]:
        """Return the secrets that a request is to get.

        Args:
            call: The request.
            redirected: Whether a redirect from another origin leads there.

        Raises:
            SecretRefused: A placeholder is where its secret may not be sent.
        """
        found = self._in_address(call) + self._in_headers(call) + _in(await self._read(call), "body")
        uses = {self._use(call, text, place) for text, place in found}
        if uses and redirected:
            raise _refusal(
                call, "a redirect to another origin gets no secret", "Request that address itself."
            )
        return sorted(uses)

    async def fill(self, call: Call, uses: Iterable[Use]) -> Call:
        """Return the request with the values, which the user has agreed to.

        Raises:
            SecretRefused: A value isn't available.
        """
        values: dict[str, str] = {}
        for use in uses:
            try:
                values[use.name] = await self._secrets.release(use.name, call.target.origin, use.place)
            except SecretProblem as problem:
                raise _refusal(call, problem.message, problem.hint) from None
        if not values:
            return call
        path, mark, query = call.target.target.partition("?")
        address = path + mark + self._fill(query, values, lambda value: quote(value, safe=""))
        headers = [(name, self._header(name, value, values)) for name, value in call.headers]
        filled = replace(call, target=replace(call.target, target=address), headers=headers)
        if not self._content:
            return filled
        escape = _escape_of(call.headers)
        content = _replace(self._content, lambda text: self._value(text, values, escape).encode())
        return replace(filled, size=len(content), body=_pieces(content))

    def _in_address(self, call: Call) -> list[tuple[str, Place]]:
        target = call.target
        path, _, query = target.target.partition("?")
        for where, text in (("host name", target.host), ("path", path)):
            if _placeholders(text.encode()):
                raise _refusal(
                    call,
                    f"a secret can't be in a URL's {where}",
                    "Send it in a header, the query or the body.",
                )
        return _in(query.encode(), "query")

    def _in_headers(self, call: Call) -> list[tuple[str, Place]]:
        found: list[tuple[str, Place]] = []
        for name, value in call.headers:
            if _placeholders(name.encode()):
                raise _refusal(call, "a secret can't be a header's name", "Send it as a header's value.")
            login = _login(name, value)
            text = value if login is None else login
            placeholders = _placeholders(text.encode("latin-1"))
            if len(text) - sum(map(len, placeholders)) > LONGEST_REST and placeholders:
                raise _refusal(
                    call,
                    f"the header {name} has more than {LONGEST_REST} characters next to a secret",
                    "Send them in another header.",
                )
            place: Place = "git" if name == AUTHORIZATION and _is_git(call) else "header"
            found.extend((each, place) for each in placeholders)
        return found

    def _use(self, call: Call, text: str, place: Place) -> Use:
        name = self._visit.name(text)
        if name is None:
            raise _refusal(
                call,
                f"{text[:12]}… is a placeholder of another visit, or of none",
                "Call secret(NAME) again: the placeholder is for this page until it is reloaded.",
            )
        try:
            self._secrets.get(name).require(call.target.origin, place)
        except SecretProblem as problem:
            raise _refusal(call, problem.message, problem.hint) from None
        return Use(name, place)

    async def _read(self, call: Call) -> bytes:
        """Return the body if it can have a placeholder."""
        if self._body is None or not call.size:
            return b""
        if call.size > LARGEST_BODY:
            await self._require_none(call, self._body)
            return b""
        if self._content is None:
            self._content = b"".join([piece async for piece in self._body()])
        return self._content

    async def _require_none(self, call: Call, body: Body) -> None:
        before = b""
        async for piece in body():
            text = before + piece
            if _placeholders(text):
                raise _refusal(
                    call,
                    f"a body of more than {LARGEST_BODY:,} bytes can't have a secret",
                    "Send the secret in a header, or less at once.",
                )
            before = text[-1024:]

    def _header(self, name: str, value: str, values: Mapping[str, str]) -> str:
        login = _login(name, value)
        if login is None or not _placeholders(login.encode("latin-1")):
            return self._fill(value, values, str)
        return "Basic " + base64.b64encode(self._fill(login, values, str).encode("latin-1")).decode()

    def _fill(self, text: str, values: Mapping[str, str], escape: Escape) -> str:
        filled = _replace(text.encode("latin-1"), lambda found: self._value(found, values, escape).encode())
        return filled.decode("latin-1")

    def _value(self, placeholder: str, values: Mapping[str, str], escape: Escape) -> str:
        return escape(values[self._visit.name(placeholder) or ""])


def _in(data: bytes, place: Place) -> list[tuple[str, Place]]:
    return [(text, place) for text in _placeholders(data)]


def _placeholders(data: bytes) -> list[str]:
    lower = data.lower()
    if not any(each in lower for each in BEGINNINGS if len(data) <= LARGEST_ESCAPED or each == BEGINNINGS[0]):
        return []
    return [plain(match[0]) for match in ESCAPED.finditer(data)]


def _replace(data: bytes, value: Callable[[str], bytes]) -> bytes:
    return ESCAPED.sub(lambda match: value(plain(match[0])), data) if _placeholders(data) else data


def _login(name: str, value: str) -> str | None:
    """Return the user and password of HTTP's basic authentication (RFC 7617), or None."""
    match = BASIC.fullmatch(value) if name == AUTHORIZATION else None
    if match is None:
        return None
    text = match[1].translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True).decode("latin-1")
    except binascii.Error:
        return None


def _is_git(call: Call) -> bool:
    others = [each for each in call.headers if each[0] != AUTHORIZATION]
    return conversation_of(replace(call, headers=others)) is not None


def _escape_of(headers: Headers) -> Escape:
    """Return what writes a value into a body of this type."""
    kind = dict(headers).get("content-type", "").partition(";")[0].strip().lower()
    if kind == FORM:
        return quote_plus
    if kind.endswith("json"):
        return lambda value: json.dumps(value)[1:-1]
    return html.escape if kind.endswith("xml") else str


async def _pieces(content: bytes) -> AsyncGenerator[bytes]:
    yield content


def _refusal(call: Call, why: str, hint: str | None) -> SecretRefused:
    return SecretRefused(f"{call.method} {call.target.origin} was not sent: {why}", hint=hint)
