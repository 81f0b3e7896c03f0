"""Fuzzy matching, and the escaping of hidden characters."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node

UI = Path(__file__).parents[3] / "web/ui"


def call(module: str, name: str, *arguments: Any) -> Any:
    command = [
        find_node().node,
        Path(__file__).with_name("called.mjs"),
        (UI / module).as_uri(),
        name,
        json.dumps(arguments),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def match(typed: str, text: str) -> str | None:
    """Return the text with matches in brackets."""
    found = call("omnibar/fuzzy.js", "fuzzyMatch", typed, text)
    if found is None:
        return None
    return "".join(f"[{each['text']}]" if each["match"] else each["text"] for each in found["pieces"])


@pytest.mark.parametrize(
    ("typed", "text", "found"),
    [
        ("opac", "Open Activity", "[Op]en [Ac]tivity"),
        ("browsnap", "browser_snapshot", "[brows]er_s[nap]shot"),
        ("TERM", "New terminal", "New [term]inal"),
        ("nt", "New Terminal", "[N]ew [T]erminal"),
        ("fw", "fileWrite", "[f]ile[W]rite"),
        ("", "Anything", "Anything"),
        ("ß👍", "Straße 👍", "Stra[ß]e [👍]"),
        ("zz", "Open", None),
        ("nepo", "Open", None),
    ],
)
def test_letters_match_in_order(typed: str, text: str, found: str | None) -> None:
    assert match(typed, text) == found


@pytest.mark.parametrize(
    ("typed", "better", "worse"),
    [
        ("term", "New terminal", "The error message"),
        ("set", "Open Settings", "Beset all"),
        ("open", "Open Files", "Reopen"),
        ("fl", "file_list", "shuffle"),
    ],
)
def test_the_better_match_comes_first(typed: str, better: str, worse: str) -> None:
    scores = [call("omnibar/fuzzy.js", "fuzzyMatch", typed, text)["score"] for text in (better, worse)]
    assert scores[0] > scores[1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ntext, ä 漢 👍", "plain\ntext, ä 漢 👍"),
        ("a\u202eb", "a<\\u202e>b"),
        ("pay\u200bpal", "pay<\\u200b>pal"),
        ("tab\there", "tab<\\t>here"),
        ("a\u00a0b", "a<\\u00a0>b"),
        ("\r\n", "<\\u000d>\n"),
        ("fill\u3164er", "fill<\\u3164>er"),
        ("braille\u2800", "braille<\\u2800>"),
        ("\U000e0041", "<\\udb40\\udc41>"),
        ("\\u202e", "\\u202e"),
    ],
)
def test_hidden_characters_are_shown_escaped(text: str, shown: str) -> None:
    pieces = call("format.js", "shownPieces", text)
    assert "".join(f"<{each['text']}>" if each["hidden"] else each["text"] for each in pieces) == shown
