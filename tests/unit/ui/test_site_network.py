"""The hosts that pages made of files may reach: by the user's answers, and as long as those count."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from builder.npm import find_node
from tests.compiling import compiled
from tests.tiers import in_turn

MODULES = (
    *("ui/consent/consent.ts", "ui/consent/grants.ts", "ui/consent/record.ts"),
    "ui/panels/browser/site_network.ts",
)
ROOT, HOST, OTHER = "/project/a", "https://a.example", "https://b.example"
HOUR_MS = 3_600_000


def play(*steps: list[Any]) -> list[dict[str, Any]]:
    """Play steps; return `{value, hosts, listed}` after each: the hosts of the site, and the number of grants."""
    command = [
        find_node().node,
        Path(__file__).with_name("site_network.mjs"),
        compiled(*MODULES).as_uri(),
        json.dumps(steps),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def allow(answer: str, root: str = ROOT, host: str = HOST) -> list[Any]:
    return ["allow", root, host, answer]


def hosts(*steps: list[Any]) -> list[str]:
    return play(*steps)[-1]["hosts"]


@in_turn("answer", ["run", "hour", "always"])
def test_each_answer_is_for_one_host_of_one_site_and_is_listed(answer: str) -> None:
    allowed, other = play(allow(answer), allow(answer, "/project/a/b", OTHER))
    assert (allowed["value"], allowed["hosts"], allowed["listed"]) == (True, [HOST], 1)
    assert (other["hosts"], other["listed"]) == ([HOST], 2)
    assert hosts(allow(answer), allow(answer, host=OTHER)) == [HOST, OTHER]
    assert hosts(allow(answer), ["cutOff", "/project/a/b"]) == [HOST]
    assert hosts(allow(answer), ["cutOff", ROOT]) == hosts(allow(answer), ["revokeAll"]) == []


def test_a_refusal_allows_nothing() -> None:
    [refused, again] = play(allow("refuse"), allow("run"))
    assert (refused["value"], refused["hosts"], again["hosts"]) == (False, [], [HOST])


@in_turn(
    ("step", "left"),
    [
        (["leave", ROOT], {"hour", "always"}),
        (["load"], {"hour", "always"}),
        (["wait", HOUR_MS - 60_000], {"run", "hour", "always"}),
        (["wait", HOUR_MS + 60_000], {"always"}),
        (["taint"], {"run"}),
    ],
    ids=["leave", "load", "within the hour", "after the hour", "taint"],
)
def test_an_answer_ends(step: list[Any], left: set[str]) -> None:
    assert {answer for answer in ("run", "hour", "always") if hosts(allow(answer), step)} == left


@in_turn("answer", ["run", "hour", "always"])
def test_an_answer_after_text_from_outside_counts_in_this_visit(answer: str) -> None:
    assert hosts(["taint"], allow(answer)) == [HOST]
    assert hosts(allow(answer), ["taint"], allow(answer)) == [HOST]
    assert hosts(["taint"], allow(answer), ["load"]) == []


def test_a_site_whose_name_holds_another_one_s_answer_gets_nothing() -> None:
    tricky = f"{ROOT} reach {OTHER}"
    assert hosts(allow("always", tricky)) == []
    assert hosts(allow("always"), ["cutOff", tricky]) == [HOST]


NAMES = {
    "a.example": HOST,
    " HTTPS://A.Example/path?x#y ": HOST,
    "wss://a.example": HOST,
    "ws://a.example:81": "http://a.example:81",
    "user:secret@a.example": HOST,
    "bücher.example": "https://xn--bcher-kva.example",
    "http://127.0.0.1:8000": "http://127.0.0.1:8000",
    "http://0x7f.1": "http://127.0.0.1",
    "https://own.example": None,
    "https://a.example;connect-src *": None,
    "https://*.example": None,
    "*": None,
    "": None,
    "[::1]": None,
    "file:///etc": None,
    "javascript:alert(1)": None,
    "data:text/html,x": None,
    "blob:https://a.example/1": None,
    "https://a.example'": None,
    "https://a_b.example": None,
}


def test_a_host_is_an_origin_that_a_policy_can_name() -> None:
    found = play(*(["hostOf", text] for text in NAMES))
    assert {text: row["value"] for text, row in zip(NAMES, found, strict=True)} == NAMES
