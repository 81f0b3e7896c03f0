"""What can be read by a URI, beside the tools: MCP's resources.

https://modelcontextprotocol.io/specification/2025-11-25/server/resources
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from urllib.parse import unquote

from gemini.errors import ToolDeclarationError, UnknownResource
from gemini.tools.content import Row, contents_row

Text = str | bytes
Read = Callable[..., Text | Awaitable[Text]]
F = TypeVar("F", bound=Callable[..., Any])
# RFC 6570, level 1: what stands for a part of the address between two slashes.
VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True)
class Resource:
    """`read` gives what stands there at that moment, text or bytes.

    A `uri` with names in braces, as in `notes://{year}/{name}`, stands for many; `read` takes the names.
    """

    uri: str
    name: str
    description: str
    mime_type: str
    read: Read
    variables: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(VARIABLE.findall(self.uri)))

    def row(self) -> Row:
        """As `resources/list` and `resources/templates/list` tell it."""
        return {
            "uriTemplate" if self.variables else "uri": self.uri,
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime_type,
        }

    def match(self, uri: str) -> dict[str, str] | None:
        """What the names stand for in `uri`; None where it is another resource's."""
        pieces = VARIABLE.split(self.uri)
        # Every second piece is a name.
        pattern = "".join(
            f"(?P<{piece}>[^/]+)" if position % 2 else re.escape(piece)
            for position, piece in enumerate(pieces)
        )
        found = re.fullmatch(pattern, uri)
        return None if found is None else {name: unquote(value) for name, value in found.groupdict().items()}


class Resources:
    """Resources by URI."""

    def __init__(self) -> None:
        self._resources: dict[str, Resource] = {}
        self._on_update: list[Callable[[str], None]] = []
        self._on_change: list[Callable[[], None]] = []

    def add(self, resource: Resource) -> None:
        """Offer one, in the place of another of its URI."""
        self._resources[resource.uri] = resource
        self._changed()

    def remove(self, uri: str) -> None:
        """Take one back.

        Raises:
            UnknownResource: there is none of that URI.
        """
        if uri not in self._resources:
            raise self._unknown(uri)
        del self._resources[uri]
        self._changed()

    def rows(self) -> list[Row]:
        """Every resource as `{uri, name, description, mimeType}`."""
        return [each.row() for each in self._resources.values() if not each.variables]

    def templates(self) -> list[Row]:
        """Every resource that stands for many as `{uriTemplate, name, description, mimeType}`."""
        return [each.row() for each in self._resources.values() if each.variables]

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever one came or went; the returned function ends that."""
        self._on_change.append(listener)
        return lambda: self._on_change.remove(listener)

    def on_update(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the URI of each resource that has changed; the returned function ends that."""
        self._on_update.append(listener)
        return lambda: self._on_update.remove(listener)

    def updated(self, uri: str) -> None:
        """Say that a resource reads differently now."""
        for listener in self._on_update:
            listener(uri)

    async def read(self, uri: str) -> Text:
        """The text, or the bytes, of a resource.

        Raises:
            UnknownResource: there is none of that URI.
            GeminiError: as its room says.
        """
        return await _read(*self._find(uri))

    async def contents(self, uri: str) -> Row:
        """As `resources/read` answers: `{contents: [{uri, mimeType, text}]}`, with `blob` in base64 for bytes."""
        found, named = self._find(uri)
        return {"contents": [contents_row(uri, found.mime_type, await _read(found, named))]}

    def _find(self, uri: str) -> tuple[Resource, Mapping[str, str]]:
        exact = self._resources.get(uri)
        if exact is not None and not exact.variables:
            return exact, {}
        for resource in self._resources.values():
            named = resource.match(uri) if resource.variables else None
            if named is not None:
                return resource, named
        raise self._unknown(uri)

    def _unknown(self, uri: str) -> UnknownResource:
        return UnknownResource(
            f"there is no resource {uri!r}", hint=f"There are: {', '.join(self._resources) or 'none'}."
        )

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()


async def _read(resource: Resource, named: Mapping[str, str]) -> Text:
    content = resource.read(**named)
    return await content if inspect.isawaitable(content) else content


def resource_of(function: Callable[..., Any], uri: str, mime_type: str, name: str | None) -> Resource:
    """The resource that a function reads; what it is says the function's docstring.

    Raises:
        ToolDeclarationError: there is no docstring, or the URI's names aren't what the function takes.
    """
    about = " ".join((inspect.getdoc(function) or "").split())
    resource = Resource(uri, name or function.__name__, about, mime_type, cast(Read, function))
    if not about:
        raise ToolDeclarationError(
            f"the resource {uri!r} has no description",
            hint="Give the function a docstring: agents choose resources by it.",
        )
    takes = tuple(inspect.signature(function).parameters)
    if set(takes) != set(resource.variables):
        raise ToolDeclarationError(
            f"the resource {uri!r} has {', '.join(resource.variables) or 'no names'} in braces, "
            f"and its function takes {', '.join(takes) or 'nothing'}",
            hint="They have to be the same names.",
        )
    return resource
