"""The files of agents: `NAME.md` in the project's folder and in the home directory's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from gemini.agents.teamwork.definitions import (
    MAX_FILE_BYTES,
    Definition,
    fields_of,
    new_definition,
    read_definition,
    write_definition,
)
from gemini.agents.teamwork.packages import load_packages
from gemini.agents.teamwork.provided import PROVIDED, TEXTS
from gemini.errors import AgentFileBroken, AgentMissing, AlreadyExists, EditConflict, StorageProblem

ENDING = ".md"
# A project from elsewhere may have any number of files.
MAX_AGENTS = 100


@dataclass(frozen=True)
class Found:
    """The agents of all folders.

    Attributes:
        agents: The agents by name.
        broken: The error of each file that can't be used, by the file's name without its ending.
    """

    agents: dict[str, Definition]
    broken: dict[str, AgentFileBroken]

    def get(self, name: str) -> Definition:
        """Return an agent.

        Raises:
            AgentFileBroken: The agent's file is broken.
            AgentMissing: There is no such agent.
        """
        if name in self.broken:
            raise self.broken[name]
        if name not in self.agents:
            raise AgentMissing(
                f"there is no agent {name[:60]!r}",
                hint=f"The agents are: {', '.join(sorted(self.agents)) or 'none'}.",
            )
        return self.agents[name]


# Files are read whenever a task begins, and rarely change.
_read = lru_cache(maxsize=MAX_AGENTS)(read_definition)


class AgentFiles:
    """The agents' files.

    Args:
        folders: The folders; the first one that has a file for a name is used. New files go into the last one.
        provided: Returns the names of the agents that came with the surface and have been written before.
        on_provide: Records that an agent was written.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        provided: Callable[[], set[str]],
        on_provide: Callable[[str], None],
    ) -> None:
        self._folders = list(folders)
        self._provided = provided
        self._on_provide = on_provide

    async def read(self) -> Found:
        """Return all agents. On first use, the agents that come with the surface are written.

        Raises:
            TeamProblem: The package that reads the files can't be fetched.
            StorageProblem: The files can't be written.
        """
        self._provide()
        await load_packages()
        found = Found({}, {})
        for path in self._paths():
            try:
                found.agents[path.stem] = _read(str(path), _text(path))
            except AgentFileBroken as broken:
                found.broken[path.stem] = broken
        return found

    def create(self, name: str, role: str, *, replace: bool = False, **fields: object) -> Definition:
        """Write a file for a new agent and return the agent; see `gemini.agents.create`."""
        definition = new_definition(name=name, role=role, **fields)
        path = self._folders[-1] / f"{name}{ENDING}"
        if path.exists() and not replace:
            raise AlreadyExists(f"{path} exists already", hint="Edit the file, or pass replace=True.")
        self._write(path, write_definition(definition))
        return definition.model_copy(update={"path": str(path)})

    def version(self, definition: Definition) -> str:
        """Return the version of an agent's file, which changes with its text."""
        return _version(_text(Path(definition.path or "")))

    def change(self, before: Definition, after: Definition, version: str) -> Definition:
        """Write the fields and the prompt of an agent into its file; comments and the order of fields stay.

        Args:
            before: The agent as it is in the file.
            after: The agent as it should be. The name stays.
            version: The version of the file that the changes are for.

        Raises:
            EditConflict: The file has changed since then.
            StorageProblem: The file can't be written.
        """
        from gemini.agents.teamwork.front_matter import changed

        path = Path(before.path or "")
        text = _text(path)
        if _version(text) != version:
            raise EditConflict(
                f"{path} has changed since it was shown", hint="Look at it again, then repeat the change."
            )
        known = Definition.model_fields.keys() - {"name", "prompt", "path"}
        fields = {name: value for name, value in fields_of(after).items() if name != "name"}
        self._write(path, changed(text, sorted(known), fields, after.prompt))
        return after.model_copy(update={"path": before.path})

    def _paths(self) -> list[Path]:
        """Return one file for each name, by name."""
        first: dict[str, Path] = {}
        for folder in self._folders:
            for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
                first.setdefault(path.stem, path)
        return [first[name] for name in sorted(first)[:MAX_AGENTS]]

    def _provide(self) -> None:
        """Write the agents that come with the surface, each once: a deleted file stays away."""
        before = self._provided()
        for definition in PROVIDED:
            if definition.name in before:
                continue
            path = self._folders[-1] / f"{definition.name}{ENDING}"
            if not path.exists():
                self._write(path, TEXTS[definition.name])
            self._on_provide(definition.name)

    def _write(self, path: Path, text: str) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise StorageProblem(f"{path} can't be written: {error}") from error


def is_provided(definition: Definition) -> bool:
    """Return whether an agent's files are the ones that come with the surface, so that they are trusted."""
    return any(_texts(known) == _texts(definition) for known in PROVIDED)


def _texts(definition: Definition) -> tuple[str, str, str]:
    return definition.name, definition.role.strip(), definition.prompt.strip()


def _version(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ValueError(f"it is larger than {MAX_FILE_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = "it isn't UTF-8 text" if isinstance(error, UnicodeDecodeError) else str(error)
        raise AgentFileBroken(
            f"{path}, line 1: {reason}",
            hint="Replace or delete the file.",
            data={"path": str(path), "line": 1, "reason": reason},
        ) from error
