"""MCP resources, which clients read by URI.

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
# RFC 6570, level 1: a variable for a path segment.
VARIABLE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")


@dataclass(frozen=True)
class Resource:
    """A resource, or a template for many.

    Attributes:
        uri: The URI; a template has variables in braces: `notes://{year}/{name}`.
        read: Returns the current content, text or bytes; it takes the template's variables.
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
        """Return the resource as `resources/list` and `resources/templates/list` list it."""
        return {
            "uriTemplate" if self.variables else "uri": self.uri,
            "name": self.name,
            "description": self.description,
            "mimeType": self.mime_type,
        }

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the variables' values in `uri`, or None if `uri` doesn't match."""
        pieces = VARIABLE.split(self.uri)
        # Every second piece is a variable.
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
        """Add a resource, or replace the one with the same URI."""
        self._resources[resource.uri] = resource
        self._changed()

    def remove(self, uri: str) -> None:
        """Remove a resource.

        Raises:
            UnknownResource: There is no resource with this URI.
        """
        if uri not in self._resources:
            raise self._unknown(uri)
        del self._resources[uri]
        self._changed()

    def rows(self) -> list[Row]:
        """Return every resource as `{uri, name, description, mimeType}`."""
        return [each.row() for each in self._resources.values() if not each.variables]

    def templates(self) -> list[Row]:
        """Return every template as `{uriTemplate, name, description, mimeType}`."""
        return [each.row() for each in self._resources.values() if each.variables]

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` whenever a resource is added or removed; the returned function unsubscribes it."""
        self._on_change.append(listener)
        return lambda: self._on_change.remove(listener)

    def on_update(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the URI of each resource that changes; the returned function unsubscribes it."""
        self._on_update.append(listener)
        return lambda: self._on_update.remove(listener)

    def updated(self, uri: str) -> None:
        """Notify listeners that a resource's content has changed."""
        for listener in self._on_update:
            listener(uri)

    async def read(self, uri: str) -> Text:
        """Return the text or bytes of a resource.

        Raises:
            UnknownResource: There is no resource with this URI.
            GeminiError: The resource can't be read.
        """
        return await _read(*self._find(uri))

    async def contents(self, uri: str) -> Row:
        """Return the answer to `resources/read`: `{contents: [{uri, mimeType, text}]}`, bytes as base64 in `blob`."""
        resource, variables = self._find(uri)
        return {"contents": [contents_row(uri, resource.mime_type, await _read(resource, variables))]}

    def _find(self, uri: str) -> tuple[Resource, Mapping[str, str]]:
        exact = self._resources.get(uri)
        if exact is not None and not exact.variables:
            return exact, {}
        for resource in self._resources.values():
            variables = resource.match(uri) if resource.variables else None
            if variables is not None:
                return resource, variables
        raise self._unknown(uri)

    def _unknown(self, uri: str) -> UnknownResource:
        return UnknownResource(
            f"there is no resource {uri!r}",
            hint=f"The resources are: {', '.join(self._resources) or 'none'}.",
        )

    def _changed(self) -> None:
        for listener in self._on_change:
            listener()


async def _read(resource: Resource, variables: Mapping[str, str]) -> Text:
    content = resource.read(**variables)
    return await content if inspect.isawaitable(content) else content


def resource_of(function: Callable[..., Any], uri: str, mime_type: str, name: str | None) -> Resource:
    """Return a resource for a function, described by the function's docstring.

    Raises:
        ToolDeclarationError: The function has no docstring, or its parameters differ from the URI's variables.
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
            f"and its function takes {', '.join(takes) or 'no parameters'}",
            hint="Use the same names in both.",
        )
    return resource
