"""The parts of an archive that have power: the models and their instructions, enabled tools, skills and memories.

An import leaves the local ones unless the user selects a part in the dialog that lists them.
"""

import json
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, cast

from gemini.storage.database import Database
from gemini.storage.memories import PIN
from gemini.storage.settings import SET
from gemini.storage.skills import ALLOW, COLUMNS

# Settings that are always imported. An unknown one may have any effect; grants must be given again.
HARMLESS = ("theme", "open_files", "console_inputs", "console_entries", "manual")
# Settings that an import never changes: from there, pip installs packages.
LOCAL = ("package_list",)
# During an import, the setting with the parts that the user selected.
SELECTED = "import_takes"
_MAX_LENGTH = 600
_MAX_LINES = 100
Row = dict[str, Any]


@dataclass(frozen=True)
class Power:
    """A part of an archive that the user can select.

    Attributes:
        name: The name, for `take`.
        label: The label in the dialog.
        lines: The contents of the part, as text.
    """

    name: str
    label: str
    lines: list[str]


def powers_of(database: Database) -> list[Power]:
    """Return the powers in the database of an archive."""
    found = (Power(part.name, part.label, _cut(part.lines(database))) for part in _PARTS)
    return [power for power in found if power.lines]


def keep_local_settings(local: Database, archived: Database, take: Collection[str]) -> None:
    """Replace the parts with power in an archive's database with the current ones, except for the selected parts.

    Args:
        local: The surface's open database.
        archived: The database of the archive.
        take: The names of the parts that the user selected.
    """
    selected = [part for part in _PARTS if part.name in take]
    left = [part for part in _PARTS if part not in selected]
    imported = (*HARMLESS, *(part.setting for part in selected if part.setting))
    protected = [*LOCAL, *(part.setting for part in left if part.setting)]
    settings = [row for row in local.rows("SELECT name, value FROM settings") if row[0] in protected]
    with archived.transaction() as connection:
        placeholders = ", ".join("?" * len(imported))
        connection.execute(f"DELETE FROM settings WHERE name NOT IN ({placeholders})", imported)
        connection.executemany(SET, settings)
        # An archive from elsewhere must not start agents without the user.
        connection.execute("UPDATE schedules SET approved = 0, origin = coalesce(origin, 'an archive')")
        connection.execute("UPDATE schedule_runs SET status = 'cancelled' WHERE status = 'running'")
        for part in left:
            part.leave(local, connection)


def _leave_nothing(_local: Database, _connection: sqlite3.Connection) -> None:
    """Do nothing: the part is a setting."""


def _leave_tools(_local: Database, connection: sqlite3.Connection) -> None:
    # Not by json_set: of a name that occurs twice, SQLite changes the first and Python reads the last.
    rows = [(key, _row(_decode(text))) for key, text in connection.execute("SELECT id, row FROM chats")]
    connection.executemany(
        "UPDATE chats SET row = ? WHERE id IS ?",
        [(json.dumps({**row, "tools": False}), key) for key, row in rows],
    )


def _leave_skills(local: Database, connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM skills")
    connection.executemany(ALLOW, local.rows(f"SELECT {', '.join(COLUMNS)} FROM skills"))


def _leave_memories(local: Database, connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE memories SET approved = 0")
    connection.execute("DELETE FROM pinned_memories")
    connection.executemany(PIN, local.rows("SELECT agent, text FROM pinned_memories"))


def _setting(database: Database, name: str) -> Any:
    rows = database.rows("SELECT value FROM settings WHERE name = ?", name)
    return _decode(rows[0][0]) if rows else None


def _decode(text: Any) -> Any:
    """Return the value of a JSON text; None if it isn't one."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None


def _models(database: Database) -> list[str]:
    saved = _row(_setting(database, "models"))
    choices = [_row(choice) for choice in _list(saved.get("choices"))]
    lines = [f"Model {_describe(choice)}" for choice in choices]
    if saved.get("default"):
        lines.append(f"Default model: {_short(saved['default'])}")
    lines += [
        f"Model of agent {_short(agent)}: {_short(model)}"
        for agent, model in _row(saved.get("agents")).items()
    ]
    if saved.get("prompt"):
        lines.append(f"Custom instructions: {_short(saved['prompt'])}")
    return lines


def _describe(choice: Row) -> str:
    address = f" at {_short(choice['base_url'])}" if choice.get("base_url") else ""
    return f"{_short(choice.get('provider', ''))}: {_short(choice.get('model') or 'default')}{address}"


def _tools(database: Database) -> list[str]:
    off = [_short(name) for name in _list(_setting(database, "groups_off"))]
    lines = [f"Tools turned off: {', '.join(off)}"] if off else []
    chats = sum(
        _row(_decode(text)).get("tools") is not False for (text,) in database.rows("SELECT row FROM chats")
    )
    return lines + ([f"Chats with tools turned on: {chats}"] if chats else [])


def _skills(database: Database) -> list[str]:
    rows = database.rows("SELECT name, folder FROM skills ORDER BY name")
    return [f"Skill {_short(name)} in {_short(folder)}" for name, folder in rows]


def _memories(database: Database) -> list[str]:
    pinned = database.rows("SELECT agent, text FROM pinned_memories ORDER BY agent")
    approved = database.rows("SELECT agent, text FROM memories WHERE approved ORDER BY id DESC")
    return [
        *(f"Pinned for agent {_short(agent)}: {_short(text)}" for agent, text in pinned),
        *(f"Remembered by agent {_short(agent)}: {_short(text)}" for agent, text in approved),
    ]


def _cut(lines: list[str]) -> list[str]:
    return lines if len(lines) <= _MAX_LINES else [*lines[:_MAX_LINES], f"{len(lines) - _MAX_LINES} more"]


def _row(value: Any) -> Row:
    return cast(Row, value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"


@dataclass(frozen=True)
class _Part:
    """A part of an archive.

    Attributes:
        name: The name, for `take`.
        label: The label in the dialog.
        setting: The setting that belongs to it, or "".
        lines: Returns its contents, as text.
        leave: Replaces it with the current one.
    """

    name: str
    label: str
    setting: str
    lines: Callable[[Database], list[str]]
    leave: Callable[[Database, sqlite3.Connection], None]


_PARTS = (
    _Part("models", "Models, their addresses, and custom instructions", "models", _models, _leave_nothing),
    _Part("tools", "Enabled tools", "groups_off", _tools, _leave_tools),
    _Part("skills", "Allowed skills", "", _skills, _leave_skills),
    _Part(
        "memory",
        "Memories of agents; without this, they wait for you in the panel",
        "",
        _memories,
        _leave_memories,
    ),
)
PARTS = tuple(part.name for part in _PARTS)
