"""Requests through the door: permitted callers, questions to the user, and the data that passes."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from gemini_companion.network import Limits
from tests.unit.companion.network.conftest import KEY, World


def test_a_request_is_fetched_after_the_person_has_agreed(world: World) -> None:
    outcome = world.ask(f"{world.url}/a?b=1", headers=[["X-Mine", "yes"]], words={"tool": "python_run"})
    assert outcome.status == 200 and outcome.body == b"here"
    assert outcome.answer["status"] == 200 and outcome.answer["url"] == f"{world.url}/a?b=1"
    assert world.seen.lines == ["GET /a?b=1"]
    assert ("x-mine", "yes") in world.seen.headers[0]
    assert world.person.asked == [
        {"url": f"{world.url}/a?b=1", "method": "GET", "bytes": 0, "origin": world.url, "access": "send"}
    ]
    assert world.person.words == [{"tool": "python_run"}]


def test_a_body_and_its_type_are_sent(world: World) -> None:
    outcome = world.ask(
        f"{world.url}/", method="POST", body=b"x" * 2_000_000, fetched={"Content-Type": "a/b"}
    )
    assert outcome.body == b"here"
    assert world.seen.bodies == [b"x" * 2_000_000]
    assert dict(world.seen.headers[0])["content-type"] == "a/b"
    assert world.person.asked[0]["bytes"] == 2_000_000


def test_a_refused_request_is_not_sent_and_says_why(world: World) -> None:
    world.person.refuses = True
    outcome = world.ask(f"{world.url}/secret")
    assert (outcome.status, outcome.problem) == (403, "ConsentRefused")
    assert "you refused" in outcome.message and world.url in outcome.message
    # An agent isn't the one who refused.
    outcome = world.ask(f"{world.url}/secret", words={"tool": "terminal_execute", "caller": "agent:a"})
    assert "the user refused" in outcome.message
    assert world.seen.lines == [] and world.names.asked == []


@pytest.mark.parametrize(
    ("asked", "access"),
    [
        ({"url": "/page"}, "read"),
        ({"url": "/page", "method": "HEAD"}, "read"),
        ({"url": "/page?q=some+words", "headers": [["Accept", "text/html"]]}, "read"),
        ({"url": "/page", "method": "POST"}, "send"),
        ({"url": "/page", "method": "DELETE"}, "send"),
        ({"url": "/page?" + "a" * 300}, "send"),
        ({"url": "/" + "a" * 1100}, "send"),
        ({"url": "/page", "headers": [["Authorization", "Bearer key"]]}, "send"),
        ({"url": "/page", "headers": [["X-Data", "stolen"]]}, "send"),
        ({"url": "/page", "headers": [["Accept", "a" * 300]]}, "send"),
        ({"url": "/page", "headers": [["User-Agent", "a" * 200], ["Accept-Language", "b" * 200]]}, "send"),
    ],
)
def test_a_request_that_can_carry_data_counts_as_sending(
    world: World, asked: dict[str, Any], access: str
) -> None:
    world.ask(world.url + asked.pop("url"), **asked)
    assert [each["access"] for each in world.person.asked] == [access]


@pytest.mark.parametrize(
    "changed",
    [
        {"Sec-Fetch-Dest": "script"},
        {"Sec-Fetch-Dest": "worker"},
        {"Sec-Fetch-Dest": "sharedworker"},
        {"Sec-Fetch-Dest": "serviceworker"},
        {"Sec-Fetch-Dest": "document"},
        {"Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Dest": "font"},
        {"Sec-Fetch-Dest": "style"},
        {"Sec-Fetch-Dest": None},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": None},
        {"Sec-Fetch-Mode": "navigate"},
        {"Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Mode": "websocket"},
        {"Sec-Purpose": "prefetch"},
        {"Origin": None},
    ],
    ids=lambda changed: "-".join(f"{name}={value}" for name, value in changed.items()),
)
def test_only_scripts_of_the_kernels_origin_get_an_answer(
    world: World, changed: dict[str, str | None]
) -> None:
    outcome = world.ask(f"{world.url}/", fetched=changed)
    assert (outcome.status, outcome.problem) == (400, "RequestMalformed")
    assert world.person.asked == [] and world.seen.lines == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_browsers_load_nothing_from_the_door(world: World, method: str) -> None:
    assert world.ask(f"{world.url}/", http_method=method).status == 400
    assert world.person.asked == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_pages_of_other_origins_get_nothing(world: World, origin: str) -> None:
    assert world.ask(f"{world.url}/", fetched={"Origin": origin}).status == 403
    assert world.person.asked == []


def test_an_unknown_key_opens_nothing(world: World) -> None:
    outcome = world.ask(f"{world.url}/", key="guessed")
    assert (outcome.status, outcome.problem) == (404, "PageUnknown")


@pytest.mark.parametrize(
    "description",
    [
        "",
        "{}",
        "[]",
        '{"url": "http://outside.test/"}',
        '{"url": "http://outside.test/", "method": "CONNECT"}',
        '{"url": "http://outside.test/", "method": "TRACE"}',
        '{"url": "http://outside.test/", "method": "get"}',
        '{"url": "http://outside.test/", "method": "GET", "proxy": "http://127.0.0.1"}',
        '{"url": "http://outside.test/", "method": "GET", "headers": [["a"]]}',
        '{"url": 1, "method": "GET"}',
    ],
)
def test_a_wrong_description_is_refused(world: World, description: str) -> None:
    outcome = world.ask("", fetched={"X-Network-Request": description})
    assert (outcome.status, outcome.problem) == (400, "RequestMalformed")
    assert world.person.asked == []


@pytest.mark.parametrize(
    "header",
    [
        ["X-A", "b\r\nHost: evil.example"],
        ["X-A", "b\nX-C: d"],
        ["X-A", "b\0"],
        ["X-A\r\nX-B", "c"],
        ["X A", "c"],
        ["X-A:", "c"],
        ["", "c"],
        ["X-A", "\u2028"],
    ],
)
def test_headers_cant_smuggle_others(world: World, header: list[str]) -> None:
    outcome = world.ask(f"{world.url}/", headers=[header])
    assert (outcome.status, outcome.problem) == (400, "RequestMalformed")
    assert world.seen.lines == []


def test_headers_of_the_connection_and_the_browser_are_the_doors_own(world: World) -> None:
    names = [
        "Host", "Cookie", "Referer", "Origin", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "TE",
        "Proxy-Authorization", "Sec-Fetch-Site", "Sec-Anything", "Expect", "X-Forwarded-For", "X-HTTP-Method-Override",
    ]  # fmt: skip
    world.ask(
        f"{world.url}/", headers=[[name, "evil"] for name in names], fetched={"Cookie": "a=1", "Referer": "x"}
    )
    [sent] = world.seen.headers
    assert all(value not in ("evil", "a=1", "x") for _, value in sent)
    assert dict(sent)["host"] == f"outside.test:{world.outside.main.number}"
    assert sorted(name for name, _ in sent) == ["accept", "accept-encoding", "host", "user-agent"]


def test_the_remote_servers_instructions_to_browsers_do_not_pass(world: World) -> None:
    outcome = world.ask(f"{world.url}/")
    assert outcome.remote_headers["x-own"] == "1"
    assert not {"set-cookie", "clear-site-data"} & (outcome.remote_headers.keys() | outcome.headers.keys())
    assert outcome.headers["content-type"].startswith("application/octet-stream")
    assert outcome.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert outcome.headers["x-content-type-options"] == "nosniff"
    assert outcome.headers["cache-control"] == "no-store"


def test_a_redirect_to_the_same_origin_is_followed_without_a_second_question(world: World) -> None:
    outcome = world.ask(f"{world.url}/redirect?to=/there")
    assert outcome.body == b"here"
    assert outcome.answer["url"] == f"{world.url}/there" and outcome.answer["redirected"]
    assert len(world.person.asked) == 1


def test_a_redirect_to_another_origin_asks_again_and_drops_secrets(world: World) -> None:
    world.names.known["other.test"] = [["127.0.0.1"]]
    other = world.url.replace("outside", "other")
    outcome = world.ask(
        f"{world.url}/redirect?to={other}/there", headers=[["Authorization", "Bearer key"], ["Accept", "a/b"]]
    )
    assert outcome.body == b"here"
    assert [each["origin"] for each in world.person.asked] == [world.url, other]
    assert "authorization" not in dict(world.seen.headers[0])
    assert dict(world.seen.headers[0])["accept"] == "a/b"


@pytest.mark.parametrize(
    ("status", "arrived"),
    [
        (301, ("GET", b"")),
        (302, ("GET", b"")),
        (303, ("GET", b"")),
        (307, ("POST", b"data")),
        (308, ("POST", b"data")),
    ],
)
def test_a_redirect_keeps_its_method_if_required(
    world: World, status: int, arrived: tuple[str, bytes]
) -> None:
    world.ask(f"{world.url}/redirect?to=/there&status={status}", method="POST", body=b"data")
    assert (world.seen.lines[-1].split()[0], world.seen.bodies[-1]) == arrived


def test_the_caller_may_handle_or_refuse_redirects(world: World) -> None:
    manual = world.ask(f"{world.url}/redirect?to=/there", redirect="manual")
    assert (manual.answer["status"], manual.remote_headers["location"]) == (302, "/there")
    assert world.ask(f"{world.url}/redirect?to=/there", redirect="error").problem == "RedirectRefused"


def test_a_redirect_in_a_circle_ends(world: World) -> None:
    outcome = world.ask(f"{world.url}/circle")
    assert outcome.problem == "RedirectRefused"
    assert len(world.seen.lines) == 11


@pytest.mark.parametrize("limits", [Limits(answer=50_000)])
def test_an_answer_that_is_too_long_breaks_off(world: World) -> None:
    with world.connected() as connection:
        headers = world.browser_headers() | {"X-Network-Request": world.description(f"{world.url}/long")}
        connection.request("POST", f"/network/{KEY}", headers=headers)
        answer = connection.getresponse()
        assert answer.headers["content-type"] == "application/octet-stream; charset=latin-1"
        with pytest.raises(Exception, match="IncompleteRead|reset"):
            answer.read()
    assert world.seen.left.wait(30)


@pytest.mark.parametrize("limits", [Limits(request=1000)])
def test_a_request_that_is_too_long_causes_no_question(world: World) -> None:
    outcome = world.ask(f"{world.url}/", method="POST", body=bytes(5000))
    assert (outcome.status, outcome.problem) == (413, "RequestTooLarge")
    assert world.person.asked == []


@pytest.mark.parametrize("limits", [Limits(idle_s=0.2)])
def test_a_silent_server_is_left(world: World) -> None:
    assert world.ask(f"{world.url}/silent").problem == "HostSlow"


@pytest.mark.fortnightly
@pytest.mark.parametrize("limits", [Limits(total_s=3)])
def test_a_server_that_trickles_is_left(world: World) -> None:
    with world.connected() as connection:
        headers = world.browser_headers() | {
            "X-Network-Request": world.description(f"{world.url}/long?slowly")
        }
        connection.request("POST", f"/network/{KEY}", headers=headers)
        with pytest.raises(Exception, match="IncompleteRead|reset"):
            connection.getresponse().read()
    assert world.seen.left.wait(30)


def test_an_unknown_name_and_an_unused_port_have_different_errors(world: World) -> None:
    assert world.ask("http://nowhere.test/").problem == "HostUnknown"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert world.ask(f"http://outside.test:{port}/").problem == "AddressRefused"


def test_a_waiting_request_is_withdrawn_when_its_client_leaves(world: World) -> None:
    world.person.holds = True
    with world.connected() as connection:
        headers = world.browser_headers() | {"X-Network-Request": world.description(f"{world.url}/")}
        connection.request("POST", f"/network/{KEY}", headers=headers)
        assert world.person.is_asked.wait(30) and not world.person.withdrawn.is_set()
    assert world.person.withdrawn.wait(30)
    assert world.seen.lines == []


def test_a_fetch_ends_when_its_client_leaves(world: World) -> None:
    with world.connected() as connection:
        headers = world.browser_headers() | {
            "X-Network-Request": world.description(f"{world.url}/long?slowly")
        }
        connection.request("POST", f"/network/{KEY}", headers=headers)
        connection.getresponse()
        connection.close()
    assert world.seen.left.wait(30)


@pytest.mark.parametrize("limits", [Limits(at_once=1)])
def test_concurrent_requests_of_a_page_are_limited(world: World) -> None:
    world.person.holds = True
    with world.connected() as connection:
        headers = world.browser_headers() | {"X-Network-Request": world.description(f"{world.url}/")}
        connection.request("POST", f"/network/{KEY}", headers=headers)
        assert world.person.is_asked.wait(30)
        assert world.ask(f"{world.url}/").problem == "TooManyRequests"
    assert world.person.withdrawn.wait(30)
    world.person.holds = False
    assert json.loads(json.dumps(world.ask(f"{world.url}/").answer))["status"] == 200
