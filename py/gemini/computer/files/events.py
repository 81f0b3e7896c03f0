"""The events of the files room."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.computer.files.info import FileRow
from gemini.computer.files.opened import OpenFilesRow
from gemini.core.events import Event


@dataclass(frozen=True)
class FilesShown(Event):
    """The files panel shows another directory, or its entries have changed."""

    type: ClassVar[str] = "files_shown"
    path: str
    entries: list[FileRow]
    truncated: bool = False


@dataclass(frozen=True)
class EditorsChanged(Event):
    """The editor's open files have changed, or one of them was written."""

    type: ClassVar[str] = "editors_changed"
    editors: OpenFilesRow
