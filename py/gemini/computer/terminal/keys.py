"""Decode the characters that a keyboard sends to a terminal into named keys.

The sequences come from xterm ("XTerm Control Sequences", section "PC-Style Function Keys") and older terminals,
whose Home and End differ.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Key(NamedTuple):
    """One key.

    Attributes:
        name: `text`, `paste`, or the name of the key: `left`, `ctrl-a`, `alt-b`.
        text: The characters of `text` and `paste`.
    """

    name: str
    text: str = ""


_PASTE_END = "\x1b[201~"

_TEXT = re.compile(r"[^\x00-\x1f\x7f]+")

_SEQUENCE = re.compile(
    r"\x1b+(?:\[(?P<parameters>[0-?]{0,32})[ -/]{0,4}(?P<final>[@-~])"
    r"|O(?P<function>[ -~])"
    r"|\][0-9][^\x00-\x1f\x7f]*(?:\x07|\x1b\\)"
    r"|(?P<meta>\](?![0-9])|[^\x00-\x1f\x7f\[O\]]|[\r\n\b\x7f]))"
)
_UNFINISHED = re.compile(r"\x1b+(?:\[[0-?]{0,32}[ -/]{0,4}|O|\]|\][0-9][^\x00-\x1f\x7f]*\x1b?)?\Z")
_BROKEN = re.compile(r"\x1b+(?:\[[0-?]{0,32}[ -/]{0,4}|O|\][0-9][^\x00-\x1f\x7f]*)?")

_FINALS = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end"}
_NUMBERS = {
    "1": "home",
    "7": "home",
    "4": "end",
    "8": "end",
    "3": "delete",
    "5": "page-up",
    "6": "page-down",
    "200": "paste",
}
_CONTROLS = {"\r": "enter", "\n": "enter", "\t": "tab", "\b": "backspace", "\x7f": "backspace"}


class KeyDecoder:
    """Decodes the characters of a keyboard into keys, in chunks of any size.

    A lone Escape looks like the start of a sequence, so it waits for the next character, as in every line editor
    without a timer. Unknown sequences, and the terminal's replies (`ESC ]`, `ESC [ … R`), produce no key. If a control
    character interrupts a sequence, the sequence is dropped and the control character is decoded.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._pasted: list[str] | None = None
        self._after_return = False

    def feed(self, characters: str) -> Iterator[Key]:
        """Yield the keys that these characters complete; exhaust the iterator."""
        data = self._rest + characters
        self._rest = ""
        position = 0
        while position < len(data):
            if self._pasted is not None:
                key, position = self._paste(self._pasted, data, position)
            elif data[position] == "\x1b":
                key, position = self._sequence(data, position)
            elif text := _TEXT.match(data, position):
                key, position = Key("text", text[0]), text.end()
            else:
                key, position = self._control(data[position]), position + 1
            if key is not None:
                self._after_return = key.name == "enter" and data[position - 1] == "\r"
                yield key

    def _control(self, character: str) -> Key | None:
        if character == "\n" and self._after_return:
            # "\r\n" is one Enter.
            self._after_return = False
            return None
        return Key(_CONTROLS.get(character) or f"ctrl-{chr(ord(character) ^ 0x40).lower()}")

    def _sequence(self, data: str, position: int) -> tuple[Key | None, int]:
        if match := _SEQUENCE.match(data, position):
            return self._decode(match), match.end()
        if _UNFINISHED.match(data, position):
            self._rest = data[position:]
            return None, len(data)
        broken = _BROKEN.match(data, position)
        return None, broken.end() if broken else position + 1

    def _decode(self, match: re.Match[str]) -> Key | None:
        if meta := match["meta"]:
            return Key(f"alt-{_CONTROLS.get(meta) or meta.lower()}")
        number, _, modifiers = (match["parameters"] or "").partition(";")
        final = match["final"] or match["function"]
        if final is None:
            return None
        name = _NUMBERS.get(number) if final == "~" else _FINALS.get(final)
        if name == "paste":
            self._pasted = []
            return None
        return Key(_modifier(modifiers) + name) if name else None

    def _paste(self, pasted: list[str], data: str, position: int) -> tuple[Key | None, int]:
        end = data.find(_PASTE_END, position)
        if end < 0:
            partial = next(
                n for n in range(len(_PASTE_END) - 1, -1, -1) if data.endswith(_PASTE_END[:n], position)
            )
            pasted.append(data[position : len(data) - partial])
            self._rest = data[len(data) - partial :]
            return None, len(data)
        pasted.append(data[position:end])
        self._pasted = None
        text = "".join(pasted).replace("\r\n", "\n").replace("\r", "\n")
        return Key("paste", text), end + len(_PASTE_END)


def _modifier(parameter: str) -> str:
    """Return the prefix of a key with modifiers, which xterm encodes as 1 + (1: Shift, 2: Alt, 4: Control)."""
    held = int(parameter) - 1 if parameter.isascii() and parameter.isdigit() else 0
    if held & 4:
        return "ctrl-"
    return "alt-" if held & 2 else ""
