"""Find the mentions in a text, and suggest them while the user types."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from typing_extensions import TypedDict

Kind = Literal["agent", "file", "tab"]
# Not within an address of e-mail. A name with other characters is quoted.
MENTION = re.compile(r'(?<![\w@./])@(?:"([^"\n]{1,400})"|([\w./~+-]{1,400}))')
PLAIN = re.compile(r"[\w./~+-]+")
SUGGESTED = 8
# Mentions of one text beyond these are ignored.
MOST = 20


class Candidate(TypedDict):
    """A suggestion. `text` replaces the user's text; `about` describes it."""

    kind: Kind
    text: str
    about: str


@dataclass(frozen=True)
class Mention:
    """A mention.

    Attributes:
        name: The name as the user wrote it, without `@`.
        target: The agent's name, the tab's id, or the absolute path.
    """

    kind: Kind
    name: str
    target: str

    @property
    def is_readable(self) -> bool:
        """Return whether its content may be sent. Hidden files may be secrets that a pasted text names, or a link."""
        if self.kind != "file":
            return False
        path = Path(self.target)
        return path.is_file() and not _is_hidden(path) and not _is_hidden(path.resolve())

    @property
    def note(self) -> str:
        """Return its meaning, for a model."""
        if self.kind == "tab":
            return f"@{self.name} is the browser tab {self.target}."
        if self.kind == "agent":
            return f"@{self.name} is an agent."
        return f"@{self.name} is the {'folder' if Path(self.target).is_dir() else 'file'} {self.target}."


class Mentions:
    """Agents, files and tabs by the user's names for them.

    Args:
        agents: Returns the agents with their roles.
        files: Returns paths of files by a part of their names.
        tabs: Returns the ids of tabs with their titles.
        home: The directory that relative paths start at.
        on_names: Called when names of files, which others may have given, become a part of a text for a model.
    """

    def __init__(
        self,
        agents: Callable[[], Awaitable[dict[str, str]]],
        files: Callable[[str, int], Awaitable[Sequence[str]]],
        tabs: Callable[[], dict[str, str]],
        home: str,
        on_names: Callable[[], None] = lambda: None,
    ) -> None:
        self._agents = agents
        self._files = files
        self._tabs = tabs
        self._home = Path(home)
        self._on_names = on_names

    async def suggest(self, typed: str) -> list[Candidate]:
        """Return what a part of a name may mean: agents, then tabs, then files."""
        part = typed.casefold()
        found = [
            Candidate(kind="agent", text=f"@{name}", about=role)
            for name, role in (await self._agents()).items()
            if name.startswith(part)
        ]
        found += [
            Candidate(kind="tab", text=f"@{tab}", about=title)
            for tab, title in self._tabs().items()
            if tab.startswith(part) or (part and part in title.casefold())
        ]
        paths = await self._files(typed, SUGGESTED) if typed else self._first_files()
        found += [Candidate(kind="file", text=self._text(path), about=path) for path in paths]
        return found[:SUGGESTED]

    async def find(self, text: str) -> list[Mention]:
        """Return the mentions of a text, each once."""
        names = [quoted or plain.rstrip(".") for quoted, plain in MENTION.findall(text)]
        if not names:
            return []
        agents, tabs = await self._agents(), self._tabs()
        found: list[Mention] = []
        for name in dict.fromkeys(names[:MOST]):
            path = self._path(name)
            if name in agents:
                found.append(Mention("agent", name, name))
            elif name in tabs:
                found.append(Mention("tab", name, name))
            elif path.exists():
                found.append(Mention("file", name, str(path)))
        if any(each.kind == "file" for each in found):
            self._on_names()
        return found

    def _path(self, name: str) -> Path:
        try:
            return self._home / Path(name).expanduser()
        except RuntimeError:
            # There is no such user, so it is a name like others.
            return self._home / name

    async def noted(self, text: str) -> str:
        """Return a text with the meaning of all its mentions."""
        return with_notes(text, await self.find(text), agents=True)

    def _first_files(self) -> list[str]:
        if not self._home.is_dir():
            return []
        return [str(path) for path in sorted(self._home.iterdir()) if not path.name.startswith(".")]

    def _text(self, path: str) -> str:
        home = f"{self._home}/"
        name = path.removeprefix(home)
        return f"@{name}" if PLAIN.fullmatch(name) else f'@"{name}"'


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def with_notes(text: str, mentions: Sequence[Mention], *, agents: bool = False) -> str:
    """Return a text with the meaning of its mentions of files and tabs, unless it has it already.

    Args:
        text: The text.
        mentions: Its mentions.
        agents: Whether to include mentions of agents.
    """
    kinds = ("agent", "file", "tab") if agents else ("file", "tab")
    notes = [each.note for each in mentions if each.kind in kinds and each.note not in text]
    return "\n\n".join([text, *([f"({' '.join(notes)})"] if notes else [])])
