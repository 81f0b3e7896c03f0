"""The actions of the Skills panel. They go through the registry as all tools do, but only the user can call them."""

from typing_extensions import TypedDict

from gemini.agents.skills.skills import SkillRow, Skills
from gemini.tools import Effect, declare


class SkillText(TypedDict):
    """The text of a file."""

    text: str


class Done(TypedDict):
    """The confirmation of an action."""

    success: bool


class PanelSkillTools:
    """The actions of the Skills panel.

    Args:
        skills: The skills of the surface.
    """

    def __init__(self, skills: Skills) -> None:
        self._skills = skills

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_skills")
    async def skill_list(self) -> list[SkillRow]:
        """List all skills with their files."""
        return await self._skills.rows()

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="read_skill")
    def skill_read(self, folder: str, file: str) -> SkillText:
        """Read a file of a skill."""
        return {"text": self._skills.read(folder, file)}

    @declare(person_only=True, action="allow_skill")
    async def skill_allow(self, folder: str, fingerprint: str) -> SkillRow:
        """Allow the files of a skill that have this fingerprint."""
        return await self._skills.allow(folder, fingerprint)

    @declare(person_only=True, action="withdraw_skill")
    def skill_withdraw(self, folder: str) -> Done:
        """Have no agent use a skill from now on."""
        self._skills.withdraw(folder)
        return {"success": True}
