"""The output of a terminal: on its screen and at its viewers."""

import codecs
from collections.abc import Callable

from gemini.computer.shell.output import Stream
from gemini.computer.terminal.keyboard import MAX_ROW

MAIN_SCREEN = "\x1b[?1049l"


class Printer:
    """Decodes the output of the running command and draws it.

    Args:
        draw: Receives the terminal output.
    """

    def __init__(self, draw: Callable[[str], None]) -> None:
        self._draw = draw
        self._decoders: dict[Stream, codecs.IncrementalDecoder] = {}
        self.row = ""
        """The output since the last line break."""

    def begin(self) -> None:
        """Draw the output of a command from now on."""
        self._decoders = {
            stream: codecs.getincrementaldecoder("utf-8")("replace") for stream in ("stdout", "stderr")
        }

    def end(self) -> None:
        """Ignore further output."""
        self._decoders.clear()

    def receive(self, stream: Stream, data: bytes) -> None:
        """Draw output of the running command."""
        if self._decoders:
            self.show(self._decoders[stream].decode(data))

    def show(self, text: str) -> None:
        """Draw text with a terminal's line breaks."""
        if text:
            _, line_break, row = text.rpartition("\n")
            row = row if line_break else (self.row + row)[-MAX_ROW:]
            # A full-screen program leaves the row as it was before: empty, because a command was entered.
            self.row = row.rpartition(MAIN_SCREEN)[2]
            self._draw(text.replace("\r\n", "\n").replace("\n", "\r\n"))
