"""What of an archive's database changes more than what is kept: who is asked, what they are told, who may do what.

None of it comes with an import unless the person takes it, part by part, in the dialog that lists it; what was here
stays.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, cast

from gemini.storage.database import Database
from gemini.storage.settings import SET

# Settings that come along unasked. One that isn't known here may decide anything; standing grants are asked again.
HARMLESS = ("theme", "open_files", "console_inputs")
# The setting that says, until an import has ended, what the person takes of it.
TAKEN = "import_takes"
_LONGEST = 600
Row = dict[str, Any]


@dataclass(frozen=True)
class Power:
    """One part that the person may take.

    Attributes:
        name: For `take`.
        label: What it is.
        lines: What the archive has of it.
    """

    name: str
    label: str
    lines: list[str]


def powers_of(database: Database) -> list[Power]:
    """List what the database of an archive has of them."""
    found = (Power(part.name, part.label, part.lines(database)) for part in _PARTS)
    return [power for power in found if power.lines]


def keep_own(ours: Database, theirs: Database, take: Collection[str]) -> None:
    """Put what is ours in the place of all that isn't taken, in the database of an archive.

    Args:
        ours: The database that is open.
        theirs: Of the archive.
        take: Names of the parts that the person takes.
    """
    taken = [part for part in _PARTS if part.name in take]
    comes = (*HARMLESS, *(part.setting for part in taken))
    stays = [part.setting for part in _PARTS if part not in taken]
    own = [row for row in ours.rows("SELECT name, value FROM settings") if row[0] in stays]
    with theirs.transaction() as connection:
        marks = ", ".join("?" * len(comes))
        connection.execute(f"DELETE FROM settings WHERE name NOT IN ({marks})", comes)
        connection.executemany(SET, own)
        if _TOOLS not in taken:
            connection.execute("UPDATE chats SET row = json_set(row, '$.tools', json('false'))")


def _setting(database: Database, name: str) -> Any:
    rows = database.rows("SELECT value FROM settings WHERE name = ?", name)
    try:
        return json.loads(rows[0][0]) if rows else None
    except ValueError:
        return None


def _models(database: Database) -> list[str]:
    kept = _row(_setting(database, "models"))
    choices = [_row(choice) for choice in _list(kept.get("choices"))]
    lines = [f"Model {_place(choice)}" for choice in choices]
    if kept.get("default"):
        lines.append(f"Asked by default: {_short(kept['default'])}")
    lines += [
        f"Asked by the agent {_short(agent)}: {_short(to)}" for agent, to in _row(kept.get("agents")).items()
    ]
    if kept.get("prompt"):
        lines.append(f"Instructions to every model: {_short(kept['prompt'])}")
    return lines


def _place(choice: Row) -> str:
    address = f" at {_short(choice['base_url'])}" if choice.get("base_url") else ""
    return f"{_short(choice.get('provider', ''))}: {_short(choice.get('model') or 'its own')}{address}"


def _tools(database: Database) -> list[str]:
    off = [_short(name) for name in _list(_setting(database, "groups_off"))]
    lines = [f"Tools that are off: {', '.join(off)}"] if off else []
    [[chats]] = database.rows("SELECT count(*) FROM chats WHERE json_extract(row, '$.tools') IS NOT 0")
    return lines + ([f"Chats whose model may call tools: {chats}"] if chats else [])


def _row(value: Any) -> Row:
    return cast(Row, value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


@dataclass(frozen=True)
class _Part:
    name: str
    label: str
    setting: str
    lines: Callable[[Database], list[str]]


_TOOLS = _Part("tools", "Which tools may be called", "groups_off", _tools)
_PARTS = (
    _Part("models", "Models, where they are asked, and instructions to them", "models", _models),
    _TOOLS,
)
PARTS = tuple(part.name for part in _PARTS)
