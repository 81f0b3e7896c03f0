"""The page's queue of questions and its grants: the questions, an answer's scope, and its end."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled
from tests.tiers import in_turn

MODULES = (
    *("ui/consent/consent.ts", "ui/consent/grants.ts", "ui/consent/record.ts"),
    *("ui/panels/inbox/report.ts", "ui/state/store.ts"),
)
Step = list[Any]
ALWAYS = {
    "kind": "open",
    "subject": "open pages of https://example.org",
    "answer": "always",
    "since": "2026-01-01T00:00:00Z",
    "until": None,
}


def play(*steps: Step) -> dict[str, Any]:
    """Play steps on the page's consent and return `{outcomes, waiting, standing, reported, runs}`."""
    command = [
        find_node().node,
        Path(__file__).with_name("consent.mjs"),
        compiled(*MODULES).as_uri(),
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
    result = play(opening("a"), opening("b", "https://other.test/"), ["answer", "b", "refuse"])

    assert result["waiting"] == ["a"]
    assert result["outcomes"] == {"b": {"allowed": False, "decision": "refuse"}}


def test_once_covers_only_this_request() -> None:
    result = play(commanding("a", "make", "make"), ["answer", "a", "once"], commanding("b", "make", "make"))

    assert result["outcomes"]["a"] == {"allowed": True, "decision": "once"}
    assert result["waiting"] == ["b"]


def test_a_repeatable_request_is_asked_once_in_a_run() -> None:
    result = play(
        fetching("a", "x"),
        ["answer", "a", "once"],
        fetching("again", "x"),
        fetching("other", "y"),
        fetching("other run", "x", run="r2"),
        fetching("no run", "x", run=None),
    )

    assert result["outcomes"]["again"]["allowed"]
    assert result["waiting"] == ["other", "other run", "no run"]


def test_sending_twice_is_asked_twice() -> None:
    result = play(
        fetching("a", access="send"), ["answer", "a", "once"], fetching("b", access="send"), fetching("c")
    )

    assert result["waiting"] == ["b", "c"]


def test_a_grant_for_a_run_covers_its_subject_in_that_run() -> None:
    result = play(
        opening("a"),
        ["answer", "a", "run"],
        opening("same", "https://example.org/other"),
        opening("other origin", "https://example.net/"),
        opening("other run", run="r2"),
        fetching("other kind"),
    )

    assert result["outcomes"]["same"] == {"allowed": True, "decision": "once", "standing": True}
    assert result["waiting"] == ["other origin", "other run", "other kind"]
    assert result["standing"] == []


def test_always_covers_every_run_and_a_reload() -> None:
    result = play(
        opening("a"),
        ["answer", "a", "always"],
        ["load"],
        opening("b", run="r2"),
        opening("c", "https://example.org.evil.test/"),
    )

    assert result["outcomes"]["b"]["allowed"]
    assert result["waiting"] == ["c"]
    assert result["standing"] == ["open: open pages of https://example.org (always)"]


def test_a_run_is_not_a_caller_of_the_same_name() -> None:
    result = play(opening("a", run="webmcp"), ["answer", "a", "run"], opening("b", run=None, caller="webmcp"))

    assert result["waiting"] == ["b"]


def test_standing_grants_do_not_count_after_untrusted_text() -> None:
    result = play(
        opening("a"),
        ["answer", "a", "always"],
        opening("before", run="r2"),
        ["taint", "r1", "file_read path=/project/mail.txt"],
        opening("after", run="r1"),
    )

    assert result["outcomes"]["before"]["allowed"]
    assert result["waiting"] == ["after"]


def test_every_request_of_the_companion_is_asked() -> None:
    result = play(
        commanding("a", "make", "make"),
        ["answer", "a", "program"],
        commanding("b", "ls", "ls"),
        ["answer", "b", "hour"],
        commanding("c", "make", "make"),
    )

    assert result["outcomes"]["a"]["decision"] == "program"
    assert result["outcomes"]["b"]["until"] == 1_767_326_700_000
    assert result["waiting"] == ["c"] and result["standing"] == []


@pytest.mark.parametrize("decision", ["run", "always"])
def test_a_grant_after_untrusted_text_holds_for_the_run(decision: str) -> None:
    result = play(
        ["taint", "r1", "x"],
        opening("a"),
        ["answer", "a", decision],
        opening("same run", "https://example.org/b"),
        opening("other run", run="r2"),
    )

    assert result["outcomes"]["same run"]["allowed"]
    assert result["waiting"] == ["other run"]


def test_a_grant_for_a_run_survives_untrusted_text() -> None:
    result = play(opening("a"), ["answer", "a", "run"], ["taint", "r1", "x"], opening("b"))

    assert result["outcomes"]["b"]["allowed"]


START: Step = ["start", False]
# The user presses Restart Python, and the earlier Python has ended.
PRESS: list[Step] = [["start", True], ["renew"]]
TAINT: Step = ["taint", "r1", "file_read path=/project/mail.txt"]
LASTING: list[Step] = [opening("a"), ["answer", "a", "always"]]


@in_turn(
    "again",
    [
        [START],
        [["load"], START],
        [START, START, START],
        [["store", json.dumps([ALWAYS])], ["load"], START],
        [["kernel", "booting"], START, ["kernel", "ready"]],
    ],
)
def test_no_start_but_the_person_s_ends_what_was_read_and_refused(again: list[Step]) -> None:
    refused = opening("refused", "https://other.test/")
    result = play(
        START,
        *LASTING,
        opening("control", run="r2"),
        refused,
        ["answer", "refused", "refuse"],
        TAINT,
        *again,
        opening("after", run="r2"),
        opening("refused again", "https://other.test/"),
    )

    assert result["outcomes"]["control"]["allowed"]
    assert result["waiting"] == ["after"]
    assert result["outcomes"]["refused again"] == {"allowed": False, "decision": "refuse", "standing": True}
    assert result["record"]["taint"]["origin"] == TAINT[2]


def test_a_grant_for_a_run_survives_a_start_of_python() -> None:
    result = play(START, opening("a"), ["answer", "a", "run"], START, opening("b"))

    assert result["outcomes"]["b"]["allowed"]


def test_the_person_s_restart_ends_what_was_read_refused_and_granted_for_runs() -> None:
    result = play(
        START,
        *LASTING,
        opening("run", "https://run.test/"),
        ["answer", "run", "run"],
        opening("refused", "https://other.test/"),
        ["answer", "refused", "refuse"],
        TAINT,
        opening("left", "https://left.test/"),
        *PRESS,
        # The same words aren't asked again for a minute, whatever restarts.
        ["wait", 61_000],
        opening("b", run="r2"),
        opening("run again", "https://run.test/"),
        opening("refused again", "https://other.test/"),
    )

    assert result["outcomes"]["left"] == {"allowed": False, "decision": "refuse"}
    assert result["outcomes"]["b"]["allowed"]
    assert result["waiting"] == ["run again", "refused again"]
    assert result["record"] == {"taint": None, "suspect": True, "canTrust": True}


def test_the_taint_lasts_until_the_earlier_python_has_ended() -> None:
    result = play(START, *LASTING, TAINT, ["start", True], opening("b", run="r2"))

    assert result["waiting"] == ["b"]


def test_what_the_new_python_reads_before_that_counts() -> None:
    result = play(
        START, *LASTING, TAINT, ["start", True], ["taint", "r2", "x"], ["renew"], opening("b", run="r2")
    )

    assert result["waiting"] == ["b"] and result["record"]["taint"] == {"run": "r2", "origin": "x"}


@pytest.mark.parametrize("use", [START, ["savedCode"]])
def test_saved_code_counts_as_text_from_outside_after_something_was_read(use: Step) -> None:
    clean = play(START, *LASTING, *PRESS, use, opening("b", run="r2"))
    assert clean["outcomes"]["b"]["allowed"]

    doubtful = play(START, *LASTING, TAINT, *PRESS, use, opening("b", run="r2"))
    assert doubtful["waiting"] == ["b"]
    assert "your own files" in doubtful["record"]["taint"]["origin"]


def test_the_person_can_trust_saved_code_again() -> None:
    doubtful: list[Step] = [START, *LASTING, TAINT, *PRESS, START]
    result = play(*doubtful, ["trust"], START, opening("b", run="r2"))
    assert result["outcomes"]["b"]["allowed"]
    assert result["record"] == {"taint": None, "suspect": False, "canTrust": False}

    # Trust in saved code doesn't end what this Python has read otherwise.
    result = play(*doubtful, TAINT, ["trust"], opening("b", run="r2"))
    assert result["waiting"] == ["b"] and not result["record"]["canTrust"]


@in_turn(
    "text",
    [
        "",
        "nonsense",
        "null",
        "{}",
        "[]",
        '{"read": null, "suspect": false}',
        '{"read": {}, "suspect": false, "refused": []}',
        '{"read": null, "suspect": 0, "refused": []}',
        '{"read": null, "suspect": false, "refused": [1]}',
    ],
)
def test_a_damaged_record_counts_as_text_from_outside(text: str) -> None:
    result = play(START, *LASTING, ["store", text, "gemini-consent-record"], ["load"], START, opening("b"))

    assert result["waiting"] == ["b"]


def test_long_names_of_python_are_cut() -> None:
    result = play(["taint", "r" * 10_000, "o" * 50_000])

    assert len(json.dumps(result["record"])) < 600


def test_a_refusal_lasts_for_the_run() -> None:
    result = play(
        opening("a"),
        ["answer", "a", "refuse"],
        opening("again", "https://example.org/c"),
        opening("other run", run="r2"),
        opening("no run", run=None),
        ["answer", "no run", "refuse"],
        opening("no run, other page", "https://example.org/d", run=None),
    )

    assert result["outcomes"]["again"] == {"allowed": False, "decision": "refuse", "standing": True}
    assert result["waiting"] == ["other run", "no run, other page"]


def test_an_answer_also_settles_waiting_requests_for_the_same_subject() -> None:
    result = play(
        opening("a"), opening("b", "https://example.org/b"), opening("c", run="r2"), ["answer", "b", "run"]
    )

    assert result["outcomes"]["a"]["allowed"] and result["outcomes"]["b"]["allowed"]
    assert result["waiting"] == ["c"]


def test_a_question_is_withdrawn() -> None:
    result = play(opening("a"), ["withdraw", "a"])

    assert result["waiting"] == [] and result["outcomes"] == {"a": "withdrawn"}


def test_an_unattended_page_refuses_but_grants_hold() -> None:
    result = play(
        opening("a"),
        ["answer", "a", "always"],
        ["attend", False],
        opening("b"),
        opening("c", "https://other.test/"),
    )

    assert result["outcomes"]["b"]["allowed"]
    assert result["outcomes"]["c"] == {"allowed": False, "decision": "nobody"}


def test_waiting_requests_are_refused_when_the_person_leaves() -> None:
    result = play(opening("a"), fetching("b"), ["attend", False])

    assert result["outcomes"] == {name: {"allowed": False, "decision": "nobody"} for name in "ab"}


def test_too_many_requests_are_refused() -> None:
    result = play(*(opening(f"q{number}", f"https://host{number}.test/") for number in range(52)))

    assert len(result["waiting"]) == 50
    assert result["outcomes"]["q50"] == result["outcomes"]["q51"] == {"allowed": False, "decision": "full"}


def asking(count: int, caller: str | None, run: str | None = None, site: str = "host") -> list[Step]:
    """Return requests for different sites, named `{site}{number}`."""
    return [
        opening(f"{site}{number}", f"https://{site}{number}.test/", run=run, caller=caller)
        for number in range(count)
    ]


def refused(*names: str) -> list[Step]:
    return [["answer", name, "refuse"] for name in names]


REFUSED_AT_ONCE = {"allowed": False, "decision": "refuse", "standing": True, "until": 1_767_323_105_000}


@in_turn(("caller", "run"), [(None, None), ("webmcp", None), (None, "r1"), ("agent", "r1")])
def test_three_refusals_in_a_row_refuse_a_caller_for_a_minute(caller: str | None, run: str | None) -> None:
    steps = [*asking(5, caller, run), *refused("host0", "host1", "host2"), *asking(1, caller, run, "later")]
    result = play(*steps)
    assert result["waiting"] == []
    assert result["outcomes"]["host4"] == result["outcomes"]["later0"] == REFUSED_AT_ONCE

    # Another run isn't concerned, and after a minute the caller may ask again.
    result = play(*steps, opening("other run", run="r2"), ["wait", 60_001], *asking(1, caller, run, "again"))
    assert result["waiting"] == ["other run", "again0"]


@in_turn("name", ["", "invented", "person", "webmcp", "run r1"])
def test_invented_names_count_as_one_caller(name: str) -> None:
    names = [f"{name}{number}" if name == "invented" else name for number in range(5)]
    asked = [
        opening(f"q{number}", f"https://q{number}.test/", run=f"{each}?" if number % 2 else None, caller=each)
        for number, each in enumerate(names)
    ]
    result = play(*asked, *refused("q0", "q1", "q2"))

    assert result["waiting"] == [] and result["outcomes"]["q4"] == REFUSED_AT_ONCE


def test_an_answer_that_allows_ends_the_row() -> None:
    result = play(
        *asking(5, None, "r1"),
        *refused("host0", "host1"),
        ["answer", "host2", "once"],
        *refused("host3"),
    )
    assert result["waiting"] == ["host4"]


def test_a_row_goes_on_after_its_minute() -> None:
    once = [*asking(3, None), *refused("host0", "host1", "host2"), ["wait", 60_001]]
    again = play(*once, *asking(2, None, site="new"), *refused("new0"))
    assert again["waiting"] == [] and again["outcomes"]["new1"]["standing"]
    much_later = play(*once, ["wait", 60_001], *asking(2, None, site="new"), *refused("new0"))
    assert much_later["waiting"] == ["new1"]


def test_refusals_of_all_callers_together_end_a_flood_in_known_names() -> None:
    """Python can name runs that the page knows, but no endless row of them."""
    runs = [run for run in ("r1", "r2", "") for _ in range(2)]
    first = [opening(f"a{n}", f"https://a{n}.test/", run=run) for n, run in enumerate(runs)]
    allowed = [opening(f"b{n}", f"https://b{n}.test/", run=run) for n, run in enumerate(runs)]
    names = [f"a{n}" for n in range(6)]
    result = play(*first, *refused(*names), *allowed)
    assert result["flooded"] == [f"b{n}" for n in range(6)]
    result = play(*first, *refused(*names), *allowed, *refused("b0", "b2", "b4"), opening("new", run="r3"))
    assert result["waiting"] == [] and "until" in result["outcomes"]["new"]


def test_what_was_refused_is_not_asked_again_in_the_same_words() -> None:
    steps = [opening("a", run=None), ["answer", "a", "refuse"], opening("same", run=None, tool="another")]
    other = opening("other", "https://example.org/b", run=None)
    result = play(*steps, other, ["wait", 60_001], opening("a minute later", run=None))

    assert result["outcomes"]["same"] == REFUSED_AT_ONCE
    assert result["waiting"] == ["other", "a minute later"]


def test_the_same_command_is_not_asked_again_with_another_hour() -> None:
    first, second = commanding("a", "rm -r x", "rm"), commanding("b", "rm -r x", "rm")
    first[2]["facts"]["until"], second[2]["facts"]["until"] = "2026-01-02T04:05:00Z", "2026-01-02T04:06:00Z"
    assert play(first, ["answer", "a", "refuse"], second)["outcomes"]["b"] == REFUSED_AT_ONCE


def test_the_person_s_own_address_is_asked_whatever_was_refused() -> None:
    facts = {"url": "https://example.org/b", "origin": "https://example.org"}
    visit = ["ask", "visit", {"kind": "visit", "facts": facts, "words": {"caller": "person"}}]
    again = ["ask", "again", {"kind": "visit", "facts": facts, "words": {"caller": "person"}}]
    result = play(
        *asking(3, None), *refused("host0", "host1", "host2"), visit, ["answer", "visit", "refuse"], again
    )

    assert result["waiting"] == ["again"]


def test_a_caller_is_refused_at_one_press_and_asks_again_at_another() -> None:
    steps = [*asking(6, None), opening("other", run="r1"), ["refuseCaller", "host3"]]
    result = play(*steps, *asking(1, "invented", site="new"))
    assert result["waiting"] == ["other"] and result["outcomes"]["new0"] == REFUSED_AT_ONCE
    assert play(*steps, ["askAgain"], *asking(1, None, site="new"))["waiting"] == ["other", "new0"]
    assert play(*steps, ["refuseWaiting"])["waiting"] == []


def test_only_the_person_s_restart_of_python_ends_refusals_in_a_row() -> None:
    steps = [START, *asking(3, None), *refused("host0", "host1", "host2")]
    again = asking(1, None, site="new")
    assert play(*steps, START, *again)["outcomes"]["new0"] == REFUSED_AT_ONCE
    assert play(*steps, *PRESS, *again)["waiting"] == ["new0"]


def test_a_flood_is_more_than_a_few_questions() -> None:
    assert play(*asking(3, None), opening("other", run="r1"))["flooded"] == []
    result = play(*asking(4, None), opening("other", run="r1"))
    assert result["flooded"] == ["host0", "host1", "host2", "host3"]
    two = [*asking(3, None, "r1"), *refused("host0", "host1")]
    assert play(*two)["flooded"] == ["host2"]
    coming = [
        step for n in range(8) for step in ([*asking(1, None, site=f"s{n}-")], [["withdraw", f"s{n}-0"]])
    ]
    assert play(*(each for step in coming for each in step), opening("last", run=None))["flooded"] == ["last"]


def test_a_caller_with_many_questions_starves_no_other() -> None:
    many = asking(60, "invented")
    result = play(*many, *asking(3, None, "r1", "run"))

    assert len(result["waiting"]) == 50
    assert {"run0", "run1", "run2", "host0", "host46"} <= set(result["waiting"])
    assert result["outcomes"]["host49"] == {"allowed": False, "decision": "full"}


@in_turn(
    "asked",
    [
        {
            "kind": "open",
            "facts": {"url": "https://a.test/", "origin": "https://a.test"},
            "words": {"run": "r" * 70_000},
        },
        {"kind": "tool", "facts": {}, "words": {"arguments": {"a": ["x" * 40_000] * 2}}},
        {"kind": "tool", "facts": {}, "words": {"arguments": {"n" * 70_000: 1}}},
        {"kind": "script", "facts": {"origin": "https://a.test", "code": "1;" * 40_000}, "words": {}},
    ],
    ids=["run", "texts", "names", "facts"],
)
def test_a_question_that_nobody_can_read_is_refused(asked: dict[str, Any]) -> None:
    result = play(["ask", "a", asked])

    assert "more than 65,536 characters" in result["outcomes"]["a"] and result["waiting"] == []


def test_an_owner_can_offer_fewer_answers() -> None:
    request: Step = commanding("a", "make", "make", answers=["once"])
    with pytest.raises(subprocess.CalledProcessError):
        play(request, ["answer", "a", "program"])


def test_every_script_in_a_document_is_asked() -> None:
    asked = {"kind": "script", "facts": {"origin": "https://a.test", "code": "1"}, "words": {"run": "r1"}}
    result = play(["ask", "a", asked], ["answer", "a", "once"], ["ask", "b", asked])

    assert result["waiting"] == ["b"]
    with pytest.raises(subprocess.CalledProcessError):
        play(["ask", "a", asked], ["answer", "a", "always"])


@in_turn("name", ["constructor", "toString", "", "shell"])
def test_unknown_kinds_are_rejected(name: str) -> None:
    result = play(["ask", "a", {"kind": name, "facts": {}}])

    assert "unknown kind of question" in result["outcomes"]["a"]


def test_grants_are_revoked_one_by_one_or_all() -> None:
    three = [
        opening("a"),
        ["answer", "a", "always"],
        fetching("b"),
        ["answer", "b", "always"],
        fetching("c", access="send"),
        ["answer", "c", "run"],
    ]
    result = play(*three, ["revoke", 0], opening("again"), fetching("still"))
    assert result["waiting"] == ["again"] and result["outcomes"]["still"]["allowed"]

    result = play(*three, ["revokeAll"], ["load"], opening("x"), fetching("y"), fetching("z", access="send"))
    assert result["waiting"] == ["x", "y", "z"]


def test_a_stored_grant_applies() -> None:
    assert play(["store", json.dumps([ALWAYS])], ["load"], opening("a"))["outcomes"]["a"]["allowed"]


@in_turn(
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
def test_invalid_stored_text_grants_nothing(text: str) -> None:
    result = play(["store", text], ["load"], opening("a"))

    assert result["waiting"] == ["a"]


def test_what_the_person_enters_answers_one_question() -> None:
    facts = {"origin": "https://git.test", "repository": "https://git.test/a.git", "access": "read"}
    entered = {"user": "ada", "password": "secret", "keep": False}
    first, second = (
        ["ask", name, {"kind": "sign-in", "facts": facts, "words": {"run": "r1"}}] for name in "ab"
    )
    result = play(first, second, ["answer", "a", "once", entered])

    assert result["outcomes"] == {"a": {"allowed": True, "decision": "once", "entered": entered}}
    assert result["waiting"] == ["b"] and result["standing"] == result["runs"] == []


def test_an_entered_address_opens_with_an_earlier_permission_and_grants_nothing() -> None:
    facts = {"url": "https://example.org/b", "origin": "https://example.org"}
    visit = ["ask", "visit", {"kind": "visit", "facts": facts, "words": {"caller": "person"}}]
    allowed = play(opening("before"), ["answer", "before", "always"], visit)
    assert allowed["outcomes"]["visit"] == {"allowed": True, "decision": "once", "standing": True}
    asked = play(visit, ["answer", "visit", "once"], opening("agent"))
    assert asked["outcomes"]["visit"]["allowed"] and asked["waiting"] == ["agent"] and asked["standing"] == []


def test_a_python_that_starts_again_learns_which_runs_wait() -> None:
    """It knows no question of the page that it was in before, so an equal one is reported to it, too."""
    reports = play(
        ["kernel", "ready"],
        opening("before"),
        ["kernel", "booting"],
        START,
        ["withdraw", "before"],
        ["kernel", "ready"],
        opening("after"),
        ["answer", "after", "once"],
    )["reported"]
    waits = ["consent/waiting", "r1"]
    assert reports == [waits, waits, ["consent/waiting"]]


def test_python_learns_which_calls_wait() -> None:
    facts = {"url": "https://example.org/", "origin": "https://example.org"}
    asked = ["ask", "a", {"kind": "open", "facts": facts, "words": {"caller": "mcp:a", "call": 7}}]
    reports = play(["kernel", "ready"], asked, ["answer", "a", "refuse"])["reported"]
    assert reports == [["consent/waiting", 7], ["consent/waiting"]]
