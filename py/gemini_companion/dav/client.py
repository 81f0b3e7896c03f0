"""A client of CalDAV (RFC 4791) and CardDAV (RFC 6352): what a server has, and items by their ETags.

The library `caldav` isn't used: it knows no contacts, and its connections wouldn't be the network door's, which
reach checked addresses alone and follow no redirects.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from gemini_companion.dav.errors import DavFailed, DavServerUnknown
from gemini_companion.dav.servers import DavServer
from gemini_companion.dav.xml import CALDAV, CARDDAV, DAV, Entry, entries, multiget, propfind, same_path
from gemini_companion.network.credentials import Credential
from gemini_companion.network.fetching import Answer, Call, Fetcher
from gemini_companion.network.targets import parse, redirected
from gemini_companion.web.instances import reaching
from gemini_companion.web.reading import body_of

MOST_BYTES = 64 * 1024 * 1024
AT_ONCE = 100
XML = "application/xml; charset=utf-8"
TYPES = {"calendar": "text/calendar; charset=utf-8", "contacts": "text/vcard; charset=utf-8"}
WELL_KNOWN = ("/.well-known/caldav", "/.well-known/carddav")
REFUSED, GONE, CONFLICT = (401, 403), (404, 410), 412


@dataclass(frozen=True)
class Collection:
    """A calendar or an address book: its path on the server, its name and kind (`calendar` or `contacts`)."""

    path: str
    name: str
    kind: str


@dataclass(frozen=True)
class Item:
    """An event with its exceptions, a to-do or a card, with the ETag of its version."""

    path: str
    etag: str
    text: str


class DavClient:
    """The requests to one server.

    Args:
        fetcher: The door's connections.
        server: The server.
        credential: The user and password.
    """

    def __init__(self, fetcher: Fetcher, server: DavServer, credential: Credential) -> None:
        self._server = server
        self._target = server.target
        self._fetcher = reaching(fetcher, self._target)
        self._credential = credential

    async def aclose(self) -> None:
        """Close the connections."""
        await self._fetcher.aclose()

    async def collections(self) -> list[Collection]:
        """Return the calendars and address books of the user (RFC 6764, RFC 5397).

        Raises:
            NetworkProblem: The server can't be reached, refuses the user or is no such server.
        """
        found: dict[str, Collection] = {}
        for home in await self._homes():
            names = ("d:resourcetype", "d:displayname")
            for entry in await self._propfind(home, 1, *names):
                kind = _kind(entry)
                if kind:
                    name = (
                        entry.text(f"{{{DAV}}}displayname")
                        or unquote(entry.path.rstrip("/")).rpartition("/")[2]
                    )
                    found[entry.path] = Collection(entry.path, name, kind)
        return list(found.values())

    async def _homes(self) -> list[str]:
        start = self._target.target
        names = ("d:current-user-principal", "cal:calendar-home-set", "card:addressbook-home-set")
        for path in (start, *WELL_KNOWN):
            entry = await self._first(path, *names)
            principal = entry.path_in(f"{{{DAV}}}current-user-principal") if entry else ""
            if principal and not same_path(principal, path):
                entry = await self._first(principal, *names)
            homes = _homes_of(entry)
            if homes:
                return homes
        raise DavFailed(
            f"{self._server.url} has no calendars or contacts of {self._server.user}",
            hint="Type the address that the server's manual names for CalDAV.",
        )

    async def _first(self, path: str, *names: str) -> Entry | None:
        try:
            return next(iter(await self._propfind(path, 0, *names)), None)
        except DavFailed as problem:
            if problem.data and problem.data.get("status") in (*REFUSED,):
                raise
            return None

    async def etags(self, collection: Collection) -> dict[str, str]:
        """Return the ETag of each item of a collection, by its path."""
        found = await self._propfind(collection.path, 1, "d:getetag", "d:resourcetype")
        return {
            entry.path: entry.text(f"{{{DAV}}}getetag")
            for entry in found
            if not same_path(entry.path, collection.path) and entry.text(f"{{{DAV}}}getetag")
        }

    async def items(self, collection: Collection, paths: list[str]) -> list[Item]:
        """Return items by their paths. Those that are gone are left out."""
        space, name = (
            (CALDAV, "calendar-data") if collection.kind == "calendar" else (CARDDAV, "address-data")
        )
        found: list[Item] = []
        for at in range(0, len(paths), AT_ONCE):
            body = multiget(collection.kind, paths[at : at + AT_ONCE])
            answer = await self._multistatus("REPORT", collection.path, 1, body)
            for entry in answer:
                etag, text = entry.text(f"{{{DAV}}}getetag"), entry.text(f"{{{space}}}{name}")
                if text:
                    found.append(Item(entry.path, etag, text))
        return found

    async def put(self, collection: Collection, path: str, text: str, etag: str) -> str | None:
        """Write an item, if its version still matches the ETag; an empty one means a new item.

        Returns:
            The new ETag, empty if the server doesn't say it; None if the item has another version.
        """
        condition = {"if-match": etag} if etag else {"if-none-match": "*"}
        headers = {"content-type": TYPES[collection.kind], **condition}
        async with self.send("PUT", path, headers, text.encode()) as (status, answer, _):
            if status == CONFLICT:
                return None
            _require_done(status, "write")
            return next(iter(answer.values("etag")), "")

    async def delete(self, path: str, etag: str) -> bool:
        """Delete an item, if its version still matches the ETag; return False if it doesn't."""
        async with self.send("DELETE", path, {"if-match": etag}, None) as (status, _, _):
            if status == CONFLICT:
                return False
            if status not in GONE:
                _require_done(status, "delete")
            return True

    async def _propfind(self, path: str, depth: int, *names: str) -> list[Entry]:
        return await self._multistatus("PROPFIND", path, depth, propfind(*names))

    async def _multistatus(self, method: str, path: str, depth: int, body: bytes) -> list[Entry]:
        headers = {"content-type": XML, "depth": str(depth)}
        async with self.send(method, path, headers, body) as (status, _, content):
            _require_done(status, "read")
            return entries(content, path)

    @contextlib.asynccontextmanager
    async def send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> AsyncGenerator[tuple[int, Answer, bytes]]:
        """Send a request and yield the status, the answer and its body. A redirect leads to the same origin only."""
        target = parse(f"{self._target.origin}{path}")
        for _ in range(4):
            signed = [("authorization", self._credential.authorization), *headers.items()]
            data = None if body is None else _once(body)
            call = Call(method, target, signed, len(body or b""), data)
            async with self._fetcher.answer(call) as answer:
                content = await body_of(call, answer, MOST_BYTES)
                if answer.location is None:
                    yield answer.status, answer, content
                    return
                target = redirected(target.url, answer.location)
                if target.origin != self._target.origin:
                    raise DavFailed(
                        f"{self._target.origin} passes on to {target.origin}",
                        hint="Ask the user to add that address, if it is theirs.",
                    )
        raise DavFailed(f"{self._target.origin} redirects in circles")


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body


def item_path(collection: Collection, name: str) -> str:
    """Return the path of an item in a collection.

    Args:
        collection: The collection.
        name: The last part of the path, or the full path.

    Raises:
        DavServerUnknown: It is a path outside of the collection.
    """
    base = collection.path.rstrip("/") + "/"
    last = name.removeprefix(base)
    decoded = unquote(last)
    if (
        not decoded
        or decoded in (".", "..")
        or any(sign in decoded for sign in "/\\?#")
        or not decoded.isprintable()
    ):
        raise DavServerUnknown(f"{name[:80]!r} is no item of {collection.name}")
    return base + (last if name.startswith(base) else quote(last, safe="@"))


def _kind(entry: Entry) -> str:
    found = entry.properties.get(f"{{{DAV}}}resourcetype")
    types = set[str]() if found is None else {each.tag for each in found}
    if f"{{{CALDAV}}}calendar" in types:
        return "calendar"
    return "contacts" if f"{{{CARDDAV}}}addressbook" in types else ""


def _homes_of(entry: Entry | None) -> list[str]:
    names = (f"{{{CALDAV}}}calendar-home-set", f"{{{CARDDAV}}}addressbook-home-set")
    return [] if entry is None else list(dict.fromkeys(filter(None, (entry.path_in(name) for name in names))))


def _require_done(status: int, action: str) -> None:
    if 200 <= status < 300:
        return
    if status in REFUSED:
        hint = "Ask the user to check the user name and the password in the settings."
        raise DavFailed(
            f"the server doesn't let the user {action} it ({status})", hint=hint, data={"status": status}
        )
    raise DavFailed(
        f"the server answers with the status {status}", hint="Try again later.", data={"status": status}
    )
