"""Reading whether a page forbids being shown in a frame: the decision of browsers, and the requests."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from gemini_companion.network import Fetcher, Framing
from gemini_companion.network.errors import AddressRefused, HostUnreachable, NetworkProblem, RedirectRefused
from gemini_companion.network.framing import forbidden_by
from tests.attacks.outside import Outside, outside_on_loopback

SURFACE = "http://127.0.0.1:8765"


@pytest.mark.parametrize(
    ("options", "policies", "expected"),
    [
        ([], [], None),
        (["DENY"], [], "X-Frame-Options"),
        (["SameOrigin"], [], "X-Frame-Options"),
        (["sameorigin", "sameorigin"], [], "X-Frame-Options"),
        (["ALLOW-FROM http://127.0.0.1:8765"], [], None),
        (["deny", "nonsense"], [], "X-Frame-Options"),
        (["deny"], ["default-src 'none'"], "X-Frame-Options"),
        (["deny"], ["frame-ancestors *"], None),
        ([], ["default-src *; Frame-Ancestors 'NONE'"], "frame-ancestors"),
        ([], ["frame-ancestors"], "frame-ancestors"),
        ([], ["frame-ancestors 'self'"], "frame-ancestors"),
        ([], ["frame-ancestors 'self' http://127.0.0.1:8765"], None),
        ([], ["frame-ancestors http://127.0.0.1:*"], None),
        ([], ["frame-ancestors http://127.0.0.1"], "frame-ancestors"),
        ([], ["frame-ancestors 127.0.0.1:8765"], "frame-ancestors"),
        ([], ["frame-ancestors http:"], None),
        ([], ["frame-ancestors https:"], "frame-ancestors"),
        ([], ["frame-ancestors *.example.org"], "frame-ancestors"),
        ([], ["frame-ancestors *", "frame-ancestors 'none'"], "frame-ancestors"),
    ],
)
def test_the_decision_is_that_of_browsers(
    options: list[str], policies: list[str], expected: str | None
) -> None:
    decided = forbidden_by("https://example.org", [SURFACE], policies=policies, options=options)
    assert decided == expected


def test_every_document_around_the_frame_counts() -> None:
    def decided(*ancestors: str, policy: str) -> str | None:
        return forbidden_by("https://a.example.org", ancestors, policies=[policy], options=[])

    around = ("https://b.example.org", "https://portal.test:8443")
    assert decided(*around, policy="frame-ancestors *.example.org") == "frame-ancestors"
    assert decided(*around, policy="frame-ancestors *.example.org portal.test:8443") is None


def ask(outside: Outside, path: str, fetcher: Fetcher | None = None) -> Any:
    async def asked() -> Any:
        framing = Framing(fetcher or outside.fetcher())
        url = path if path.startswith("http") else outside.named + path
        return await framing.handlers()["page/framing"]({"url": url, "ancestors": [SURFACE]})

    return asyncio.run(asked())


def test_one_request_for_the_headers_follows_redirects() -> None:
    with outside_on_loopback() as outside:
        outside.page_headers["/alone"] = {"X-Frame-Options": "DENY"}
        assert ask(outside, f"/redirect?to={outside.second}/alone#part") == {
            "forbidden_by": "X-Frame-Options"
        }
        assert outside.requests == [f"HEAD /redirect?to={outside.second}/alone", "HEAD /alone"]
        assert not any({"cookie", "origin", "referer"} & set(headers) for headers in outside.headers)
        assert ask(outside, "/open") == {"forbidden_by": None}


def test_private_addresses_are_refused_and_circles_end() -> None:
    with outside_on_loopback() as outside:
        for url in ("http://192.168.0.1/", outside.url, "http://10.0.0.1/#x"):
            with pytest.raises(AddressRefused):
                ask(outside, url, Fetcher())
        with pytest.raises(AddressRefused):
            ask(outside, "/redirect?to=http://169.254.169.254/")
        with pytest.raises(RedirectRefused):
            ask(outside, f"/redirect?to={outside.named}/circle")


def test_a_port_of_this_computer_that_nothing_listens_on_is_named() -> None:
    with socket.socket() as taken, outside_on_loopback() as outside:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            with pytest.raises(HostUnreachable, match=f"nothing listens on {host}:{port}"):
                ask(outside, f"http://{host}:{port}/page#part", Fetcher())
        with pytest.raises(HostUnreachable, match="port 9"):
            ask(outside, "http://127.0.0.1:9/", Fetcher())
        assert outside.requests == []


def test_a_server_that_does_not_know_the_method_says_nothing() -> None:
    with outside_on_loopback() as outside:
        outside.page_headers["/alone"] = {"X-Frame-Options": "DENY"}
        outside.statuses["/alone"] = 405
        with pytest.raises(NetworkProblem, match="HEAD"):
            ask(outside, "/alone")
