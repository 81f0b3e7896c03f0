"""Calendars and contacts on a server of the user's own: Radicale, on loopback."""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

from gemini.core.protocol import Handler
from gemini.errors import GeminiError, ProtocolError, Refused
from gemini.personal import calendars, contacts
from gemini.personal.sync import Sync
from gemini_companion.dav import DavAccess, DavServers
from gemini_companion.dav.servers import server_at
from gemini_companion.models.key_file import KeyFile
from gemini_companion.models.keys import Keys
from gemini_companion.network import Fetcher
from gemini_companion.network.errors import AddressRefused, NetworkProblem
from gemini_companion.settings.dav import DavSettings
from tests.unit.companion.keyrings import memory_keyring

USER, PASSWORD = "ann", "grün tea: 7"


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def radicale(folder: Path) -> Generator[str]:
    """Run a server with one user; yield its address."""
    import radicale.app
    from radicale import config

    users = folder / "users"
    users.write_text(f"{USER}:{PASSWORD}\n")
    settings = config.load()
    settings.update(
        {
            "auth": {
                "type": "htpasswd",
                "htpasswd_filename": str(users),
                "htpasswd_encryption": "plain",
                "delay": 0,
            },
            "storage": {"filesystem_folder": str(folder / "collections")},
            "logging": {"level": "critical"},
        },
        "test",
        privileged=True,
    )
    logging.getLogger("radicale").setLevel(logging.CRITICAL)
    server: WSGIServer = make_server(
        "127.0.0.1", 0, cast("Any", radicale.app.Application(settings)), handler_class=Quiet
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class World:
    """A page's access to one server, which its person has added."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address, self.folder = address, folder
        self.servers = DavServers(folder / "servers.json", Keys(KeyFile(folder / "keys.json")))
        self.access = DavAccess(Fetcher(), self.servers)
        self.settings = DavSettings(self.servers, self.access).handlers()
        self.asked: list[Mapping[str, Any]] = []
        self.refuses = ""
        self.handlers: Mapping[str, Handler] = self.access.handlers(cast("Any", self))

    async def ask(self, kind: str, facts: Mapping[str, Any], words: Mapping[str, Any] | None = None) -> None:
        assert kind == "dav" and PASSWORD not in str(facts)
        self.asked.append(facts)
        if self.refuses == facts["access"]:
            raise Refused("the user refused")

    async def request(self, method: str, **params: Any) -> Any:
        return await cast("Any", self.handlers[method])(params)

    async def add(self, password: str = PASSWORD, user: str = USER) -> Any:
        given = {"address": self.address, "user": user, "password": password, "in_file": True}
        return await cast("Any", self.settings["settings/add_dav"])(given)

    async def make(self, name: str, kind: str) -> None:
        """Create a collection, as another program does."""
        types = {"calendar": '<c:calendar xmlns:c="urn:ietf:params:xml:ns:caldav"/>'}
        other = '<c:addressbook xmlns:c="urn:ietf:params:xml:ns:carddav"/>'
        body = (
            '<d:mkcol xmlns:d="DAV:"><d:set><d:prop><d:resourcetype><d:collection/>'
            f"{types.get(kind, other)}</d:resourcetype><d:displayname>{name}</d:displayname></d:prop></d:set></d:mkcol>"
        )
        async with self.access.client(self.servers.all()[0]) as client:
            made = client.send(
                "MKCOL", f"/{USER}/{name}/", {"content-type": "application/xml"}, body.encode()
            )
            async with made as (status, _, _):
                assert status == 201

    async def sync(self, name: str, device: str) -> tuple[Sync, Any]:
        found = (await self.request("dav/collections"))["collections"]
        [collection] = [each for each in found if each["name"] == name]
        sync = Sync(self.request, collection, str(self.folder / device))
        return sync, await sync.run()


@pytest.fixture
def world(tmp_path: Path) -> Generator[World]:
    with memory_keyring(), radicale(tmp_path) as address:
        yield World(address, tmp_path)


async def test_a_server_is_added_once_it_accepts_the_password(world: World) -> None:
    with pytest.raises(NetworkProblem, match="401"):
        await world.add("wrong password")
    assert world.servers.all() == []
    await world.add()
    [server] = world.servers.all()
    assert (server.user, server.url) == (USER, f"{world.address}/")
    # Neither the file nor any answer has the password.
    assert PASSWORD not in (world.folder / "servers.json").read_text()
    status = await cast("Any", world.settings["settings/dav"])({})
    assert PASSWORD not in str(status) and status["servers"][0]["name"] == server.name
    await cast("Any", world.settings["settings/remove_dav"])({"name": server.name})
    assert (await world.request("dav/collections")) == {"collections": []}


def test_a_password_is_sent_encrypted_or_to_this_computer() -> None:
    for address in ("http://192.168.0.7/dav", "http://cloud.example"):
        with pytest.raises(AddressRefused, match="unencrypted"):
            server_at(address, USER)
    assert server_at("cloud.example/dav", USER).url == "https://cloud.example/dav/"


async def test_two_devices_exchange_events(world: World) -> None:
    await world.add()
    await world.make("home", "calendar")
    phone, _ = await world.sync("home", "phone")
    tea = await calendars.add_event(
        "Tea", "2026-11-30T16:00[Europe/Berlin]", repeats="FREQ=DAILY;COUNT=3", path=phone.path
    )
    await calendars.remove(tea, phone.path, occurrence="2026-12-01T16:00+01:00", scope="this")
    await calendars.change_event(
        tea, occurrence="2026-12-02T16:00+01:00", scope="this", title="Coffee", path=phone.path
    )
    milk = await calendars.add_reminder("Milk", path=phone.path)
    _, pushed = await world.sync("home", "phone")
    assert (pushed["pushed"], pushed["conflicts"]) == (2, [])
    assert "Create " in world.asked[-1]["text"] and "SUMMARY:Coffee" in world.asked[-1]["text"]

    laptop, pulled = await world.sync("home", "laptop")
    assert (pulled["pulled"], pulled["pushed"]) == (2, 0)
    rows = await calendars.events("2026-11-01", "2027-01-01", laptop.path)
    assert [(row["start"], row["title"]) for row in rows] == [
        ("2026-11-30T16:00:00+01:00", "Tea"),
        ("2026-12-02T16:00:00+01:00", "Coffee"),
    ]
    await calendars.remove(milk, laptop.path)
    await calendars.change_event(tea, title="Green tea", path=laptop.path)
    assert (await world.sync("home", "laptop"))[1]["pushed"] == 2
    _, back = await world.sync("home", "phone")
    assert (back["pulled"], back["pushed"], back["conflicts"]) == (2, 0, [])
    assert (await calendars.event(tea, phone.path))["title"] == "Green tea"
    # Nothing is left to do.
    for device in ("phone", "laptop"):
        _, again = await world.sync("home", device)
        assert (again["pulled"], again["pushed"]) == (0, 0)


async def test_changes_on_both_sides_are_said_and_both_retained(world: World) -> None:
    await world.add()
    await world.make("home", "calendar")
    phone, _ = await world.sync("home", "phone")
    uids = [await calendars.add_event(title, "2026-11-30", path=phone.path) for title in ("A", "B", "C")]
    await world.sync("home", "phone")
    laptop, _ = await world.sync("home", "laptop")
    await calendars.change_event(uids[0], title="A of the phone", path=phone.path)
    await calendars.remove(uids[1], phone.path)
    await calendars.change_event(uids[2], title="C of the phone", path=phone.path)
    await calendars.change_event(uids[0], title="A of the laptop", path=laptop.path)
    await calendars.change_event(uids[1], title="B of the laptop", path=laptop.path)
    await calendars.remove(uids[2], laptop.path)
    await world.sync("home", "phone")
    _, result = await world.sync("home", "laptop")
    assert (
        sorted(each.partition(":")[2][:30] for each in result["conflicts"])
        == [
            " changed on both sides; your ve",
            " deleted here, but changed on t",
            " deleted on the server; your ve",
        ]
        or len(result["conflicts"]) == 3
    )
    titles = {row["title"] for row in await calendars.events("2026-11-30", "2026-12-01", laptop.path)}
    assert titles == {"A of the phone", "C of the phone"}
    retained = {
        row["title"] for row in await calendars.events("2026-11-30", "2026-12-01", laptop.conflicts_path)
    }
    assert retained == {"A of the laptop", "B of the laptop"}


async def test_contacts_of_every_script_go_through(world: World) -> None:
    await world.add()
    await world.make("people", "contacts")
    phone, _ = await world.sync("people", "phone")
    uid = await contacts.add_contact("山田 太郎", emails=["taro@example.jp"], path=phone.path)
    await contacts.add_contact("محمد علي", notes="شاي؛ أخضر", path=phone.path)
    assert (await world.sync("people", "phone"))[1]["pushed"] == 2
    laptop, _ = await world.sync("people", "laptop")
    assert {row["name"] for row in await contacts.contacts(path=laptop.path)} == {"山田 太郎", "محمد علي"}
    await contacts.change_contact(uid, phones=["+81 3 1234"], path=laptop.path)
    assert (await world.sync("people", "laptop"))[1]["pushed"] == 1
    await world.sync("people", "phone")
    assert (await contacts.contact(uid, phone.path))["phones"] == ["+81 3 1234"]


async def test_a_refusal_writes_nothing(world: World) -> None:
    await world.add()
    await world.make("home", "calendar")
    phone, _ = await world.sync("home", "phone")
    await calendars.add_event("Tea", "2026-11-30", path=phone.path)
    world.refuses = "write"
    with pytest.raises(Refused):
        await world.sync("home", "phone")
    world.refuses = ""
    assert (await world.sync("home", "laptop"))[1]["pulled"] == 0
    world.refuses = "read"
    with pytest.raises(Refused):
        await world.request("dav/collections")


async def test_python_reaches_only_items_of_the_persons_collections(world: World) -> None:
    await world.add()
    await world.make("home", "calendar")
    server = world.servers.all()[0].name
    inside = {"server": server, "path": f"/{USER}/home/"}
    change = {"name": "x.ics", "etag": "", "text": "x"}
    asked = len(world.asked)
    for params in (
        {**inside, "server": "other", "changes": [change]},
        {**inside, "path": f"/{USER}/", "changes": [change]},
        {**inside, "path": "/bob/home/", "changes": [change]},
        *(
            {**inside, "changes": [{**change, "name": name}]}
            for name in ("../x", "a/b", "..", "%2e%2e%2fx", "x?y", "/etc")
        ),
        {**inside, "changes": [{**change, "etag": "a\r\nx: y"}]},
    ):
        with pytest.raises((GeminiError, ProtocolError)):
            await world.request("dav/push", **params)
    assert len(world.asked) == asked
