"""Finds words that newcomers stumble over: what `build.py check` runs on the project's text.

The list is short. Each entry is a word that docs/style.md has a plain one for. It holds in prose and in names.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from builder.prose import prose

# The word, as a regular expression, and what to write instead.
REFUSED = {
    "anew": "again, or start over",
    "whoever|whomever|whosoever": "any caller, the user, or what it is",
    "somebody": "a user, another client, or what it is",
    "told": "notified, sent, reported or passed",
    "kept": "saved, stored or retained",
    "gives|gave": "returns, passes or provides",
    "deeds?": "action",
    "is another one": "has changed, or differs",
    "for good": "permanently",
    "at hand": "available",
}
# In comments, docstrings and documents only: names, and sentences that users read, may have them.
REFUSED_IN_PROSE = {
    "the person|a person": "the user",
    "the Linux(?! (?:VM|machines?|kernel|guest))": "Linux, or the Linux VM",
    "beside": "next to, along with or besides",
    "(?:go|goes|going|went) on": "continue",
    "is to be|are to be": "must be or should be",
    "one after the other": "in turn",
    "unasked": "without asking",
}
# A docstring names the thing or begins with its verb.
OPENING = re.compile(r'^\s*(?:[rf]?"""|/\*\*)\s*(What|Who|Whether|Where|How)\b')
# Words stand in prose, and in names as_parts or asParts.
WORDS = {
    re.compile(rf"(?<![a-z])(?:{word})(?![a-z])", re.IGNORECASE): instead for word, instead in REFUSED.items()
}
PROSE_WORDS = {
    re.compile(rf"(?<![a-z])(?:{word})(?![a-z])", re.IGNORECASE): instead
    for word, instead in REFUSED_IN_PROSE.items()
}
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

FOLDERS = ("benchmarks", "builder", "docs", "examples", "py", "tests", "typings", "web")
FILES = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "build.py",
    "index.html",
    "webmcp_adapter.js",
    "webmcp_bridge.js",
)
ENDINGS = {".py", ".pyi", ".js", ".mjs", ".ts", ".md", ".html", ".css", ".toml"}
# Other people's words: libraries, scripts and pages as they are found in the wild, and lists of such words.
SPARED = (
    *("web/node_modules", "web/generated", "tests/conformance/node_modules", "tests/pyodide/node_modules"),
    *("builder/meaning/node_modules", "builder/runtime/node_modules"),
    *("benchmarks/pages", "benchmarks/libraries/node_modules", "benchmarks/kits", "benchmarks/widgets"),
    *(f"benchmarks/{name}/node_modules" for name in ("rivals", "token_clients")),
    "tests/corpora/bash/files",
    # It prints a sentence of git.
    "web/kernel/git/commands/stash.ts",
    *("docs/style.md", "builder/wording.py"),
)


def complaints(root: Path) -> Iterator[str]:
    """Yield a line for each refused word below `root`: file, line, the word and what to write instead."""
    for path in _texts(root):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(text.splitlines(), 1):
            place = f"{name}:{number}"
            if opening := OPENING.match(line):
                yield f"{place}: a docstring begins with {opening[1]!r}; begin with a verb or a noun"
            for word, instead in WORDS.items():
                if found := word.search(CAMEL.sub(" ", line)):
                    yield f"{place}: {found[0]!r}; write {instead}"
        # Finding the prose takes longer than finding out that no word is there.
        suspected = [(word, instead) for word, instead in PROSE_WORDS.items() if word.search(text)]
        for number, line in prose(path, text) if suspected else ():
            for word, instead in suspected:
                if found := word.search(line):
                    yield f"{name}:{number}: {found[0]!r}; write {instead}"


def _texts(root: Path) -> Iterator[Path]:
    spared = [root / name for name in SPARED]
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in ENDINGS and not any(path.is_relative_to(other) for other in spared):
                yield path
    yield from (root / name for name in FILES)


if __name__ == "__main__":
    found = list(complaints(Path(__file__).parent.parent))
    print("\n".join(found))
    sys.exit(bool(found))
