"""`less` and `more`: show files on the terminal, page by page; elsewhere, print them."""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import read, write

# They say how the screen looks, which makes no difference to the output.
WITHOUT_EFFECT = """
HILITE-SEARCH HILITE-UNREAD LONG-PROMPT QUIET QUIT-AT-EOF SEARCH-SKIP-SCREEN SILENT UNDERLINE-SPECIAL
auto-buffers clear-screen dumb file-size follow-name force hilite-search hilite-unread incsearch line-numbers
long-prompt mouse MOUSE no-histdups no-keypad no-lessopen quiet quit-at-eof quit-on-intr save-marks
search-skip-screen silent squeeze-blank-lines status-column tilde underline-special use-backslash use-color
"""
VALUED_WITHOUT_EFFECT = """
buffers color jump-target line-num-width max-back-scroll max-forw-scroll pattern prompt quotes rscroll shift
status-col-width tabs wheel-lines window
"""
SYNTAX = Syntax(
    short="aABcCdeEfFgGiIJKLmMnNqQrRsSuUVwWXb:D:h:j:k:o:O:p:t:T:x:y:z:P:",
    long={
        "RAW-CONTROL-CHARS": "R",
        "LINE-NUMBERS": "N",
        "chop-long-lines": "S",
        "ignore-case": "i",
        "IGNORE-CASE": "I",
        "no-init": "X",
        "quit-if-one-screen": "F",
        "raw-control-chars": "r",
        "log-file=": "o",
        "LOG-FILE=": "O",
        **{name: "plain" for name in WITHOUT_EFFECT.split()},
        **{f"{name}=": "valued" for name in VALUED_WITHOUT_EFFECT.split()},
    },
    answer={"V": "version"},
    refused={
        "k": "keys can't be changed: press h for those there are",
        "lesskey-file": "keys can't be changed: press h for those there are",
        "T": "there are no tags: use -p PATTERN",
        "t": "there are no tags: use -p PATTERN",
        "tag": "there are no tags: use -p PATTERN",
        "tag-file": "there are no tags: use -p PATTERN",
    },
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
    # Where nobody sees a pager, it names on standard output the files it can't read, and succeeds.
    shown = invocation.machine.display is not None and 1 in invocation.watched
    complain = invocation.stderr if shown else invocation.stdout
    status = 0
    contents: list[tuple[str, bytes]] = []
    for name in given.operands or ["-"]:
        try:
            contents.append(("" if name == "-" else name, read(invocation, name)))
        except IsADirectoryError:
            complain.write(f"{name} is a directory\n".encode("utf-8", "surrogateescape"))
            status = int(shown)
        except OSError as error:
            complain.write(f"{name}: {error.strerror}\n".encode("utf-8", "surrogateescape"))
            status = int(shown)
    log = given.last("o") or given.last("O")
    if log and "-" in (given.operands or ["-"]):
        write(invocation, log, b"".join(content for _, content in contents))
    if contents:
        await show(invocation, contents, "".join(letter for letter in "FiINRrS" if letter in given))
    return status


async def show(invocation: Invocation, contents: list[tuple[str, bytes]], options: str) -> None:
    """Show documents in the pager if the user sees the output.

    Args:
        invocation: The command that shows them.
        contents: Names and contents, at least one pair.
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
