"""The sizes that the page accepts at its ports."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled

BRIDGE = Path(__file__).parents[3] / "webmcp_bridge.js"
MODULES = ("shared/limits.ts", "kernel/blobs.ts")


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    script = Path(__file__).with_name("sizes.mjs")
    command = [find_node().node, script, compiled(*MODULES).as_uri(), BRIDGE.as_uri()]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def test_a_value_is_measured_without_being_copied(seen: dict[str, Any]) -> None:
    assert seen["sizes"].pop("text") == 101
    assert all(seen["sizes"].values()), seen["sizes"]


def test_a_request_that_is_too_long_is_refused_and_the_next_one_is_answered(seen: dict[str, Any]) -> None:
    first, second, third = seen["answers"][:3]
    assert (first, third) == (5, 11)
    assert second == "InvalidArguments: The message has more than 1000 characters."


def test_an_answer_that_is_too_long_rejects_its_request(seen: dict[str, Any]) -> None:
    long, short = seen["answers"][3:]
    assert long.startswith("ProtocolError: The answer has 2,036 characters, more than the 1,000")
    assert short == "x" * 10
    # Events that are too long, and messages that are no text, are dropped.
    assert seen["heard"] == [] and seen["errors"] == 2


def test_offers_of_blobs_are_limited(seen: dict[str, Any]) -> None:
    assert seen["taken"] == ["kernel-0", "last"]


def test_a_text_is_cut_with_its_size(seen: dict[str, Any]) -> None:
    assert seen["cut"] == "xxxx… (5,000 characters)"
