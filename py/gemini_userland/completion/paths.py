"""Files and directories that complete a word."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping

from gemini_userland.completion.words import Word, quoted


def paths(
    word: Word,
    working_dir: str,
    variables: Mapping[str, str],
    *,
    directories: bool = False,
    executable: bool = False,
) -> list[str]:
    """Return the paths that complete a word, sorted.

    Args:
        word: The word at the cursor.
        working_dir: The directory of relative paths.
        variables: The shell's variables, for `~` and `$NAME` at the beginning.
        directories: Return only directories.
        executable: Return only directories and executable files.
    """
    typed = word.value[word.offset :]
    folder, slash, name = typed.rpartition("/")
    place = os.path.join(working_dir, _expand(folder + slash, word, variables))
    found: list[str] = []
    for entry in _entries(place):
        if not entry.name.startswith(name) or (entry.name.startswith(".") and not name.startswith(".")):
            continue
        is_directory = entry.is_dir()
        if not is_directory and (directories or (executable and not os.access(entry.path, os.X_OK))):
            continue
        found.append(quoted(word, folder + slash + entry.name, "/" if is_directory else " "))
    return sorted(found)


def _expand(folder: str, word: Word, variables: Mapping[str, str]) -> str:
    first, slash, rest = folder.partition("/")
    if first == "~" and word.raw.startswith("~"):
        return variables.get("HOME", "/") + slash + rest
    if first.startswith("$") and word.quote != "'":
        return variables.get(first[1:].strip("{}"), "") + slash + rest
    return folder


def executables(folders: Iterable[str], working_dir: str) -> Iterator[str]:
    """Yield the names of the executable files in folders."""
    for folder in folders:
        for entry in _entries(os.path.join(working_dir, folder)):
            if entry.is_file() and os.access(entry.path, os.X_OK):
                yield entry.name


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        # It doesn't exist, so nothing completes the word.
        return []
