"""The state that the page shows: a snapshot, and the events that change it.

The build generates the page's types from these declarations (builder/types.py).
"""

from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_type_hints

from typing_extensions import TypedDict

from gemini.agents.chats.events import ChatRow
from gemini.agents.events import RunRow
from gemini.computer.files.events import FileRow, OpenFilesRow
from gemini.computer.files.info import FileInfo
from gemini.computer.python.events import ConsoleRow
from gemini.computer.source_control.events import SourceControlRow
from gemini.computer.terminal.events import TerminalRow
from gemini.core.events import Event
from gemini.core.limitations import SurfaceRow
from gemini.models.providers.events import ModelsRow
from gemini.pages.tabs.events import TabRow
from gemini.tools.events import CallRow, SettingsRow

# The page can draw this many rows without a pause; navigating and file_find reach the others.
MAX_ENTRIES_SHOWN = 2_000


class ShownFiles(TypedDict):
    """The directory that the files panel shows; `truncated` if it has too many entries."""

    path: str
    entries: list[FileRow]
    truncated: bool


class Snapshot(TypedDict):
    """Everything that the page shows, as of event number `seq`."""

    seq: int
    terminals: list[TerminalRow]
    files: ShownFiles
    editors: OpenFilesRow
    tabs: list[TabRow]
    calls: list[CallRow]
    surface: SurfaceRow
    settings: SettingsRow
    console: ConsoleRow
    models: ModelsRow
    runs: list[RunRow]
    chats: list[ChatRow]
    source_control: SourceControlRow


def shown_files(path: str, entries: list[FileInfo]) -> ShownFiles:
    """Return the first entries of a directory for the files panel."""
    shown = entries[:MAX_ENTRIES_SHOWN]
    return {"path": path, "entries": [file.row() for file in shown], "truncated": len(entries) > len(shown)}


def event_types() -> Iterator[Any]:
    """Yield a typed dict for each event, as `row_of` returns it, in the order of their names."""
    # Only the build needs it.
    import pkgutil

    # The events of some rooms are imported on first use.
    for module in pkgutil.walk_packages([str(Path(__file__).parents[1])], "gemini."):
        if module.name.endswith(".events"):
            import_module(module.name)
    for event in sorted(Event.__subclasses__(), key=lambda event: event.type):
        # Most events are sent as they are; some have a type for what they send.
        sent = get_type_hints(event.row)["return"] if "row" in vars(event) else event
        hints = get_type_hints(sent)
        names = [each.name for each in fields(event)] if sent is event else hints
        members = {"type": Literal[event.type], "seq": int, **{name: hints[name] for name in names}}
        yield TypedDict(event.__name__, members)  # type: ignore[misc] # pyright: ignore - it is made for pydantic
