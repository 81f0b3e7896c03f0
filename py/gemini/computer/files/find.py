"""Find files by glob patterns.

A pattern without a slash matches names anywhere below the root. A pattern with a slash matches paths, relative to the
root or absolute. Between slashes, `*` is any text, `?` one character, `[a-z]` and `[!a-z]` a character in or not in a
set, and `{a,b}` either alternative; `**` is any number of directories. Patterns are case-sensitive, `*` matches hidden
names too, and a trailing slash matches directories only.

`fnmatch.translate` turns each part into a regular expression. The search simulates a nondeterministic automaton whose
states are the parts, so it doesn't enter directories that can't lead to a match.
"""

import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from gemini.computer.files.paths import check_path, problems, require_directory, resolve
from gemini.errors import InvalidArguments

MAGIC = re.compile(r"[*?\[{]")
# Their entries are transient, may be endless, and aren't the user's files.
SYSTEM = {"/proc", "/dev", "/sys"}
MAX_ALTERNATIVES = 1_000

Matcher = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Glob:
    """A parsed pattern: the directory to start in, and a matcher for each level below it, None for `**`."""

    base: str
    parts: tuple[Matcher | None, ...]
    directories_only: bool


def find(pattern: str, root: str) -> list[os.DirEntry[str]]:
    """Return the entries below `root` that match `pattern`, sorted by path.

    Links are found but not followed. Directories that can't be read are skipped, and so are `/proc`, `/dev` and
    `/sys` unless the search starts there.

    Args:
        pattern: A glob; see the module's docstring.
        root: The absolute path of the directory to search.

    Raises:
        InvalidArguments: The pattern is invalid.
        FileProblem: `root` isn't a directory, or can't be listed.
    """
    with problems(require_directory(root)):
        os.scandir(root).close()
    glob = parse(pattern, root)
    found = list(_walk(glob))
    if glob.directories_only:
        found = [entry for entry in found if entry.is_dir(follow_symlinks=False)]
    found.sort(key=lambda entry: entry.path)
    return found


def parse(pattern: str, root: str) -> Glob:
    """Parse a pattern. The parts before the first wildcard become the base directory.

    Raises:
        InvalidArguments: The pattern has no name, `..` after a wildcard, or too many alternatives.
        FileProblem: The pattern is empty, too long or has invalid characters.
    """
    check_path(pattern)
    if "/" not in pattern:
        return Glob(root, (None, _part(pattern)), False)
    names = _names(pattern)
    fixed = 0
    while fixed < len(names) - 1 and not MAGIC.search(names[fixed]):
        fixed += 1
    if not names or ".." in names[fixed:]:
        raise InvalidArguments(
            f"pattern: {pattern!r} is not a valid pattern",
            hint="Use '..' only at the start, and end with a name or wildcard.",
        )
    base = resolve("/".join(names[:fixed]) or ".", "/" if pattern.startswith("/") else root)
    rest = names[fixed:] + (["*"] if names[-1] == "**" else [])
    return Glob(base, tuple(None if name == "**" else _part(name) for name in rest), pattern.endswith("/"))


def _names(pattern: str) -> list[str]:
    """Split a pattern at its slashes, with repeated `**` merged into one."""
    names: list[str] = []
    for name in pattern.split("/"):
        if name not in ("", ".") and not (name == "**" and names[-1:] == ["**"]):
            names.append(name)
    return names


def _walk(glob: Glob) -> Iterator[os.DirEntry[str]]:
    last = len(glob.parts) - 1
    waiting = [(glob.base, _after_stars(glob, {0}))]
    while waiting:
        directory, states = waiting.pop()
        try:
            with os.scandir(directory) as listing:
                entries = list(listing)
        except OSError:
            # Deleted since it was listed, or unreadable: search the rest.
            continue
        accepts = glob.parts[last] if last in states else None
        for entry in entries:
            if accepts is not None and accepts(entry.name):
                yield entry
            if entry.is_dir(follow_symlinks=False):
                below = _step(glob, states, entry.name)
                if below and entry.path not in SYSTEM:
                    waiting.append((entry.path, below))


def _step(glob: Glob, states: frozenset[int], name: str) -> frozenset[int]:
    """Return the parts that can match names inside directory `name`, if `states` can match `name` itself."""
    last = len(glob.parts) - 1
    reached: set[int] = set()
    for state in states:
        part = glob.parts[state]
        if part is None:
            reached.add(state)
        elif state < last and part(name):
            reached.add(state + 1)
    return _after_stars(glob, reached)


def _after_stars(glob: Glob, states: set[int]) -> frozenset[int]:
    """Return `states` with the parts after each `**`, which may match no directory at all."""
    reached = set(states)
    reached.update(state + 1 for state in states if glob.parts[state] is None)
    return frozenset(reached)


def _part(name: str) -> Matcher:
    """Return a matcher for one part of a pattern other than `**`."""
    alternatives = list(_alternatives(name))
    return re.compile("|".join(fnmatch.translate(alternative) for alternative in alternatives)).match


def _alternatives(text: str) -> Iterator[str]:
    """Expand `a{b,c}d` to `abd` and `acd`, as shells do. Unpaired braces, or braces without a comma, stay."""
    waiting = [("", text)]
    count = 0
    while waiting:
        done, rest = waiting.pop()
        group = _first_group(rest)
        if group is None:
            count += 1
            if count > MAX_ALTERNATIVES:
                raise InvalidArguments(f"pattern: {text!r} has more than {MAX_ALTERNATIVES:,} alternatives")
            yield done + rest
            continue
        before, choices, after = group
        waiting.extend((done + before, choice + after) for choice in reversed(choices))


def _first_group(text: str) -> tuple[str, list[str], str] | None:
    """Return the text before the first brace group, its choices, and the text after it."""
    # For each open brace, its position and its commas' positions, so that one pass is enough.
    opened: list[list[int]] = []
    first: list[int] | None = None
    for position, character in enumerate(text):
        if character == "{":
            opened.append([position])
        elif character == "," and opened:
            opened[-1].append(position)
        elif character == "}" and opened:
            group = [*opened.pop(), position]
            if len(group) > 2 and (first is None or group[0] < first[0]):
                first = group
    if first is None:
        return None
    choices = [text[start + 1 : end] for start, end in pairwise(first)]
    return text[: first[0]], choices, text[first[-1] + 1 :]
