"""The actions of the Search panel: find text in all files, replace it after a preview, and undo that."""

import asyncio
import time
import uuid
from collections.abc import Callable

from typing_extensions import TypedDict

from gemini.computer import files
from gemini.computer.files import texts
from gemini.computer.files.browser import FileBrowser
from gemini.computer.files.matching import MAX_MATCHES, FileMatches, Query, matches, paths
from gemini.errors import EditConflict, FileProblem, VersionMissing
from gemini.tools import Effect, declare

# Other work runs after each slice of this length.
SLICE_S = 0.01
PAUSE_S = 0.001
MAX_UNDO = 20


class Matches(TypedDict):
    """The files with matches, sorted by path. If `cut`, there are more than are listed."""

    files: list[FileMatches]
    count: int
    searched: int
    cut: bool


class Previewed(TypedDict):
    """A file of a preview, and its version there."""

    path: str
    version: str


class Replaced(TypedDict):
    """The result of replacing. `changed` lists the files that had changed since the preview, and are unchanged."""

    count: int
    paths: list[str]
    changed: list[str]
    undo: str


class Undone(TypedDict):
    """The restored files, and those that have changed since, which are left as they are."""

    paths: list[str]
    changed: list[str]


class ReplaceTools:
    """Find and replace in all files.

    Args:
        browser: Resolves paths.
        on_change: Called after files were changed.
    """

    def __init__(self, browser: FileBrowser, on_change: Callable[[], None]) -> None:
        self._browser = browser
        self._on_change = on_change
        self._replaced: dict[str, dict[str, str]] = {}

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="find_in_files")
    async def panel_find_text(
        self, query: Query, folder: str = "/project", replacement: str | None = None
    ) -> Matches:
        """Find a text in all files below a folder. With a replacement, each match has its new text."""
        root = self._browser.resolve(folder)
        found: Matches = {"files": [], "count": 0, "searched": 0, "cut": False}
        if query.text == "":
            return found
        _ = query.pattern
        ends = time.perf_counter() + SLICE_S
        for path in paths(query, root):
            if time.perf_counter() >= ends:
                await asyncio.sleep(PAUSE_S)
                ends = time.perf_counter() + SLICE_S
            found["searched"] += 1
            file = matches(query, path, replacement, root)
            if file is None:
                continue
            if found["count"] >= MAX_MATCHES:
                found["cut"] = True
                break
            found["files"].append(file)
            found["count"] += file["count"]
        return found

    @declare(person_only=True, action="replace_in_files")
    def panel_replace_text(self, query: Query, replacement: str, previewed: list[Previewed]) -> Replaced:
        """Replace all matches in the files of a preview that haven't changed since."""
        done: Replaced = {"count": 0, "paths": [], "changed": [], "undo": uuid.uuid4().hex}
        versions: dict[str, str] = {}
        for path, version in ((each["path"], each["version"]) for each in previewed):
            try:
                read = texts.read(path)
                content, count = query.replace(read["content"], replacement)
                saved = texts.save(path, content, version, read["line_ending"], read["bom"])
            except (EditConflict, FileProblem):
                done["changed"].append(path)
                continue
            done["count"] += count
            done["paths"].append(path)
            versions[path] = saved["version"]
        self._replaced[done["undo"]] = versions
        for old in list(self._replaced)[:-MAX_UNDO]:
            del self._replaced[old]
        self._on_change()
        return done

    @declare(person_only=True, action="undo_replace")
    def panel_undo_replace(self, undo: str) -> Undone:
        """Restore the files that a replacement changed, from the history."""
        versions = self._replaced.pop(undo, None)
        if versions is None:
            raise VersionMissing(
                "this replacement can't be undone any more", hint="File changes in Activity can revert it."
            )
        done: Undone = {"paths": [], "changed": []}
        for path, version in versions.items():
            if not _has_version(path, version):
                done["changed"].append(path)
                continue
            files.restore(files.history(path, 1)[0]["id"], path)
            done["paths"].append(path)
        self._on_change()
        return done


def _has_version(path: str, version: str) -> bool:
    try:
        return texts.read(path)["version"] == version
    except FileProblem:
        return False
