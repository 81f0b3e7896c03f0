"""The choices of the options of `rg`: the files to search, and how lines are printed."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.rg.colors import palette
from gemini_userland.rg.files import Filter, globs_as_rules
from gemini_userland.rg.globs import Rule, Rules, glob_regex, parse_rule, read_rules
from gemini_userland.rg.printing import Style
from gemini_userland.rg.replacing import replacement
from gemini_userland.rg.types import globs_of, known_types

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_VALUES = {"color": ("never", "auto", "always", "ansi"), "engine": ("default", "pcre2", "auto")}
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\"}


def wanted_types(given: Arguments) -> dict[str, list[str]]:
    """Return the types of files with their globs."""
    return known_types(given.all("type-add"), given.all("type-clear"))


def choose_filter(invocation: Invocation, given: Arguments) -> Filter:
    """Return which files are searched.

    Raises:
        UnknownTypeError: A type of files is unknown.
        ValueError: A glob or a size is invalid.
        OSError: A file of rules can't be read.
    """
    restrained = len(given.all("u"))
    ignores = "no-ignore" not in given and not restrained
    git = ignores and "no-ignore-vcs" not in given
    further = [] if "no-ignore-files" in given else _further(invocation, given, git=git)
    return Filter(
        hidden=given.last_of(".", "no-hidden") == "." or restrained > 1,
        dot_files=ignores and "no-ignore-dot" not in given,
        git_files=git,
        git_exclude=git and "no-ignore-exclude" not in given,
        parents=ignores and "no-ignore-parent" not in given,
        anywhere="no-require-git" in given,
        overrides=globs_as_rules(_globs(given), invocation.cwd),
        selected=_named(given, "t"),
        rejected=_named(given, "T"),
        further=further,
        follow=given.last_of("L", "no-follow") == "L",
        most_depth=given.number("max-depth"),
        most_size=_size(given.last("max-filesize")),
        same_device="one-file-system" in given,
    )


def _globs(given: Arguments) -> Sequence[Rule]:
    rules: list[Rule] = []
    for name, glob in given.items:
        if name in ("g", "iglob"):
            # An invalid glob is an error here, while one in a file of rules is left out.
            glob_regex(glob.removeprefix("!"))
            folded = name == "iglob" or "glob-case-insensitive" in given
            rule = parse_rule(glob, ignore_case=folded)
            if rule is not None:
                rules.append(rule)
    return rules


def _named(given: Arguments, option: str) -> re.Pattern[str] | None:
    names = given.all(option)
    if not names:
        return None
    types = wanted_types(given)
    globs = [glob for name in names for glob in globs_of(types, name)]
    return re.compile("|".join(f"(?:{glob_regex(glob)})" for glob in globs), re.DOTALL)


def _further(invocation: Invocation, given: Arguments, *, git: bool) -> list[Rules]:
    """Return the rules of the user's own file for Git, and of `--ignore-file`."""
    found: list[Rules | None] = []
    home = invocation.env.get("HOME", "/")
    if git and "no-ignore-global" not in given:
        folder = invocation.env.get("XDG_CONFIG_HOME") or f"{home}/.config"
        found.append(read_rules(_excludes_file(home) or f"{folder}/git/ignore", invocation.cwd))
    for name in given.all("ignore-file"):
        path = invocation.path(name)
        if not os.path.exists(path):
            raise FileNotFoundError(2, "No such file or directory", name)
        found.append(read_rules(path, invocation.cwd))
    return [rules for rules in found if rules is not None]


def _excludes_file(home: str) -> str | None:
    try:
        with open(f"{home}/.gitconfig", encoding="utf-8", errors="replace") as file:
            match = re.search(r"^\s*excludes[fF]ile\s*=\s*(\S+)", file.read(), re.MULTILINE)
    except OSError:
        return None
    return match[1].replace("~", home, 1) if match else None


def _size(text: str | None) -> int | None:
    if text is None:
        return None
    match = re.fullmatch(r"(\d+)([KMG]?)", text)
    if match is None:
        raise ValueError(
            f"invalid format for size '{text}', which should be a sequence of digits followed by "
            "an optional 'K', 'M' or 'G' suffix"
        )
    return int(match[1]) * UNITS[match[2]]


def check(given: Arguments) -> None:
    """Refuse values that an option doesn't have.

    Raises:
        ValueError: There is one.
    """
    for name, values in _VALUES.items():
        if (value := given.last(name)) is not None and value not in values:
            raise ValueError(f"error: '{value}' isn't a valid value for '--{name}'")
    for name in ("dfa-size-limit", "regex-size-limit"):
        _size(given.last(name))
    separator = given.last("path-separator", "/")
    if len(separator.encode()) > 1:
        raise ValueError(
            "A path separator must be exactly one byte, but the given separator is "
            f"{len(separator.encode())} bytes: {separator}"
        )
    wanted_types(given)


def choose_context(given: Arguments) -> tuple[int, int]:
    """Return how many lines are printed before and after a match: `-A` and `-B` end a `-C`, and the other way round."""
    before = after = 0
    both = False
    for name, value in given.items:
        if name == "C":
            before = after = int(value)
            both = True
        elif name in ("A", "B"):
            if both:
                before = after = 0
                both = False
            before, after = (before, int(value)) if name == "A" else (int(value), after)
    return before, after


def choose_style(invocation: Invocation, given: Arguments, *, paths: bool) -> Style:
    """Return how lines are printed.

    Args:
        invocation: The call.
        given: Its options.
        paths: Whether file names are printed if no option says so.
    """
    seen = 1 in invocation.watched
    columns = ("column" in given and given.last_of("column", "no-column") == "column") or "vimgrep" in given
    numbered = given.last_of("n", "N", "p")
    numbers = columns or seen if numbered is None else numbered != "N"
    when = given.last("color", "auto")
    # As for a terminal, which the environment may say to have no colors.
    shown = "p" in given and invocation.env.get("TERM", "dumb") != "dumb" and "NO_COLOR" not in invocation.env
    colors = palette(given.all("colors"))
    text = given.last("r")
    named = given.last_of("H", "I")
    longest = given.number("M", 0)
    gap = given.last("context-separator")
    return Style(
        paths=named == "H" or (named is None and (paths or "vimgrep" in given)),
        heading=given.last_of("heading", "no-heading", "p", "vimgrep") in ("heading", "p")
        or (seen and given.last_of("no-heading", "vimgrep") is None),
        numbers=numbers,
        columns=columns,
        offsets="b" in given,
        only="o" in given,
        each="vimgrep" in given,
        replace=None if text is None else replacement(text),
        trim="trim" in given,
        colors=colors if when in ("always", "ansi") or (when == "auto" and (seen or shown)) else {},
        longest=longest or None,
        preview="max-columns-preview" in given,
        mark=_unescape(given.last("field-match-separator", ":")),
        context_mark=_unescape(given.last("field-context-separator", "-")),
        after_path="\0" if "0" in given else "",
        end="\r\n" if "crlf" in given else "\n",
        gap=None if "no-context-separator" in given else "--" if gap is None else _unescape(gap),
    )


def _unescape(text: str) -> str:
    return re.sub(
        r"\\(?:x([0-9A-Fa-f]{2})|(.))",
        lambda match: chr(int(match[1], 16)) if match[1] else ESCAPES.get(match[2], match[0]),
        text,
    )
