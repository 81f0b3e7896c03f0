"""The settings in an archive that have power: which models are asked, their instructions, and which tools are enabled.

An import leaves the local settings unless the user selects a part in the dialog that lists them.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, cast

from gemini.storage.database import Database
from gemini.storage.settings import SET

# Settings that are always imported. An unknown one may have any effect; grants must be given again.
HARMLESS = ("theme", "open_files", "console_inputs", "manual")
# Settings that an import never changes: from there, pip installs packages.
LOCAL = ("package_list",)
# During an import, the setting with the parts that the user selected.
SELECTED = "import_takes"
_MAX_LENGTH = 600
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
    found = (Power(part.name, part.label, part.lines(database)) for part in _PARTS)
    return [power for power in found if power.lines]


def keep_local_settings(local: Database, archived: Database, take: Collection[str]) -> None:
    """Replace the settings in an archive's database with the local ones, except for the selected parts.

    Args:
        local: The surface's open database.
        archived: The database of the archive.
        take: The names of the parts that the user selected.
    """
    selected = [part for part in _PARTS if part.name in take]
    imported = (*HARMLESS, *(part.setting for part in selected))
    protected = [*LOCAL, *(part.setting for part in _PARTS if part not in selected)]
    settings = [row for row in local.rows("SELECT name, value FROM settings") if row[0] in protected]
    with archived.transaction() as connection:
        placeholders = ", ".join("?" * len(imported))
        connection.execute(f"DELETE FROM settings WHERE name NOT IN ({placeholders})", imported)
        connection.executemany(SET, settings)
        # An archive from elsewhere must not start agents by itself.
        connection.execute("UPDATE schedules SET approved = 0, origin = coalesce(origin, 'an archive')")
        connection.execute("UPDATE schedule_runs SET status = 'cancelled' WHERE status = 'running'")
        if _TOOLS not in selected:
            connection.execute("UPDATE chats SET row = json_set(row, '$.tools', json('false'))")


def _setting(database: Database, name: str) -> Any:
    rows = database.rows("SELECT value FROM settings WHERE name = ?", name)
    try:
        return json.loads(rows[0][0]) if rows else None
    except ValueError:
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
    [[chats]] = database.rows("SELECT count(*) FROM chats WHERE json_extract(row, '$.tools') IS NOT 0")
    return lines + ([f"Chats with tools turned on: {chats}"] if chats else [])


def _row(value: Any) -> Row:
    return cast(Row, value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}…"


@dataclass(frozen=True)
class _Part:
    name: str
    label: str
    setting: str
    lines: Callable[[Database], list[str]]


_TOOLS = _Part("tools", "Enabled tools", "groups_off", _tools)
_PARTS = (
    _Part("models", "Models, their addresses, and custom instructions", "models", _models),
    _TOOLS,
)
PARTS = tuple(part.name for part in _PARTS)
