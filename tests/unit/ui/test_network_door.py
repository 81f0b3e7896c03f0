"""The network door in a service worker: what it takes, what it asks the page, what it fetches."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node

DOOR = Path(__file__).parents[3] / "web/network_door"
URL = "https://far.example/page"


def send(**case: Any) -> dict[str, Any]:
    command = [
        find_node().node,
        Path(__file__).with_name("network_door.mjs"),
        DOOR.as_uri(),
        json.dumps(case),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def described(url: str = URL, method: str = "GET", **rest: Any) -> dict[str, Any]:
    return {"url": url, "method": method, **rest}


def test_a_request_is_fetched_after_the_page_has_allowed_it() -> None:
    came = send(description=described(headers=[["accept", "text/html"]], words={"tool": "python_run"}))
    facts = {"url": URL, "method": "GET", "bytes": 0, "origin": "https://far.example", "access": "read"}
    assert came["asked"] == [{"facts": facts, "words": {"tool": "python_run"}}]
    [fetched] = came["fetched"]
    assert (fetched["credentials"], fetched["redirect"], fetched["referrerPolicy"]) == (
        "omit",
        "manual",
        "no-referrer",
    )
    assert came["text"] == "far" and came["type"] == "application/octet-stream; charset=latin-1"
    assert (came["told"]["status"], came["told"]["url"]) == (200, URL)
    assert ["x-own", "1"] in came["told"]["headers"]


def test_a_body_is_sent_with_its_size_asked_about() -> None:
    came = send(description=described(method="PUT"), body="däta")
    assert (came["asked"][0]["facts"]["bytes"], came["asked"][0]["facts"]["access"]) == (5, "send")
    assert came["fetched"][0]["body"] == "däta"


def test_what_the_page_refuses_is_not_fetched() -> None:
    came = send(description=described(), answer={"allowed": False, "problem": "the person refused"})
    assert (came["problem"], came["fetched"]) == ("ConsentRefused", [])


@pytest.mark.parametrize(
    ("description", "access"),
    [
        (described(), "read"),
        (described(method="HEAD"), "read"),
        (described(f"{URL}?q=words"), "read"),
        (described(method="DELETE"), "send"),
        (described(f"{URL}?{'a' * 300}"), "send"),
        (described(f"{URL}/{'a' * 1100}"), "send"),
        (described(headers=[["Authorization", "Bearer key"]]), "send"),
        (described(headers=[["accept", "a" * 300]]), "send"),
    ],
)
def test_what_can_carry_data_counts_as_sending(description: dict[str, Any], access: str) -> None:
    assert send(description=description)["asked"][0]["facts"]["access"] == access


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"description": {}},
        {"description": described(method="CONNECT")},
        {"description": described(headers=[["a"]])},
        {"description": described(), "body": "a body"},
        {"description": described(redirect="everywhere")},
        {"description": described("ftp://far.example/")},
        {"description": described("https://user@far.example/")},
        {"description": described("/page")},
        {"description": described(URL + "a" * 9000)},
    ],
)
def test_what_is_malformed_asks_nobody(case: dict[str, Any]) -> None:
    came = send(**case)
    assert came["problem"] in ("RequestMalformed", "AddressRefused")
    assert (came["asked"], came["fetched"]) == ([], [])


def test_where_a_redirect_leads_is_not_visited() -> None:
    assert send(description=described(), opaque=True)["problem"] == "RedirectRefused"


def test_a_key_of_no_page_opens_nothing() -> None:
    came = send(description=described(), key="another")
    assert (came["problem"], came["fetched"]) == ("PageUnknown", [])
