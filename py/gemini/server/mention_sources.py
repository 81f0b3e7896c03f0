"""The agents, files and tabs that the user mentions, from the rooms that have them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.chats.messages import Voice
from gemini.dom.browser import Browser
from gemini.mentions.mentions import Mentions
from gemini.mentions.panel_tools import MentionTools
from gemini.tools import Registry

if TYPE_CHECKING:
    # The modules of teams and of the search load on first use.
    from gemini.search.search import Search
    from gemini.team.teams import Teams


def wire_mentions(
    registry: Registry,
    teams: "Callable[[], Teams]",
    search: "Callable[[], Search]",
    browser: Browser,
    home: str,
) -> Mentions:
    """Create the mentions of agents, files and tabs."""

    async def agents() -> dict[str, str]:
        found = await teams().files.read()
        return {name: agent.role for name, agent in found.agents.items()}

    async def files(part: str, most: int) -> list[str]:
        found, _ = await search().find(part, ("file", "folder"), most)
        return [each.key for each in found]

    def tabs() -> dict[str, str]:
        return {row["id"]: row["title"] or row["url"] for row in browser.rows()}

    mentions = Mentions(agents, files, tabs, home)
    registry.add_room(MentionTools(mentions))
    return mentions


async def voice_of(teams: "Callable[[], Teams]", name: str) -> Voice:
    """Return an agent as it answers in chats."""
    from gemini.team.files import is_provided

    found = (await teams().files.read()).get(name)
    return Voice(name, found.prompt, None if is_provided(found) else found.path, found.model, found.tools)
