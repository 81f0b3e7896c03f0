"""Requests to sites, which the page that shows them answers."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from gemini.errors import ProtocolError
from gemini_companion.admission.guard import Guard
from gemini_companion.serving.site_relay import MOST_SITES, SiteRelay, SiteRequests

LABEL, OTHER = "a" * 32, "b" * 32
OWN = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}
FRAME = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
Page = Callable[[str, Any], Awaitable[Any]]


async def files(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b"file"})


class Client:
    """Sends requests to an application, as a browser does."""

    def __init__(self) -> None:
        self.relay = SiteRelay()
        self.app: Any = SiteRequests(self.relay, files)
        self.left = asyncio.Event()

    async def get(
        self,
        path: str = "/project/x",
        label: str = LABEL,
        body: bytes = b"",
        method: str = "GET",
        headers: dict[str, str] | None = None,
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Return the start of the answer, and its pieces."""
        named = {
            "host": f"{label}.localhost:1",
            **(headers or {}),
        }
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
            "headers": [(name.encode(), text.encode()) for name, text in named.items()],
        }  # fmt: skip
        sent: list[dict[str, Any]] = []
        bodies = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if bodies:
                return bodies.pop()
            await self.left.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        return sent[0], [each["body"] for each in sent[1:]]

    async def serve(self, page: Page, label: str = LABEL) -> Any:
        async def request(method: str, params: Any) -> Any:
            return await page(method, params)

        sites = self.relay.of_page(request)
        await sites.handlers()["sites/serve"]({"label": label})
        return sites


@pytest.fixture
async def client() -> Client:
    return Client()


def answer(piece: bytes, *, ends: bool = True, status: int = 200) -> dict[str, Any]:
    headers = [["Content-Type", "text/plain"], ["x-own", "ä"]]
    return {
        "status": status,
        "headers": headers,
        "content": 7,
        "piece": base64.b64encode(piece).decode(),
        "ends": ends,
    }


async def test_the_page_gets_the_request_and_its_answer_arrives(client: Client) -> None:
    asked: list[Any] = []

    async def page(method: str, params: Any) -> Any:
        asked.append((method, params))
        return answer(b"text")

    await client.serve(page)
    start, pieces = await client.get(
        "/project/a%20b?x=1",
        method="POST",
        body=b"sent",
        headers=OWN
        | {"cookie": "a=1", "accept": "text/*", "referer": "http://x/", "x-one": "1", "sec-ch-ua": "x"},
    )
    assert start["status"] == 200
    assert start["headers"] == [(b"content-type", b"text/plain"), (b"x-own", "ä".encode("latin-1"))]
    assert pieces == [b"text"]
    assert asked == [
        ("sites/request", {
            "label": LABEL, "path": "/project/a%20b", "search": "?x=1", "method": "POST", "is_document": False,
            "headers": [["accept", "text/*"], ["x-one", "1"]], "body": base64.b64encode(b"sent").decode(),
        })
    ]  # fmt: skip


async def test_content_arrives_in_pieces(client: Client) -> None:
    pieces = [b"one", b"two", b""]

    async def page(method: str, params: Any) -> Any:
        if method == "sites/request":
            return answer(b"", ends=False)
        assert (method, params) == ("sites/more", {"content": 7})
        piece = pieces.pop(0)
        return {"piece": base64.b64encode(piece).decode(), "ends": not pieces}

    await client.serve(page)
    assert (await client.get(headers=FRAME))[1] == [b"", b"one", b"two", b""]


async def test_a_client_that_leaves_ends_the_content(client: Client) -> None:
    ended = asyncio.Event()

    async def page(method: str, params: Any) -> Any:
        if method == "sites/request":
            return answer(b"one", ends=False)
        if method == "sites/more":
            client.left.set()
            await asyncio.Event().wait()
        assert (method, params) == ("sites/end", {"content": 7})
        return ended.set()

    await client.serve(page)
    await client.get(headers=OWN)
    assert ended.is_set()


REFUSED = {
    "a script of another site": {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "script",
    },
    "a page of its own": {
        "sec-fetch-site": "none",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    },
    "another label": {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"},
    "a prefetch of a frame": {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "iframe",
    },
    "a worker": {"sec-fetch-site": "cross-site", "sec-fetch-mode": "same-origin", "sec-fetch-dest": "worker"},
    "another program": {},
}


@pytest.mark.parametrize("why", REFUSED)
async def test_only_the_site_itself_and_frames_get_an_answer(client: Client, why: str) -> None:
    async def page(method: str, params: Any) -> Any:
        return answer(b"secret")

    await client.serve(page)
    start, pieces = await client.get(headers=REFUSED[why])
    assert start["status"] == 403
    assert b"secret" not in b"".join(pieces)
    for allowed in (OWN, FRAME):
        assert (await client.get(headers=allowed))[1] == [b"secret"]


@pytest.mark.parametrize(
    "path", ["/host.html", "/host.js", "/worker.js", "/gemini-page.js", "/gemini-page-screenshot.js"]
)
async def test_the_hosts_own_files_are_never_the_pages(client: Client, path: str) -> None:
    async def page(method: str, params: Any) -> Any:
        return answer(b"forged")

    await client.serve(page)
    assert (await client.get(path, headers=OWN))[1] == [b"file"]
    assert (await client.get(f"/project{path}", headers=OWN))[1] == [b"forged"]


async def test_another_label_is_nobodys(client: Client) -> None:
    async def page(method: str, params: Any) -> Any:
        return answer(b"secret")

    await client.serve(page)
    for label in (OTHER, f"n{LABEL}", LABEL.upper(), ""):
        assert (await client.get(label=label, headers=OWN))[1] == [b"file"]


async def test_of_several_windows_the_one_that_shows_the_site_answers(client: Client) -> None:
    async def closed(method: str, params: Any) -> Any:
        raise ProtocolError("No tab shows this site.")

    async def shows(method: str, params: Any) -> Any:
        return answer(b"here")

    await client.serve(closed)
    start, [text] = await client.get(headers=OWN)
    assert (start["status"], text) == (
        503,
        b"Open the surface, then reload this page. No tab shows this site.\n",
    )
    await client.serve(shows)
    assert (await client.get(headers=OWN))[1] == [b"here"]


async def test_a_page_that_leaves_or_is_gone_serves_no_more(client: Client) -> None:
    async def page(method: str, params: Any) -> Any:
        return answer(b"here")

    sites = await client.serve(page)
    await sites.handlers()["sites/leave"]({"label": LABEL})
    assert (await client.get(headers=OWN))[1] == [b"file"]
    other = await client.serve(page)
    assert (await client.get(headers=OWN))[1] == [b"here"]
    # A page ends its own sites only.
    await sites.handlers()["sites/leave"]({"label": LABEL})
    sites.close()
    assert (await client.get(headers=OWN))[1] == [b"here"]
    other.close()
    assert (await client.get(headers=OWN))[1] == [b"file"]


@pytest.mark.parametrize(
    "label", [None, 7, "", "a" * 31, "a" * 33, "A" * 32, f"m{'a' * 32}", f"{'a' * 32}.x", "../x"]
)
async def test_a_label_has_128_bits(client: Client, label: Any) -> None:
    sites = client.relay.of_page(None)  # type: ignore[arg-type]
    for method in ("sites/serve", "sites/leave"):
        with pytest.raises(ProtocolError):
            await sites.handlers()[method]({"label": label})


async def test_a_page_serves_a_limited_number_of_sites(client: Client) -> None:
    sites = client.relay.of_page(None)  # type: ignore[arg-type]
    for number in range(MOST_SITES):
        await sites.handlers()["sites/serve"]({"label": f"{number:032x}"})
    with pytest.raises(ProtocolError):
        await sites.handlers()["sites/serve"]({"label": "f" * 32})


async def test_the_pages_headers_come_before_those_of_the_port(client: Client) -> None:
    """A site that may reach a host has another policy; all other answers of the port have the strictest."""

    async def page(method: str, params: Any) -> Any:
        return {**answer(b"here"), "headers": [["connection-allowlist", "(own)"]]}

    await client.serve(page)
    headers = {"Connection-Allowlist": "(response-origin)", "Content-Security-Policy": "default-src 'none'"}
    client.app = Guard(client.app, hosts=["127.0.0.1:1"], labels_of=["localhost:1"], headers=headers)
    start, pieces = await client.get(headers=OWN)
    assert pieces == [b"here"]
    assert dict(start["headers"]) == {
        b"connection-allowlist": b"(own)",
        b"content-security-policy": b"default-src 'none'",
    }
    for given in REFUSED.values():
        start, _ = await client.get(headers=given)
        assert dict(start["headers"])[b"connection-allowlist"] == b"(response-origin)"
