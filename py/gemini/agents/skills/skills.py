"""The skills that agents may follow: those that the user has allowed, and the surface's own as they were written.

A skill's text is obeyed, so text from outside must not become one without approval. A fingerprint of all files is
saved when the user allows them; a skill with other files isn't opened until the user has allowed those.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import TypedDict

from gemini.agents.loop.skill_shelf import OpenedSkill
from gemini.agents.skills.events import SkillsChanged
from gemini.agents.skills.folders import FILE, body_of, files_of, find_folders, fingerprint
from gemini.agents.skills.provided import ProvidedSkills
from gemini.core.events import EventLog
from gemini.errors import Refused, SkillBroken, SkillChanged, SkillMissing
from gemini.tools.calls import acting_call
from gemini.tools.writers import PERSON, SCRIPT

if TYPE_CHECKING:
    from gemini.storage.skills import SkillStore

# Below the project's folder and the home directory, in order of preference.
FOLDERS = (".agents/skills", ".claude/skills")

State = Literal["allowed", "new", "changed", "broken"]


class SkillFileRow(TypedDict):
    """A file of a skill; the path is relative to the folder, the size in bytes."""

    path: str
    size: int
    sha256: str


class SkillRow(TypedDict):
    """A skill. `tools` are what runs are narrowed to; None for all. `problem` says why it is broken."""

    folder: str
    name: str
    description: str
    tools: list[str] | None
    state: State
    fingerprint: str
    files: list[SkillFileRow]
    problem: str | None


class Skills:
    """The skills of a surface.

    Args:
        store: Returns the user's permissions; it loads SQLite on first use.
        roots: The folders of skills; of those with one name, the first counts.
        events: Receives `SkillsChanged`.
        provided: Writes the skills that come with the surface.
    """

    def __init__(
        self,
        store: "Callable[[], SkillStore]",
        roots: Sequence[Path],
        events: EventLog,
        provided: ProvidedSkills,
    ) -> None:
        self._store = store
        self._roots = roots
        self._events = events
        self._provided = provided

    async def rows(self) -> list[SkillRow]:
        """Return all skills, by name. On first use, the skills that come with the surface are written.

        Raises:
            TeamProblem: The package that reads them can't be fetched.
            SkillProblem: The skills that come with the surface can't be fetched.
            StorageProblem: They can't be written.
        """
        from gemini.agents.teamwork.packages import load_packages

        written = await self._provided.write()
        folders = list(find_folders(self._roots))
        if folders:
            await load_packages()
        allowed = {row["folder"]: row["fingerprint"] for row in self._store().rows()}
        rows = [self._row(folder, allowed.get(str(folder))) for folder in folders]
        for row in rows:
            # They are the surface's own: only files that were there before, or have changed since, need to be seen.
            if row["problem"] is None and row["fingerprint"] == written.get(row["folder"]):
                self._allow(row)
                row["state"] = "allowed"
        return sorted(rows, key=lambda row: row["name"])

    def _row(self, folder: Path, allowed: str | None) -> SkillRow:
        from gemini.agents.skills.definitions import read_definition

        row: SkillRow = {
            "folder": str(folder),
            "name": folder.name,
            "description": "",
            "tools": None,
            "state": "broken",
            "fingerprint": "",
            "files": [],
            "problem": None,
        }
        try:
            files = files_of(folder)
            row["files"] = [SkillFileRow(**asdict(each)) for each in files]
            row["fingerprint"] = fingerprint(files)
            found = read_definition(str(folder / FILE), _text(folder, FILE))
        except SkillBroken as broken:
            row["problem"] = broken.message
            return row
        row["description"], row["tools"] = found.description, found.tools()
        changed: State = "allowed" if allowed == row["fingerprint"] else "changed"
        row["state"] = "new" if allowed is None else changed
        return row

    async def allow(self, folder: str, seen: str) -> SkillRow:
        """Allow the files of a skill.

        Args:
            folder: The skill's folder.
            seen: The fingerprint of the files that the user has seen.

        Raises:
            SkillMissing: There is no skill in the folder.
            SkillBroken: It can't be used.
            SkillChanged: The files have changed since.
            Refused: An agent called it, or code that an agent runs.
        """
        call = acting_call()
        if call is not None and call.caller not in (PERSON, SCRIPT):
            raise Refused("only the user allows skills", hint="Ask the user to do it in the Skills panel.")
        [row] = [row for row in await self.rows() if row["folder"] == folder] or [None]
        if row is None:
            raise SkillMissing(f"there is no skill in {folder}")
        if row["problem"] is not None:
            raise SkillBroken(row["problem"])
        if row["fingerprint"] != seen:
            raise SkillChanged(f"the files of {row['name']} have changed", hint="Look at them again.")
        self._allow(row)
        return {**row, "state": "allowed"}

    def _allow(self, row: SkillRow) -> None:
        self._store().allow(row["folder"], row["name"], row["description"], row["tools"], row["fingerprint"])
        self._events.publish(SkillsChanged())

    def withdraw(self, folder: str) -> None:
        """Have no agent use a skill from now on. Raises SkillMissing if none is allowed."""
        if not self._store().withdraw(folder):
            raise SkillMissing(f"no skill in {folder} is allowed")
        self._events.publish(SkillsChanged())

    def read(self, folder: str, file: str) -> str:
        """Return the full text of a skill's file, which the user allows as it is shown. Raises SkillMissing."""
        if Path(folder) not in list(find_folders(self._roots)):
            raise SkillMissing(f"there is no skill in {folder}")
        return _text(Path(folder), file)

    def offered(self, chosen: Sequence[str] | None) -> dict[str, str]:
        """Return the descriptions of allowed skills by name; those that `chosen` names, or all."""
        return {
            row["name"]: row["description"]
            for row in self._store().rows()
            if (chosen is None or row["name"] in chosen) and Path(row["folder"], FILE).is_file()
        }

    def open(self, name: str, file: str | None) -> OpenedSkill:
        """Return the text of an allowed skill, or one of its files.

        Raises:
            SkillMissing: No skill of the name is allowed, or it has no such file.
            SkillBroken: Its files can't be used.
            SkillChanged: Its files aren't those that the user has allowed.
        """
        [row] = [row for row in self._store().rows() if row["name"] == name] or [None]
        if row is None:
            raise SkillMissing(f"no skill {name[:64]!r} is allowed")
        folder = Path(row["folder"])
        files = files_of(folder)
        if fingerprint(files) != row["fingerprint"]:
            raise SkillChanged(
                f"the files of {name} have changed since the user allowed them",
                hint="Do the task without it, or ask the user to look at them in the Skills panel.",
            )
        text = body_of(_text(folder, FILE)) if file in (None, FILE) else _text(folder, str(file))
        return OpenedSkill(text, str(folder), [each.path for each in files], row["tools"])


def _text(folder: Path, file: str) -> str:
    """Return the text of a file of a skill."""
    known: list[Any] = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    if file not in known:
        raise SkillMissing(f"{folder.name} has no file {file[:200]!r}", hint=f"It has: {', '.join(known)}.")
    return (folder / file).read_text(encoding="utf-8", errors="replace")
