"""What is asked, what an answer covers, and what ends it: the page's queue of questions and its grants."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node

CONSENT = Path(__file__).parents[3] / "web/ui/consent"
Step = list[Any]
ALWAYS = {
    "kind": "open",
    "subject": "open pages of https://example.org",
    "answer": "always",
    "since": "2026-01-01T00:00:00Z",
    "until": None,
}


def play(*steps: Step) -> dict[str, Any]:
    """What came of a story: `{outcomes, waiting, standing, runs}`."""
    command = [
        find_node().node,
        Path(__file__).with_name("consent.mjs"),
        CONSENT.as_uri(),
        json.dumps(steps),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def opening(name: str, url: str = "https://example.org/a", run: str | None = "r1", **words: Any) -> Step:
    origin = "/".join(url.split("/")[:3])
    facts = {"url": url, "origin": origin}
    return ["ask", name, {"kind": "open", "facts": facts, "words": {"run": run, **words}}]


def fetching(name: str, path: str = "", access: str = "read", run: str | None = "r1") -> Step:
    facts = {"url": f"https://api.test/{path}", "method": "GET" if access == "read" else "POST"}
    facts |= {"bytes": 0, "origin": "https://api.test", "access": access}
    return ["ask", name, {"kind": "network", "facts": facts, "words": {"run": run}}]


def commanding(name: str, command: str, program: str, **request: Any) -> Step:
    facts = {"command": command, "directory": "/home/me", "action": "run", "program": program}
    return ["ask", name, {"kind": "host", "facts": facts, "words": {"run": "r1"}, **request}]


def test_a_question_waits_until_it_is_answered() -> None:
    told = play(opening("a"), opening("b", "https://other.test/"), ["answer", "b", "refuse"])

    assert told["waiting"] == ["a"]
    assert told["outcomes"] == {"b": {"allowed": False, "decision": "refuse"}}


def test_once_is_this_request_alone() -> None:
    told = play(commanding("a", "make", "make"), ["answer", "a", "once"], commanding("b", "make", "make"))

    assert told["outcomes"]["a"] == {"allowed": True, "decision": "once"}
    assert told["waiting"] == ["b"]


def test_what_can_be_repeated_without_effect_is_asked_once_in_a_run() -> None:
    told = play(
        fetching("a", "x"),
        ["answer", "a", "once"],
        fetching("again", "x"),
        fetching("other", "y"),
        fetching("other run", "x", run="r2"),
        fetching("no run", "x", run=None),
    )

    assert told["outcomes"]["again"]["allowed"]
    assert told["waiting"] == ["other", "other run", "no run"]


def test_sending_twice_is_asked_twice() -> None:
    told = play(
        fetching("a", access="send"), ["answer", "a", "once"], fetching("b", access="send"), fetching("c")
    )

    assert told["waiting"] == ["b", "c"]


def test_a_grant_for_a_run_covers_its_subject_in_that_run() -> None:
    told = play(
        opening("a"),
        ["answer", "a", "run"],
        opening("same", "https://example.org/other"),
        opening("other origin", "https://example.net/"),
        opening("other run", run="r2"),
        fetching("other kind"),
    )

    assert told["outcomes"]["same"] == {"allowed": True, "decision": "once", "standing": True}
    assert told["waiting"] == ["other origin", "other run", "other kind"]
    assert told["standing"] == []


def test_always_covers_every_run_and_a_reload() -> None:
    told = play(
        opening("a"),
        ["answer", "a", "always"],
        ["load"],
        opening("b", run="r2"),
        opening("c", "https://example.org.evil.test/"),
    )

    assert told["outcomes"]["b"]["allowed"]
    assert told["waiting"] == ["c"]
    assert told["standing"] == ["open: open pages of https://example.org (always)"]


def test_a_run_is_not_a_caller_of_the_same_name() -> None:
    told = play(opening("a", run="webmcp"), ["answer", "a", "run"], opening("b", run=None, caller="webmcp"))

    assert told["waiting"] == ["b"]


def test_no_standing_grant_counts_after_text_from_outside() -> None:
    told = play(
        opening("a"),
        ["answer", "a", "always"],
        opening("before", run="r2"),
        ["taint", "r1", "file_read path=/project/mail.txt"],
        opening("after", run="r1"),
    )

    assert told["outcomes"]["before"]["allowed"]
    assert told["waiting"] == ["after"]


def test_what_the_companion_keeps_is_asked_for_whenever_it_asks() -> None:
    told = play(
        commanding("a", "make", "make"),
        ["answer", "a", "program"],
        commanding("b", "ls", "ls"),
        ["answer", "b", "hour"],
        commanding("c", "make", "make"),
    )

    assert told["outcomes"]["a"]["decision"] == "program"
    assert told["outcomes"]["b"]["until"] == 1_767_326_700_000
    assert told["waiting"] == ["c"] and told["standing"] == []


@pytest.mark.parametrize("decision", ["run", "always"])
def test_what_is_granted_after_text_from_outside_holds_for_the_run(decision: str) -> None:
    told = play(
        ["taint", "r1", "x"],
        opening("a"),
        ["answer", "a", decision],
        opening("same run", "https://example.org/b"),
        opening("other run", run="r2"),
    )

    assert told["outcomes"]["same run"]["allowed"]
    assert told["waiting"] == ["other run"]


def test_a_grant_for_a_run_from_before_the_text_goes_on() -> None:
    told = play(opening("a"), ["answer", "a", "run"], ["taint", "r1", "x"], opening("b"))

    assert told["outcomes"]["b"]["allowed"]


def test_only_a_new_start_ends_the_taint() -> None:
    told = play(
        opening("a"), ["answer", "a", "always"], ["taint", "r1", "x"], ["renew"], opening("b", run="r2")
    )

    assert told["outcomes"]["b"]["allowed"]


def test_a_new_start_ends_what_runs_were_granted() -> None:
    told = play(opening("a"), ["answer", "a", "run"], ["renew"], opening("b"))

    assert told["waiting"] == ["b"] and told["runs"] == []


def test_the_same_thing_is_refused_once_in_a_run() -> None:
    told = play(
        opening("a"),
        ["answer", "a", "refuse"],
        opening("again", "https://example.org/c"),
        opening("other run", run="r2"),
        opening("no run", run=None),
        ["answer", "no run", "refuse"],
        opening("no run again", run=None),
    )

    assert told["outcomes"]["again"] == {"allowed": False, "decision": "refuse", "standing": True}
    assert told["waiting"] == ["other run", "no run again"]


def test_what_waits_for_the_same_thing_is_answered_with_it() -> None:
    told = play(
        opening("a"), opening("b", "https://example.org/b"), opening("c", run="r2"), ["answer", "b", "run"]
    )

    assert told["outcomes"]["a"]["allowed"] and told["outcomes"]["b"]["allowed"]
    assert told["waiting"] == ["c"]


def test_a_question_is_withdrawn() -> None:
    told = play(opening("a"), ["withdraw", "a"])

    assert told["waiting"] == [] and told["outcomes"] == {"a": "withdrawn"}


def test_nobody_to_ask_is_a_refusal_but_what_was_granted_holds() -> None:
    told = play(
        opening("a"),
        ["answer", "a", "always"],
        ["attend", False],
        opening("b"),
        opening("c", "https://other.test/"),
    )

    assert told["outcomes"]["b"]["allowed"]
    assert told["outcomes"]["c"] == {"allowed": False, "decision": "nobody"}


def test_what_waits_is_refused_when_nobody_attends_any_more() -> None:
    told = play(opening("a"), fetching("b"), ["attend", False])

    assert told["outcomes"] == {name: {"allowed": False, "decision": "nobody"} for name in "ab"}


def test_what_is_asked_beyond_what_anybody_reads_is_refused() -> None:
    told = play(*(opening(f"q{number}", f"https://host{number}.test/") for number in range(52)))

    assert len(told["waiting"]) == 50
    assert told["outcomes"]["q50"] == told["outcomes"]["q51"] == {"allowed": False, "decision": "full"}


def test_an_owner_may_offer_less() -> None:
    request: Step = commanding("a", "make", "make", answers=["once"])
    with pytest.raises(subprocess.CalledProcessError):
        play(request, ["answer", "a", "program"])


def test_scripts_in_documents_are_asked_about_each_time() -> None:
    asked = {"kind": "script", "facts": {"origin": "https://a.test", "code": "1"}, "words": {"run": "r1"}}
    told = play(["ask", "a", asked], ["answer", "a", "once"], ["ask", "b", asked])

    assert told["waiting"] == ["b"]
    with pytest.raises(subprocess.CalledProcessError):
        play(["ask", "a", asked], ["answer", "a", "always"])


@pytest.mark.parametrize("name", ["constructor", "toString", "", "shell"])
def test_there_are_no_other_kinds(name: str) -> None:
    told = play(["ask", "a", {"kind": name, "facts": {}}])

    assert "unknown kind of question" in told["outcomes"]["a"]


def test_grants_are_revoked_one_by_one_or_all() -> None:
    three = [
        opening("a"),
        ["answer", "a", "always"],
        fetching("b"),
        ["answer", "b", "always"],
        fetching("c", access="send"),
        ["answer", "c", "run"],
    ]
    told = play(*three, ["revoke", 0], opening("again"), fetching("still"))
    assert told["waiting"] == ["again"] and told["outcomes"]["still"]["allowed"]

    told = play(*three, ["revokeAll"], ["load"], opening("x"), fetching("y"), fetching("z", access="send"))
    assert told["waiting"] == ["x", "y", "z"]


def test_a_grant_that_is_kept_opens() -> None:
    assert play(["keep", json.dumps([ALWAYS])], ["load"], opening("a"))["outcomes"]["a"]["allowed"]


@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        '{"a": 1}',
        "[1, null]",
        '[{"kind": "open", "subject": "open pages of https://example.org"}]',
        json.dumps([{**ALWAYS, "answer": "run"}]),
        json.dumps([{**ALWAYS, "until": 1}]),
        json.dumps([{**ALWAYS, "until": "2026-01-02T03:04:04Z"}]),
    ],
)
def test_what_is_no_grant_opens_nothing(text: str) -> None:
    told = play(["keep", text], ["load"], opening("a"))

    assert told["waiting"] == ["a"]
