"""`less` and `more`: show files on the terminal, page by page; elsewhere, print them."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import read

SYNTAX = Syntax(
    short="aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWXb:h:j:k:o:p:t:T:x:y:z:P:",
    long={
        "RAW-CONTROL-CHARS": "R",
        "LINE-NUMBERS": "N",
        "chop-long-lines": "S",
        "ignore-case": "i",
        "IGNORE-CASE": "I",
        "no-init": "X",
        "quit-if-one-screen": "F",
    },
    answer={"V": "version"},
    help="""
Usage: less [OPTION]... [FILE]...
Show each FILE, by default standard input, page by page. Press h for the keys, and q to quit.

  -F  print a text that fits on one screen
  -i  ignore case in searches without capitals; -I in all
  -N  number the lines
  -R  show colors
  -S  cut long lines off

Other options have no effect. The text is printed at once where nobody sees the terminal.
""",
)


async def less(invocation: Invocation) -> int:
    """Show the files; return 1 if one can't be read."""
    words = [word for word in invocation.argv[1:] if not word.startswith("+")]
    given = SYNTAX.parse(invocation, words)
    if isinstance(given, int):
        return given
    status = 0
    contents: list[tuple[str, bytes]] = []
    for name in given.operands or ["-"]:
        try:
            contents.append(("" if name == "-" else name, read(invocation, name)))
        except IsADirectoryError:
            invocation.stderr.write(f"{name} is a directory\n".encode("utf-8", "surrogateescape"))
            status = 1
        except OSError as error:
            invocation.stderr.write(f"{name}: {error.strerror}\n".encode("utf-8", "surrogateescape"))
            status = 1
    if contents:
        await show(invocation, contents, "".join(letter for letter in "FiINRrS" if letter in given))
    return status


async def show(invocation: Invocation, contents: list[tuple[str, bytes]], options: str) -> None:
    """Show texts in the pager if the user sees the output.

    Args:
        invocation: The command that shows them.
        contents: Names and texts, at least one.
        options: The letters of less's options.
    """
    display = invocation.machine.display
    if display is None or 1 not in invocation.watched:
        for _, content in contents:
            invocation.stdout.write(content)
        return
    # Imported on first use, because scripts and agents have no pager.
    from gemini_userland.pager import keys
    from gemini_userland.pager.rows import Look
    from gemini_userland.pager.screen import text_of

    ignore_case = "all" if "I" in options else "smart" if "i" in options else ""
    look = Look("S" in options, "N" in options, "R" in options or "r" in options, ignore_case)
    texts = [text_of(name, content) for name, content in contents]
    await keys.show(invocation, display, texts, look, always="F" not in options)
