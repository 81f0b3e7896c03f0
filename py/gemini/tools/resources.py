"""What can be read by a URI, beside the tools: MCP's resources.

https://modelcontextprotocol.io/specification/2025-11-25/server/resources
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from gemini.errors import UnknownResource


@dataclass(frozen=True)
class Resource:
    """`read` gives the text as it is at that moment."""

    uri: str
    name: str
    description: str
    mime_type: str
    read: Callable[[], Awaitable[str]]

    def row(self) -> dict[str, str]:
        """As `resources/list` tells it."""
        return {
            "uri": self.uri,
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime_type,
        }


class Resources:
    """Resources by URI."""

    def __init__(self) -> None:
        self._resources: dict[str, Resource] = {}
        self._on_update: list[Callable[[str], None]] = []

    def add(self, resource: Resource) -> None:
        """Offer one, in the place of another of its URI."""
        self._resources[resource.uri] = resource

    def rows(self) -> list[dict[str, str]]:
        """Every resource as `{uri, name, description, mimeType}`."""
        return [resource.row() for resource in self._resources.values()]

    def on_update(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the URI of each resource that has changed; the returned function ends that."""
        self._on_update.append(listener)
        return lambda: self._on_update.remove(listener)

    def updated(self, uri: str) -> None:
        """Say that a resource reads differently now."""
        for listener in self._on_update:
            listener(uri)

    async def read(self, uri: str) -> str:
        """The text of a resource.

        Raises:
            UnknownResource: there is none of that URI.
            GeminiError: as its room says.
        """
        return await self._find(uri).read()

    async def contents(self, uri: str) -> dict[str, list[dict[str, str]]]:
        """As `resources/read` answers: `{contents: [{uri, mimeType, text}]}`."""
        found = self._find(uri)
        return {"contents": [{"uri": uri, "mimeType": found.mime_type, "text": await found.read()}]}

    def _find(self, uri: str) -> Resource:
        found = self._resources.get(uri)
        if found is None:
            raise UnknownResource(
                f"there is no resource {uri!r}", hint=f"There are: {', '.join(self._resources) or 'none'}."
            )
        return found
