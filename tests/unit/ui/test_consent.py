"""The page's queue of questions and its grants: what is asked, what an answer covers, and what ends it."""

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
    """Play steps on the page's consent and return `{outcomes, waiting, standing, reported, runs}`."""
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
# The person presses Restart Python, and the earlier Python has ended.
PRESS: list[Step] = [["start", True], ["renew"]]
TAINT: Step = ["taint", "r1", "file_read path=/project/mail.txt"]
LASTING: list[Step] = [opening("a"), ["answer", "a", "always"]]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
        opening("no run again", run=None),
    )

    assert result["outcomes"]["again"] == {"allowed": False, "decision": "refuse", "standing": True}
    assert result["waiting"] == ["other run", "no run again"]


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


@pytest.mark.parametrize("name", ["constructor", "toString", "", "shell"])
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
