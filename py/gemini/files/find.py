"""Finding files by glob patterns.

A pattern without a slash matches names, anywhere below the root. One with a slash matches paths: relative to
the root, or absolute when it starts with a slash. In a part between slashes `*` is any text, `?` a character,
`[a-z]` and `[!a-z]` one of a set, `{a,b}` either; a part `**` is any number of directories. `*` matches
hidden names too, case counts, and a slash at the end asks for directories only.

The part is turned into a regular expression by `fnmatch.translate`; which parts may follow is kept for each
directory, as in a simulation of a nondeterministic automaton, so that directories that can't lead to a match
are not entered.
"""

import fnmatch
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from gemini.errors import InvalidArguments
from gemini.files.paths import check, problems, require_directory, resolve

MAGIC = re.compile(r"[*?\[{]")
# Their entries come and go, may be endless, and are no files of the person's.
SYSTEM = {"/proc", "/dev", "/sys"}
MOST_ALTERNATIVES = 1_000

Test = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern, ready to match: from `base` down, one entry of `parts` a level, None for `**`."""

    base: str
    parts: tuple[Test | None, ...]
    directories_only: bool


def find(pattern: str, root: str) -> list[os.DirEntry[str]]:
    """What is below `root` and matches `pattern`, sorted by path.

    Links are found, but not followed on the way down. Directories that may not be read are passed over, and
    so are `/proc`, `/dev` and `/sys` unless the search starts there.

    Args:
        pattern: A glob, as the module says.
        root: An absolute path of a directory, from which relative patterns count.

    Raises:
        InvalidArguments: the pattern makes no sense.
        FileProblem: `root` is not a directory that may be listed.
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
    """Read a pattern; the parts before the first with a wildcard only say where to start.

    Raises:
        InvalidArguments: it is empty, has `..` after a wildcard, or too many alternatives.
        FileProblem: it holds what no path can.
    """
    check(pattern)
    if "/" not in pattern:
        return Glob(root, (None, _part(pattern)), False)
    names = _names(pattern)
    fixed = 0
    while fixed < len(names) - 1 and not MAGIC.search(names[fixed]):
        fixed += 1
    if not names or ".." in names[fixed:]:
        raise InvalidArguments(
            f"pattern: {pattern!r} can't be searched for",
            hint="'..' may only come first, and a name or wildcard must come last.",
        )
    base = resolve("/".join(names[:fixed]) or ".", "/" if pattern.startswith("/") else root)
    rest = names[fixed:] + (["*"] if names[-1] == "**" else [])
    return Glob(base, tuple(None if name == "**" else _part(name) for name in rest), pattern.endswith("/"))


def _names(pattern: str) -> list[str]:
    """What stands between the slashes; several `**` in a row mean the same as one."""
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
            # Gone meanwhile, or not ours to read: what else there is still counts.
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
    """The parts that may match names inside of directory `name`, when `states` may match `name` itself."""
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
    """`states`, and what follows where a `**` among them stands for no directory at all."""
    reached = set(states)
    reached.update(state + 1 for state in states if glob.parts[state] is None)
    return frozenset(reached)


def _part(name: str) -> Test:
    """A test of names for one part of a pattern, which is never `**`."""
    alternatives = list(_alternatives(name))
    return re.compile("|".join(fnmatch.translate(alternative) for alternative in alternatives)).match


def _alternatives(text: str) -> Iterator[str]:
    """`a{b,c}d` as `abd`, `acd`, as shells do; braces without a comma, or unpaired, stand for themselves."""
    waiting = [("", text)]
    made = 0
    while waiting:
        done, rest = waiting.pop()
        group = _first_group(rest)
        if group is None:
            made += 1
            if made > MOST_ALTERNATIVES:
                raise InvalidArguments(f"pattern: {text!r} has more than {MOST_ALTERNATIVES:,} alternatives")
            yield done + rest
            continue
        before, choices, after = group
        waiting.extend((done + before, choice + after) for choice in reversed(choices))


def _first_group(text: str) -> tuple[str, list[str], str] | None:
    """The text before the first brace group, its choices, and the text after it."""
    # Where each brace that is open stands, and the commas in it; one look at each character, however many are open.
    opened: list[list[int]] = []
    first: list[int] | None = None
    for position, character in enumerate(text):
        if character == "{":
            opened.append([position])
        elif character == "," and opened:
            opened[-1].append(position)
        elif character == "}" and opened:
            marks = [*opened.pop(), position]
            if len(marks) > 2 and (first is None or marks[0] < first[0]):
                first = marks
    if first is None:
        return None
    choices = [text[start + 1 : end] for start, end in pairwise(first)]
    return text[: first[0]], choices, text[first[-1] + 1 :]
