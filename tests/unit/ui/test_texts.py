"""Fuzzy matching, and the escaping of hidden characters."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled_module
from tests.tiers import in_turn


def call(module: str, name: str, *arguments: Any) -> Any:
    command = [
        find_node().node,
        Path(__file__).with_name("called.mjs"),
        compiled_module(module).as_uri(),
        name,
        json.dumps(arguments),
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def exact(text: str) -> str:
    """Return a command as it is shown, with the marked parts in brackets."""
    pieces = call("ui/lib/lookalikes.ts", "exactPieces", text)
    return "".join(piece["text"] if piece["problem"] is None else f"[{piece['text']}]" for piece in pieces)


@in_turn(
    "text",
    [
        "rm -rf /tmp/x; echo 'ok' | grep -v \"a\"\n",
        "café naïve Straße łø ñ İstanbul m̃",
        "cafe\u0301 in two characters",
        "Việt Nam",
        "日本語ファイル（副本）、ノート.txt",
        "二〇二五年",
        "한국어.txt",
        "привет мир",
        "Ελληνικά",
        "עברית שָׁלוֹם",
        "مرحبا بالعالم",
        "हिन्दी में",
        "ไทยภาษาที่",
        "2² H₂O ™ ½ € 5°",
        "👍🏽",
    ],
)
def test_texts_of_all_scripts_stay_readable(text: str) -> None:
    assert exact(text) == text


@in_turn(
    ("text", "shown"),
    [
        ("\u0430pt install", "[а]pt install"),
        ("s\u03bfdo", "s[ο]do"),
        ("\u0441\u043e\u0440\u0443 x", "[с][о][р][у] x"),
        ("paypа1.com", "payp[а]1.com"),
        ("ls\u037e rm", "ls[\u037e] rm"),
        ("\u2215etc\u2044x\u2024y", "[∕]etc[⁄]x[․]y"),
        ("\uff0fetc", "[／]etc"),
        ("\U0001d42c\U0001d42e", "[𝐬][𝐮]"),
        ("\uff4c\uff53", "[ｌ][ｓ]"),
        ("git \u2013f \u2014x \u2010y \u1806z", "git [–]f [—]x [‐]y [᠆]z"),
        ("\u201cx\u201d \u2019", "[“]x[”] [’]"),
        ("ad\u0131ma", "ad[ı]ma"),
        ("\u13a0\u13a1", "[Ꭰ][Ꭱ]"),
        ("safe\u0336", "safe[U+0336]"),
        ("x\u20dd", "x[U+20DD]"),
        ("o\u0325\u0326\u0327", "o[U+0325 U+0326 U+0327]"),
        (";\u0301", ";[U+0301]"),
        ("\u0301x", "[U+0301]x"),
        ("\ue000\uffff\ufffc", "[\\ue000][\\uffff][\\ufffc]"),
        ("\U0001d159\U000f0000", "[\\ud834\\udd59][\\udb80\\udc00]"),
        ("a\ufe0f\U000e0041\u3164\u115f", "a[\\ufe0f][\\udb40\\udc41][\\u3164][\\u115f]"),
        ("\ud800x", "[\\ud800]x"),
    ],
)
def test_characters_that_look_like_others_are_marked(text: str, shown: str) -> None:
    assert exact(text) == shown


@in_turn(
    ("text", "empty"),
    [
        ("a\n\n\nb", []),
        ("a" + "\n" * 401 + "b", ["400 empty lines"]),
        ("a\n" + " \t\u00a0\n" * 4 + "b\n\n\n\n\n", ["4 empty lines", "4 empty lines"]),
        ("a" + " " * 39 + "b", []),
        ("a" + " " * 6000 + "b" + "\u3000" * 40, ["6,000 spaces", "40 spaces"]),
        ("\n" * 65_000, ["65,000 empty lines"]),
        (" " * 65_000, ["65,000 spaces"]),
    ],
)
def test_long_runs_of_nothing_are_folded_without_loss(text: str, empty: list[str]) -> None:
    pieces = call("ui/lib/format.ts", "emptyRuns", text)

    assert "".join(piece["text"] for piece in pieces) == text
    assert [piece["empty"] for piece in pieces if piece["empty"]] == empty


@pytest.mark.parametrize(
    ("before", "text", "changed"),
    [
        ("https://a.test/page", "https://a.test/page?SECRET", "?SECRET"),
        ("https://a.test/page?SECRET", "https://a.test/page", ""),
        ("https://a.test/1/x", "https://a.test/2/x", "2"),
        ("https://a.test/😀", "https://a.test/😁", "😁"),
        ("https://a.test/", "https://a.test/", None),
        ("https://a.test/", "ls -la /home/ada", None),
        ("", "ls", None),
    ],
)
def test_the_difference_of_almost_equal_texts_is_found(before: str, text: str, changed: str | None) -> None:
    found = call("ui/lib/format.ts", "changedPart", text, before)
    if found is not None:
        start, end = (len(text.encode("utf-16-le")[: 2 * at].decode("utf-16-le")) for at in found)
        found = text[start:end]
    assert found == changed


def match(typed: str, text: str) -> str | None:
    """Return the text with matches in brackets."""
    found = call("ui/omnibar/fuzzy.ts", "fuzzyMatch", typed, text)
    if found is None:
        return None
    return "".join(f"[{each['text']}]" if each["match"] else each["text"] for each in found["pieces"])


@in_turn(
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


@in_turn(
    ("typed", "better", "worse"),
    [
        ("term", "New terminal", "The error message"),
        ("set", "Open Settings", "Beset all"),
        ("open", "Open Files", "Reopen"),
        ("fl", "file_list", "shuffle"),
    ],
)
def test_the_better_match_comes_first(typed: str, better: str, worse: str) -> None:
    scores = [call("ui/omnibar/fuzzy.ts", "fuzzyMatch", typed, text)["score"] for text in (better, worse)]
    assert scores[0] > scores[1]


@in_turn(
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
    pieces = call("ui/lib/format.ts", "shownPieces", text)
    assert "".join(f"<{each['text']}>" if each["hidden"] else each["text"] for each in pieces) == shown


def test_short_forms_of_texts_reorder_nothing_beside_them() -> None:
    """They stand within sentences of the surface, as in the status line."""
    assert call("ui/lib/format.ts", "firstLine", "\n a\u202eb\nc", 40) == "a\\u202eb"
    assert call("ui/lib/format.ts", "firstLine", "x" * 40 + "\u202e", 40) == "x" * 39 + "…"
    assert call("ui/lib/format.ts", "oneLine", {"a": "\u202e"}, 40) == '{"a":"\\u202e"}'
