"""The mentions of agents, files and tabs."""

from typing import TYPE_CHECKING

from gemini.agents.mentions.mentions import Mentions
from gemini.agents.mentions.panel_tools import MentionTools

if TYPE_CHECKING:
    from gemini.kernel.kernel import Kernel


def setup(kernel: "Kernel") -> None:
    """Create the mentions."""

    async def agents() -> dict[str, str]:
        found = await kernel.teams.files.read()
        return {name: agent.role for name, agent in found.agents.items()}

    async def files(part: str, most: int) -> list[str]:
        found, _ = await kernel.search.find(part, ("file", "folder"), most)
        return [each.key for each in found]

    def tabs() -> dict[str, str]:
        return {row["id"]: row["title"] or row["url"] for row in kernel.browser.rows()}

    def on_names() -> None:
        kernel.registry.consent.note_untrusted("mentions", "the names of mentioned files")

    kernel.mentions = Mentions(agents, files, tabs, kernel.home, on_names)
    kernel.registry.add_room(MentionTools(kernel.mentions))
