"""Names that a project defines: branches and tags of git, targets of make."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

SUBCOMMANDS = [
    "add",
    "apply",
    "bisect",
    "blame",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "diff",
    "fetch",
    "grep",
    "init",
    "log",
    "ls-files",
    "merge",
    "mv",
    "pull",
    "push",
    "rebase",
    "reflog",
    "remote",
    "reset",
    "restore",
    "revert",
    "rev-parse",
    "rm",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
    "worktree",
]
# These take branches and tags; the others in this list files as well.
TAKE_REVISIONS = frozenset(
    [
        "branch",
        "cherry-pick",
        "merge",
        "rebase",
        "revert",
        "switch",
        "push",
        "pull",
        "fetch",
        "tag",
        "worktree",
    ]
)
TAKE_BOTH = frozenset(["checkout", "diff", "log", "reset", "restore", "show", "blame", "bisect", "rev-parse"])
WITH_VALUE = frozenset(["-C", "-c", "-f", "-j", "-I", "--file", "--directory", "--git-dir", "--work-tree"])
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
TARGETS = re.compile(r"^([^\s#:=][^#:=]*?)\s*::?(?!=)", re.MULTILINE)
MAX_FILE = 1_000_000


def of_git(words: list[str], working_dir: str) -> tuple[Sequence[str], bool]:
    """Return the names for the next word of `git …`, and whether files complete it too."""
    values, rest = _split(words[1:])
    if not rest:
        return SUBCOMMANDS, False
    folder = os.path.join(working_dir, values.get("-C", ""))
    if "--" in rest or rest[0] not in TAKE_REVISIONS | TAKE_BOTH:
        return [], True
    return sorted(set(_references(folder))), rest[0] in TAKE_BOTH


def of_make(words: list[str], working_dir: str) -> tuple[Sequence[str], bool]:
    """Return the targets for the next word of `make …`; files complete it only where there are none."""
    values, _ = _split(words[1:])
    folder = os.path.join(working_dir, values.get("-C", values.get("--directory", "")))
    given = values.get("-f", values.get("--file"))
    if words[-1] in WITH_VALUE:
        return [], True
    for name in MAKEFILES if given is None else (given,):
        text = _read(os.path.join(folder, name))
        if text is not None:
            return sorted(set(_targets(text))), False
    return [], True


def _split(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the values of options that have one, and the words that are no options."""
    values: dict[str, str] = {}
    rest: list[str] = []
    remaining = iter(words)
    for word in remaining:
        if word in WITH_VALUE and not rest:
            values[word] = next(remaining, "")
        elif word == "--" or not word.startswith("-"):
            rest.append(word)
    return values, rest


def _targets(text: str) -> Iterator[str]:
    for match in TARGETS.finditer(text.replace("\\\n", " ")):
        for name in match[1].split():
            # Patterns, special targets and names that make computes.
            if "%" not in name and "$" not in name and not re.match(r"\.[A-Z_]+$", name):
                yield name


def _references(folder: str) -> Iterator[str]:
    """Yield HEAD, branches, remote branches and tags of the repository around a folder (gitrepository-layout)."""
    repository = _repository(os.path.abspath(folder))
    if repository is None:
        return
    yield "HEAD"
    # A worktree shares the references of its main repository.
    common = os.path.join(repository, (_read(os.path.join(repository, "commondir")) or ".").strip())
    for line in (_read(os.path.join(common, "packed-refs")) or "").splitlines():
        _, _, name = line.partition(" refs/")
        if name and not line.startswith("#"):
            yield from _short_name(name)
    root = os.path.join(common, "refs")
    for place, _, files in os.walk(root):
        for file in files:
            yield from _short_name(os.path.relpath(os.path.join(place, file), root))
    # A branch without a commit is in no reference but HEAD.
    _, _, name = (_read(os.path.join(repository, "HEAD")) or "").strip().partition("ref: refs/")
    yield from _short_name(name)


def _short_name(name: str) -> Iterator[str]:
    kind, _, short = name.partition("/")
    if kind in ("heads", "tags", "remotes") and short:
        yield short


def _repository(folder: str) -> str | None:
    while True:
        found = os.path.join(folder, ".git")
        if os.path.isdir(found):
            return found
        _, marker, path = (_read(found) or "").partition("gitdir: ")
        if marker:
            return os.path.join(folder, path.strip())
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read(MAX_FILE)
    except OSError:
        return None
