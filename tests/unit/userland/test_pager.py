"""The pager of `less` and `man`, on a screen of 40 columns and 6 rows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gemini.computer.terminal.emulator import Emulator
from gemini_userland import run
from gemini_userland.invocation import Display, Invocation, Machine, Output

COLUMNS, ROWS = 40, 6
NUMBERS = "".join(f"line {number}\n" for number in range(1, 31)).encode()


class Watched:
    """A terminal whose user presses keys, and its screen after each."""

    def __init__(self, keys: Sequence[str], sizes: Sequence[tuple[int, int]] = ()) -> None:
        self._keys = list(keys)
        self._sizes = list(sizes)
        self.size = (COLUMNS, ROWS)
        self.emulator = Emulator(*self.size, 100)
        self.screens: list[list[str]] = []

    async def read_keys(self) -> list[str] | None:
        self.screens.append(self.emulator.row_texts())
        if self._sizes:
            self.size = self._sizes.pop()
            self.emulator = Emulator(*self.size, 100)
            return []
        return [self._keys.pop(0)] if self._keys else None

    async def runs(self, argv: list[str], stdin: bytes = NUMBERS, cwd: str = "/") -> int:
        display = Display(lambda: self.size, self.read_keys)
        output = Output(lambda data: self.emulator.feed(data.decode().replace("\n", "\r\n")))
        invocation = Invocation(
            argv, stdin, cwd, stdout=output, machine=Machine(display=display), watched=frozenset([1])
        )
        return await run(invocation)

    @property
    def last(self) -> list[str]:
        """The screen after the last key."""
        return self.screens[-1]


async def screen(keys: str | list[str], options: str = "", stdin: bytes = NUMBERS) -> list[str]:
    """Return the screen of less after keys."""
    watched = Watched(list(keys))
    assert await watched.runs(["less", *options.split()], stdin) == 0
    return watched.last


def lines(first: int, last: int, prompt: str = ":") -> list[str]:
    """Return the screen that shows lines of NUMBERS."""
    return [*(f"line {number}" for number in range(first, last + 1)), prompt]


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        ([], 1),
        ([" "], 6),
        (["f", "ctrl-f"], 11),
        (["page-down", "page-down", "b"], 6),
        (["d", "d", "u"], 3),
        (["j", "down", "enter", "k"], 3),
        (["7", "j"], 8),
        (["1", "2", "g"], 12),
        (["G", "g"], 1),
        (["up"], 1),
    ],
)
async def test_keys_scroll(keys: list[str], first: int) -> None:
    assert await screen(keys) == lines(first, first + 4)


async def test_the_end_is_shown_and_no_key_passes_it() -> None:
    assert await screen(["G"]) == lines(26, 30, "(END)")
    assert await screen(["G", " ", "j"]) == lines(26, 30, "(END)")
    assert await screen([], stdin=b"one\ntwo\n") == ["one", "two", "~", "~", "~", "(END)"]


async def test_a_search_finds_goes_on_and_returns() -> None:
    assert (await screen([*"/2$", "enter"]))[0] == "line 2"
    assert (await screen([*"/1$", "enter"]))[0] == "line 1"
    assert (await screen([*"/2$", "enter", "n"]))[0] == "line 12"
    assert (await screen([*"/2$", "enter", "n", "n", "N"]))[0] == "line 12"
    assert (await screen(["G", *"?line 1.", "enter"]))[0] == "line 19"
    assert (await screen([*"/nothing", "enter"]))[-1] == "Pattern not found"
    assert (await screen([*"/(", "enter"]))[-1].startswith("Invalid pattern")
    assert (await screen([*"/LINE 7", "enter"], "-i"))[-1] == "Pattern not found"
    assert (await screen([*"/line 7", "enter"], "-i", b"\n" * 9 + b"LINE 7\n"))[0] == "LINE 7"
    assert (await screen([*"/x", "backspace", "backspace", "j"]))[0] == "line 2"


async def test_long_lines_wrap_or_are_cut_off() -> None:
    long = b"x" * 90 + b"\n" + "日".encode() * 25 + b"\nend\n"
    wrapped = ["x" * 40, "x" * 40, "x" * 10, "日" * 20, "日" * 5]
    assert (await screen([], stdin=long))[:5] == wrapped
    assert (await screen([], "-S", long))[:3] == ["x" * 40, "日" * 20, "end"]
    assert (await screen(["-", "S"], stdin=long))[:3] == ["x" * 40, "日" * 20, "end"]
    assert (await screen(["right", "right", "right", "right"], "-S", long))[:2] == ["x" * 10, ""]


async def test_lines_have_numbers_and_control_characters_are_visible() -> None:
    assert (await screen([], "-N", b"a\tb\n"))[0] == "      1 a       b"
    assert (await screen([], "", b"\x1b[31mred\x1b[m \x01\n"))[0] == "ESC[31mredESC[m ^A"
    assert (await screen([], "-R", b"\x1b[31mred\x1b[m\n"))[0] == "red"


async def test_files_follow_each_other(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("files")
    for name in ("one", "two"):
        (folder / name).write_text(f"{name}\n")
    watched = Watched([":", "n"])
    await watched.runs(["less", "one", "two"], cwd=str(folder))
    assert watched.screens[0][-1] == "one"
    assert (watched.last[0], watched.last[-1]) == ("two", "two (file 2 of 2)")


async def test_it_leaves_the_screen_as_it_was() -> None:
    watched = Watched(["q"])
    watched.emulator.feed("before\r\n")
    assert await watched.runs(["less"]) == 0
    assert watched.last == lines(1, 5)
    assert watched.emulator.row_texts()[0] == "before"


async def test_a_resize_draws_again() -> None:
    watched = Watched([], sizes=[(COLUMNS, 4)])
    await watched.runs(["less"])
    assert watched.last == lines(1, 3)


async def test_what_fits_is_printed_with_f_and_by_man() -> None:
    watched = Watched([])
    assert await watched.runs(["less", "-F"], b"one\ntwo\n") == 0
    assert watched.screens == [] and watched.emulator.row_texts()[:2] == ["one", "two"]
    watched = Watched(["q"])
    assert await watched.runs(["man", "ls"]) == 0
    assert watched.last[-1] == "Manual page ls"


async def test_help_lists_the_keys_and_returns() -> None:
    watched = Watched(["h"])
    await watched.runs(["less"])
    assert "quit" in watched.screens[1][0]
    assert await screen(["j", "h", "q"]) == lines(2, 6)
