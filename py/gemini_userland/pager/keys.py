"""The keys of the pager."""

from __future__ import annotations

from collections.abc import Callable

from gemini_userland.invocation import Display, Invocation
from gemini_userland.pager.rows import Look
from gemini_userland.pager.screen import ENTER, LEAVE, Pager, Text

Action = Callable[[Pager, "int | None"], None]
"""Acts on a pager, with the number that was typed before the key."""

OPTIONS: dict[str, Callable[[Look], None]] = {
    "S": lambda look: setattr(look, "chop", not look.chop),
    "N": lambda look: setattr(look, "numbers", not look.numbers),
    "R": lambda look: setattr(look, "raw", not look.raw),
    "i": lambda look: setattr(look, "ignore_case", "" if look.ignore_case else "smart"),
    "I": lambda look: setattr(look, "ignore_case", "" if look.ignore_case else "all"),
}


def _by(rows: Callable[[Pager], int], sign: int) -> Action:
    return lambda pager, number: pager.scroll(sign * (number or rows(pager)))


def _window(pager: Pager) -> int:
    return pager.height


def _half(pager: Pager) -> int:
    return max(pager.height // 2, 1)


def _one(_: Pager) -> int:
    return 1


_BY_ACTION: list[tuple[str, Action]] = [
    ("space f ctrl-f ctrl-v page-down", _by(_window, 1)),
    ("b ctrl-b alt-v page-up", _by(_window, -1)),
    ("d ctrl-d", _by(_half, 1)),
    ("u ctrl-u", _by(_half, -1)),
    ("j e enter down ctrl-e ctrl-n", _by(_one, 1)),
    ("k y up ctrl-y ctrl-p", _by(_one, -1)),
    ("g < home alt-<", lambda pager, number: pager.go_to(number)),
    ("G > end alt->", lambda pager, number: pager.go_to(number, end=True)),
    ("right", lambda pager, number: pager.shift(1, number)),
    ("left", lambda pager, number: pager.shift(-1, number)),
    ("n", lambda pager, number: pager.repeat(reverse=False, times=number or 1)),
    ("N", lambda pager, number: pager.repeat(reverse=True, times=number or 1)),
    ("= ctrl-g", lambda pager, _: pager.say(pager.position())),
    ("r ctrl-l", lambda pager, _: pager.lay_out()),
]
ACTIONS = {key.replace("space", " "): action for keys, action in _BY_ACTION for key in keys.split()}


async def show(
    invocation: Invocation, display: Display, texts: list[Text], look: Look, *, always: bool
) -> None:
    """Show documents until the user quits.

    Args:
        invocation: The command that shows them.
        display: The terminal.
        texts: The documents, at least one.
        look: How to show them.
        always: False prints what fits on the screen.
    """

    def write(text: str) -> None:
        invocation.print(text, end="")

    pager = Pager(display, write, texts, look)
    if pager.fits and not always:
        for line in texts[0].lines:
            invocation.print(line)
        return
    write(ENTER)
    try:
        if texts[0].name:
            pager.say(texts[0].name)
        await _Keys(display).obey(pager)
    finally:
        write(LEAVE)


class _Keys:
    """Reads keys one by one.

    Args:
        display: The terminal.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._read: list[str] = []

    async def obey(self, pager: Pager) -> None:
        """Act on keys until one quits, or there are no more."""
        number = ""
        while True:
            pager.draw(f":{number}" if number else None)
            key = await self._next(pager, f":{number}" if number else None)
            if key in (None, "q", "Q"):
                return
            if key in "0123456789" and len(key) == 1:
                number += key
                continue
            if key == ":" and await self._obey_colon(pager):
                return
            if key in ("/", "?"):
                await self._search(pager, key, int(number or 1))
            elif key == "-":
                await self._change_option(pager)
            elif key in ("h", "H"):
                await pager.help(self.obey)
            elif action := ACTIONS.get(key):
                action(pager, int(number) if number else None)
            number = ""

    async def _next(self, pager: Pager, prompt: str | None) -> str | None:
        """Return the next key; None if there won't be one. Draw again when the size changes."""
        while not self._read:
            keys = await self._display.read_keys()
            if keys is None:
                return None
            if not keys:
                pager.lay_out()
                pager.draw(prompt)
            self._read = keys
        return self._read.pop(0)

    async def _typed(self, pager: Pager, prompt: str) -> str | None:
        """Return the line that is typed after a prompt; None if it was abandoned."""
        text = ""
        while True:
            pager.draw(prompt + text)
            key = await self._next(pager, prompt + text)
            if key == "enter":
                return text
            if key is None or key in ("ctrl-g", "escape") or (key == "backspace" and not text):
                return None
            if key == "backspace":
                text = text[:-1]
            elif key == "ctrl-u":
                text = ""
            elif len(key) == 1:
                text += key

    async def _search(self, pager: Pager, mark: str, times: int) -> None:
        pattern = await self._typed(pager, mark)
        if pattern is not None:
            pager.search(pattern, backward=mark == "?", times=times)

    async def _change_option(self, pager: Pager) -> None:
        pager.draw("-")
        key = await self._next(pager, "-")
        if change := OPTIONS.get(key or ""):
            change(pager.look)
            pager.lay_out()
        else:
            pager.say(f"There is no -{key} option")

    async def _obey_colon(self, pager: Pager) -> bool:
        """Obey `:n`, `:p` and `:q`; return whether it quits."""
        pager.draw(":")
        key = await self._next(pager, ":")
        if key in ("n", "p"):
            pager.change_text(1 if key == "n" else -1)
        return key in (None, "q", "Q")
