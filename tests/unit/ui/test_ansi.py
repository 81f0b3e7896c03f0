"""Colors and overwritten text in the console's output."""

from __future__ import annotations

from typing import Any

from tests.tiers import in_turn
from tests.unit.ui.test_texts import call

CASES: list[tuple[str, list[Any]]] = [
    ("plain\ttext\n", ["plain\ttext\n"]),
    ("\x1b[31mred\x1b[0m, \x1b[1;32mbold\x1b[22m green\x1b[39m.", [
        ("red", {"color": "var(--terminal-red)"}),
        ", ",
        ("bold", {"color": "var(--terminal-green)", "bold": True}),
        (" green", {"color": "var(--terminal-green)"}),
        (".", {}),
    ]),
    ("\x1b[38;5;208ma\x1b[48;5;250mb\x1b[0;38;5;9mc\x1b[38:2:1:2:3md", [
        ("a", {"color": "rgb(255 135 0)"}),
        ("b", {"color": "rgb(255 135 0)", "background": "rgb(188 188 188)"}),
        ("c", {"color": "var(--terminal-red)"}),
        ("d", {"color": "rgb(1 2 3)"}),
    ]),
    ("\x1b[7;94;103mx", [
        ("x", {"inverse": True, "color": "var(--terminal-blue)", "background": "var(--terminal-yellow)"}),
    ]),
    # Progress bars.
    (" 10%|#   |\r100%|####|\n", ["100%|####|\n"]),
    ("first\rsec", ["secst"]),
    ("a long line\r\x1b[Kshort", ["short"]),
    ("one\ntwo\x1b[1A\r\x1b[2KONE\n\x1b[2KTWO", ["ONE\nTWO"]),
    ("one\ntwo\n\x1b[2A\x1b[Jnew", ["new"]),
    ("ab\b\bX", ["Xb"]),
    ("a\x1b[3Cb\x1b[1Gc", ["c   b"]),
    ("gone\x1b[2J\x1b[Hhere", ["here"]),
    # What has no effect.
    ("\x1b]8;;https://x.example/\x1b\\link\x1b]8;;\x07\x1b[?25l\x1b(B\x07.", ["link."]),
    ("\x1b[999999999Cx", [" " * 2000 + "x"]),
    ("👍\x1b[1m👍", ["👍", ("👍", {"bold": True})]),
    ("cut \x1b[3", ["cut "]),
]  # fmt: skip


@in_turn(("text", "expected"), CASES)
def test_output_is_as_a_terminal_leaves_it(text: str, expected: list[Any]) -> None:
    runs = [(run["text"], run["style"]) for run in call("ui/panels/python/ansi.ts", "runsOf", text)]
    assert runs == [(each, {}) if isinstance(each, str) else each for each in expected]
