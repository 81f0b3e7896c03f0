"""Events of the files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class FilesShown(Event):
    type: ClassVar[str] = "files_shown"
    path: str
    entries: list[Row]
    truncated: bool = False


@dataclass(frozen=True)
class EditorsChanged(Event):
    """Other files are open in the editor, or one of them was written."""

    type: ClassVar[str] = "editors_changed"
    editors: Mapping[str, Any]
