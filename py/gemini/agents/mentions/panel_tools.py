"""The action of fields with mentions. The activity log doesn't record it: it runs on every key."""

from gemini.agents.mentions.mentions import Candidate, Mentions
from gemini.tools import Effect, declare


class MentionTools:
    """The suggestions for mentions.

    Args:
        mentions: The agents, files and tabs.
    """

    def __init__(self, mentions: Mentions) -> None:
        self._mentions = mentions

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="suggest_mentions")
    async def mention_suggest(self, typed: str) -> list[Candidate]:
        """Suggest agents, tabs and files for the text after an @."""
        return await self._mentions.suggest(typed)
