"""A page's access to the user's servers of calendars and contacts.

Python in the page sends:

    dav/collections {words?} -> {collections: [{server, path, name, kind}]}
    dav/changes {server, path, known, words?} -> {changed: [{path, etag, text}], gone: [path]}
    dav/push {server, path, changes: [{name, etag, text}], words?} -> {results: [{name, path, etag, done}]}

`known` has the ETag of each item by its path. A change without a text deletes the item, one without an ETag creates it;
`done` is false if the server has another version. Passwords never reach the page. Reading asks the user by server,
writing with all that is written. `words` are Python's, never checked.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from typing import Annotated, Any

from pydantic import Field

from gemini.core.protocol import Handler
from gemini_companion.dav.client import Collection, DavClient, item_path
from gemini_companion.dav.errors import DavServerUnknown
from gemini_companion.dav.servers import DavServer, DavServers
from gemini_companion.network.credentials import Credential
from gemini_companion.network.fetching import Fetcher
from gemini_companion.network.sign_in import Questions
from gemini_companion.pages.parameters import MethodParams, validated

Row = dict[str, Any]
KIND = "dav"
Name = Annotated[str, Field(min_length=1, max_length=1_000)]
Etag = Annotated[str, Field(max_length=400, pattern=r"^[\x21-\x7e ]*$")]


class CollectionsParams(MethodParams):
    """The parameters of `dav/collections`."""

    words: dict[str, Any] = {}


class ChangesParams(MethodParams):
    """The parameters of `dav/changes`."""

    server: Name
    path: Name
    known: dict[str, Etag] = {}
    words: dict[str, Any] = {}


class ChangeParams(MethodParams):
    """A change of an item."""

    name: Name
    etag: Etag = ""
    text: Annotated[str | None, Field(max_length=1_000_000)] = None


class PushParams(MethodParams):
    """The parameters of `dav/push`."""

    server: Name
    path: Name
    changes: Annotated[list[ChangeParams], Field(min_length=1, max_length=500)]
    words: dict[str, Any] = {}


class DavAccess:
    """Access to servers of calendars and contacts, for all pages.

    Args:
        fetcher: The network door's connections.
        servers: The servers of the user.
    """

    def __init__(self, fetcher: Fetcher, servers: DavServers) -> None:
        self._fetcher = fetcher
        self._servers = servers

    def handlers(self, questions: Questions) -> Mapping[str, Handler]:
        """Return the request methods of one page, for `gemini.core.protocol.Connection`.

        Args:
            questions: Asks the user at the page.
        """

        async def collections(params: CollectionsParams) -> Row:
            rows: list[Row] = []
            for server in self._servers.all():
                await questions.ask(KIND, _facts(server, "read"), params.words)
                async with self.client(server) as client:
                    rows += [_row(server, each) for each in await client.collections()]
            return {"collections": rows}

        async def changes(params: ChangesParams) -> Row:
            server = self._servers.get(params.server)
            await questions.ask(KIND, _facts(server, "read"), params.words)
            async with self.client(server) as client:
                collection = await _collection(client, params.path)
                return await _changes(client, collection, params.known)

        async def push(params: PushParams) -> Row:
            server = self._servers.get(params.server)
            async with self.client(server) as client:
                collection = await _collection(client, params.path)
                paths = [item_path(collection, each.name) for each in params.changes]
                facts = {
                    **_facts(server, "write"),
                    "collection": collection.name,
                    "text": _describe(params.changes),
                }
                await questions.ask(KIND, facts, params.words)
                results = [
                    await _push(client, collection, path, each)
                    for path, each in zip(paths, params.changes, strict=True)
                ]
                return {"results": results}

        return {
            "dav/collections": validated(CollectionsParams, collections),
            "dav/changes": validated(ChangesParams, changes),
            "dav/push": validated(PushParams, push),
        }

    async def check(self, server: DavServer, password: str) -> list[Collection]:
        """Return what a server has for a user and password. Raises NetworkProblem if they aren't accepted."""
        client = DavClient(self._fetcher, server, Credential(server.user, password))
        async with contextlib.aclosing(client):
            return await client.collections()

    @contextlib.asynccontextmanager
    async def client(self, server: DavServer) -> AsyncGenerator[DavClient]:
        """Yield a client of a server, signed in."""
        client = DavClient(self._fetcher, server, await self._servers.credential(server))
        async with contextlib.aclosing(client):
            yield client


def _facts(server: DavServer, access: str) -> Row:
    return {"server": server.url, "user": server.user, "access": access}


def _row(server: DavServer, collection: Collection) -> Row:
    return {"server": server.name, "path": collection.path, "name": collection.name, "kind": collection.kind}


def _describe(changes: list[ChangeParams]) -> str:
    """Return all that would be sent, as the question shows it."""
    parts: list[str] = []
    for each in changes:
        action = "Delete" if each.text is None else "Change" if each.etag else "Create"
        parts.append(f"{action} {each.name}\n{each.text or ''}".rstrip())
    return "\n\n".join(parts)


async def _collection(client: DavClient, path: str) -> Collection:
    for each in await client.collections():
        if each.path == path:
            return each
    raise DavServerUnknown(
        f"the server has no calendar or contacts at {path[:80]!r}", hint="List the collections."
    )


async def _changes(client: DavClient, collection: Collection, known: Mapping[str, str]) -> Row:
    etags = await client.etags(collection)
    different = [path for path, etag in etags.items() if known.get(path) != etag]
    found = await client.items(collection, different)
    changed = [
        {"path": item.path, "etag": item.etag or etags.get(item.path, ""), "text": item.text}
        for item in found
    ]
    return {"changed": changed, "gone": [path for path in known if path not in etags]}


async def _push(client: DavClient, collection: Collection, path: str, change: ChangeParams) -> Row:
    if change.text is None:
        return {"name": change.name, "path": path, "etag": "", "done": await client.delete(path, change.etag)}
    etag = await client.put(collection, path, change.text, change.etag)
    return {"name": change.name, "path": path, "etag": etag or "", "done": etag is not None}
