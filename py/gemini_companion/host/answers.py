"""Recognizes a terminal emulator's answers to queries in a program's output.

A program may query the terminal's kind, colors or size by printing a sequence, and so may a file that is shown. The
answer is for a program that reads single keys, such as vim. A shell at its prompt would treat it as typed.
"""

import os
import re
import termios

_LOCAL_FLAGS = 3
_LONGEST = 200
_NUMBERS = r"[0-9;:]*"
_STRING_END = r"(?:\x1b\\|\x07)"
_ANSWER = re.compile(
    r"\x1b(?:"
    # Device attributes and status, cursor, modes, window; focus; mouse.
    rf"\[[?>=]?{_NUMBERS}(?:c|n|R|\$y|t)|\[[IO]|\[<{_NUMBERS}[Mm]"
    # Colors; settings (DECRQSS).
    rf"|\]{_NUMBERS}rgba?:[0-9a-fA-F/]+{_STRING_END}|P[01]\$r[0-9;: \"']*[A-Za-z|]{{0,2}}{_STRING_END}"
    r")"
)


def is_answer(text: str) -> bool:
    """Return whether `text` is one answer, and nothing that could be typed."""
    return len(text) <= _LONGEST and _ANSWER.fullmatch(text) is not None


def is_awaited(master: int, shell: int) -> bool:
    """Return whether a program other than the shell has the terminal's foreground, and reads single keys.

    Args:
        master: The descriptor of the PTY.
        shell: The process group of the shell that was started on it.
    """
    return os.tcgetpgrp(master) != shell and not termios.tcgetattr(master)[_LOCAL_FLAGS] & termios.ICANON
