"""The network door in a service worker: accepted requests, questions to the page, and fetches."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled
from tests.tiers import in_turn

URL = "https://far.example/page"


def send(**case: Any) -> dict[str, Any]:
    command = [
        find_node().node,
        Path(__file__).with_name("network_door.mjs"),
        (compiled("network_door/door.ts") / "network_door").as_uri(),
        json.dumps(case),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def described(url: str = URL, method: str = "GET", **rest: Any) -> dict[str, Any]:
    return {"url": url, "method": method, **rest}


def test_a_request_is_fetched_after_the_page_has_allowed_it() -> None:
    result = send(description=described(headers=[["accept", "text/html"]], words={"tool": "python_run"}))
    facts = {"url": URL, "method": "GET", "bytes": 0, "origin": "https://far.example", "access": "read"}
    assert result["asked"] == [{"facts": facts, "words": {"tool": "python_run"}}]
    [fetched] = result["fetched"]
    assert (fetched["credentials"], fetched["redirect"], fetched["referrerPolicy"]) == (
        "omit",
        "manual",
        "no-referrer",
    )
    assert result["text"] == "far" and result["type"] == "application/octet-stream; charset=latin-1"
    assert (result["answer"]["status"], result["answer"]["url"]) == (200, URL)
    assert ["x-own", "1"] in result["answer"]["headers"]


def test_a_body_is_sent_and_its_size_is_in_the_question() -> None:
    result = send(description=described(method="PUT"), body="däta")
    assert (result["asked"][0]["facts"]["bytes"], result["asked"][0]["facts"]["access"]) == (5, "send")
    assert result["fetched"][0]["body"] == "däta"


def test_a_refused_request_is_not_fetched() -> None:
    result = send(description=described(), answer={"allowed": False, "problem": "the user refused"})
    assert (result["problem"], result["fetched"]) == ("ConsentRefused", [])


@in_turn(
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
def test_requests_that_can_carry_data_count_as_sending(description: dict[str, Any], access: str) -> None:
    assert send(description=description)["asked"][0]["facts"]["access"] == access


@in_turn(
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
def test_a_malformed_request_asks_no_question(case: dict[str, Any]) -> None:
    result = send(**case)
    assert result["problem"] in ("RequestMalformed", "AddressRefused")
    assert (result["asked"], result["fetched"]) == ([], [])


def test_redirects_are_not_followed() -> None:
    assert send(description=described(), opaque=True)["problem"] == "RedirectRefused"


REPOSITORY = "https://far.example/a/b.git"
REFS = f"{REPOSITORY}/info/refs?service=git-upload-pack"
PACK = f"{REPOSITORY}/git-upload-pack"
PACK_TYPE = ["content-type", "application/x-git-upload-pack-request"]
PROXY = "https://proxy.example/"


def proxied(description: dict[str, Any], proxy: object = PROXY, **rest: Any) -> dict[str, Any]:
    return send(description=description, answer={"allowed": True, "proxy": proxy}, **rest)


@pytest.mark.parametrize(
    ("proxy", "address"),
    [
        (PROXY, REFS.replace("https://", PROXY)),
        ("https://proxy.example/to", REFS.replace("https://", "https://proxy.example/to/")),
        ("https://proxy.example/?", f"https://proxy.example/?{REFS}"),
        ("http://127.0.0.1:9999", REFS.replace("https://", "http://127.0.0.1:9999/")),
    ],
)
def test_requests_of_git_take_the_proxy_that_the_page_names(proxy: str, address: str) -> None:
    headers = [["git-protocol", "version=2"], ["x-token", "secret"], ["accept", "*/*"]]
    result = proxied(described(REFS, headers=headers), proxy)
    assert result["asked"][0]["facts"]["git"] is True
    [fetched] = result["fetched"]
    # Only headers of git's protocol go to a proxy.
    assert sorted(name for name, _ in fetched["headers"]) == ["accept", "git-protocol"]
    assert (fetched["url"], fetched["credentials"], fetched["redirect"]) == (address, "omit", "manual")
    assert result["answer"]["url"] == REFS


def test_objects_of_git_take_the_proxy() -> None:
    result = proxied(described(PACK, "POST", headers=[PACK_TYPE]), body="0000")
    assert (
        result["fetched"][0]["url"] == PACK.replace("https://", PROXY)
        and result["fetched"][0]["body"] == "0000"
    )


@in_turn(
    "description",
    [
        described(REFS, headers=[["Authorization", "Bearer secret"]]),
        described(REFS, headers=[["Cookie", "a=b"]]),
        described(PACK, "POST", headers=[PACK_TYPE, ["authorization", "Basic secret"]]),
        described(REFS.replace("https:", "http:")),
        described(REFS + "&more=data"),
        described(f"{REPOSITORY}/info/refs?service=other"),
        described(f"{REPOSITORY}/HEAD"),
        described(f"{REPOSITORY}/info/refs"),
        described(PACK, "POST"),
        described(PACK + "?data", "POST", headers=[PACK_TYPE]),
        described(PACK, "PUT", headers=[PACK_TYPE]),
        described("https://far.example/api"),
    ],
)
def test_credentials_and_other_requests_never_take_the_proxy(description: dict[str, Any]) -> None:
    result = proxied(description)
    assert "git" not in result["asked"][0]["facts"]
    assert [fetched["url"] for fetched in result["fetched"]] == [description["url"]]


@in_turn(
    "proxy",
    [
        "http://proxy.example/",
        "https://user@proxy.example/",
        "ftp://a/",
        "https://a/#",
        "https://a/?b=c",
        "",
        1,
    ],
)
def test_an_invalid_proxy_gets_nothing(proxy: object) -> None:
    result = proxied(described(REFS), proxy)
    assert (result["problem"], result["fetched"]) == ("AddressRefused", [])


def test_an_unknown_key_is_rejected() -> None:
    result = send(description=described(), key="another")
    assert (result["problem"], result["fetched"]) == ("PageUnknown", [])
