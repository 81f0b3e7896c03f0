"""The page's connection to its kernel."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from builder.npm import find_node

MODULE = Path(__file__).parents[3] / "webmcp_bridge.js"


def test_messages_of_an_ended_kernel_do_not_arrive() -> None:
    script = Path(__file__).with_name("connection.mjs")
    command = [find_node().node, script, MODULE.as_uri()]
    received = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    assert received == ["first of the new kernel"]


def test_each_kind_of_client_gets_the_tools_that_it_takes() -> None:
    """The tools are a to e, of which d and e are lean, and x and y, which are those of code mode."""
    command = [find_node().node, Path(__file__).with_name("bridge.mjs"), MODULE.as_uri()]
    ran = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)

    assert ran["native"] == [["deabc", None], ["de", None], ["deabc", None], ["xy", None], ["deabc", None]]
    assert ran["frozen"] == [["de", "few"], ["deabc", None], ["de", None]]
    assert ran["older"] == [["de", "few"], ["deabc", None], ["de", "few"]]
    # The client that refuses all after three has the lean list instead of a part.
    assert ran["limited"] == [["de", "limit"], ["dea", None], ["de", "limit"]]
    # One that refuses a single tool has the others.
    assert ran["picky"] == [["deac", None]]
    assert ran["errors"] == ["Tools can't be registered: Error: refused b", "refused b"]


def test_both_ends_ask_and_answer() -> None:
    command = [find_node().node, Path(__file__).with_name("answering.mjs"), MODULE.as_uri()]
    ran = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    answers = ran["answers"]
    assert (answers["double"], answers["name"], answers["nothing"]) == (8, "other", None)
    typed = {"type": "FileMissing", "message": "no file", "hint": "Look first.", "data": {"path": "a"}}
    assert answers["typed"].items() >= typed.items()
    assert (answers["broken"]["type"], answers["broken"]["message"]) == ("PageFailure", "TypeError: a bug")
    # Names that every object has are no methods.
    assert answers["missing"]["message"] == 'there is no method "toString"'
    assert answers["cancelled"] == "enough"
    assert ran["heard"] == [{"first": 1}]
    assert ran["codes"] == [[None, -32700], [None, -32700], [None, -32700], [7, -32600]]
