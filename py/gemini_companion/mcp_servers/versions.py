"""The versions of tools' declarations. A grant is for one version, so a change ends it, even one that is taken back.

`mcp-tools.json` in the data folder has the tools that the user has been asked about, by server.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from gemini_companion.mcp_servers.declarations import ToolDeclaration
from gemini_companion.mcp_servers.setups import ServerSetup
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows

FILE = "mcp-tools.json"
LONGEST_TEXT = 20_000


class VersionRow(TypedDict):
    """A tool in the file: the digest of its latest version and its number, and the text that the user allowed."""

    digest: str
    number: int
    allowed: str


_ROWS = TypeAdapter(dict[str, dict[str, VersionRow]])


@dataclass(frozen=True)
class Version:
    """A version of a tool.

    Attributes:
        name: Its name in grants, such as `3-1f0a8c2b9d4e`.
        now: What the server says about the tool.
        before: What it said when the user allowed the tool, if that differs; else None.
    """

    name: str
    now: str
    before: str | None


class Versions:
    """The versions of all servers' tools.

    Args:
        path: The file, by default `mcp-tools.json` in the data folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    def seen(self, setup: ServerSetup, tool: ToolDeclaration) -> Version:
        """Return the version of a tool before a call of it, and remember it.

        Raises:
            FolderUnusable: The file can't be written.
        """
        digest = hashlib.sha256(f"{setup.digest} {tool.digest}".encode()).hexdigest()
        now = _cut(tool.text())
        rows = self._rows.read().get(setup.name, {})
        row = rows.get(tool.name) or VersionRow(digest="", number=0, allowed="")
        if row["digest"] != digest:
            row = VersionRow(digest=digest, number=row["number"] + 1, allowed=row["allowed"])
            self._rows.set(setup.name, {**rows, tool.name: row})
        allowed = row["allowed"]
        before = allowed if allowed and allowed != now else None
        return Version(f"{row['number']}-{digest[:12]}", now, before)

    def allow(self, setup: ServerSetup, tool: ToolDeclaration, version: Version) -> None:
        """Remember the text of a version that the user has allowed.

        Raises:
            FolderUnusable: The file can't be written.
        """
        rows = self._rows.read().get(setup.name, {})
        row = rows.get(tool.name)
        if row is not None and row["allowed"] != version.now:
            self._rows.set(setup.name, {**rows, tool.name: {**row, "allowed": version.now}})

    @property
    def _rows(self) -> PrivateRows[dict[str, VersionRow]]:
        return PrivateRows(self._path or data_folder() / FILE, _ROWS)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}… ({len(text):,} characters in all)"
