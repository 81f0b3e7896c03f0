"""The event of Source Control."""

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import TypedDict

from gemini.computer.source_control.status import Change, Head
from gemini.core.events import Event


class SourceControlRow(TypedDict):
    """The repository that the panel shows; see `gemini.computer.source_control.source_control.View`.

    `staged` and `changes` are the first entries; the counts include all.
    """

    folder: str
    roots: list[str]
    root: str | None
    head: Head
    commit: str | None
    staged: list[Change]
    changes: list[Change]
    staged_count: int
    changes_count: int
    problem: str | None
    stamp: str


@dataclass(frozen=True)
class SourceControlChanged(Event):
    """The repository shown, its branch or its changes differ from before."""

    type: ClassVar[str] = "source_control_changed"
    source_control: SourceControlRow
