"""The interface of skills, which a room above implements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from gemini.errors import SkillMissing


@dataclass(frozen=True)
class OpenedSkill:
    """The text of a skill, or one of its files.

    Attributes:
        text: The text.
        folder: The skill's folder, whose scripts its text may name.
        files: The paths of its files, relative to the folder.
        tools: The tools and groups to narrow the run's tools to; None to leave them as they are.
    """

    text: str
    folder: str
    files: Sequence[str]
    tools: Sequence[str] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the form that the model gets."""
        answer: dict[str, Any] = {"text": self.text, "folder": self.folder, "files": list(self.files)}
        return answer if self.tools is None else {**answer, "tools": list(self.tools)}


class SkillShelf(Protocol):
    """The skills that the user has allowed."""

    def offered(self, chosen: Sequence[str] | None) -> dict[str, str]:
        """Return the descriptions of skills by name.

        Args:
            chosen: The names of an agent's skills; None for all.
        """
        ...

    def open(self, name: str, file: str | None) -> OpenedSkill:
        """Return a skill's text, or one of its files. Raises a SkillProblem."""
        ...


class OfferedSkills:
    """The skills of one run.

    Args:
        shelf: The skills of all runs.
        descriptions: The descriptions of this run's skills, by name.
    """

    def __init__(self, shelf: SkillShelf, descriptions: dict[str, str]) -> None:
        self._shelf = shelf
        self.descriptions = descriptions

    def open(self, name: str, file: str | None) -> OpenedSkill:
        """Return a skill's text, or one of its files.

        Raises:
            SkillMissing: The run has no such skill, or the skill no such file.
            SkillChanged: Its files aren't those that the user has allowed.
        """
        if name not in self.descriptions:
            raise SkillMissing(
                f"you have no skill {name[:60]!r}", hint=f"Your skills are: {', '.join(self.descriptions)}."
            )
        return self._shelf.open(name, file)


def offered_skills(shelf: SkillShelf | None, chosen: Sequence[str] | None) -> OfferedSkills | None:
    """Return the skills of a run, of which `chosen` has the names; None if there are none."""
    descriptions = {} if shelf is None else shelf.offered(chosen)
    return OfferedSkills(shelf, descriptions) if shelf is not None and descriptions else None
