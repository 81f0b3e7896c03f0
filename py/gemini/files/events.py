"""The events of the files room."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class FilesShown(Event):
    """The files panel shows another directory, or its entries have changed."""

    type: ClassVar[str] = "files_shown"
    path: str
    entries: list[Row]
    truncated: bool = False


@dataclass(frozen=True)
class EditorsChanged(Event):
    """The editor's open files have changed, or one of them was written."""

    type: ClassVar[str] = "editors_changed"
    editors: Mapping[str, Any]
