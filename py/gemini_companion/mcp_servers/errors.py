"""Errors of the user's MCP servers. Their messages can quote a server."""

from gemini.errors import GeminiError


class McpServerProblem(GeminiError):
    """An MCP server of the user can't be used."""


class McpServerUnknown(McpServerProblem):
    """The user has added no such server."""


class McpServerOff(McpServerProblem):
    """The user has switched the server off, or hasn't allowed it to start."""


class McpServerDown(McpServerProblem):
    """The server doesn't start, has ended, or can't be reached."""


class McpToolUnknown(McpServerProblem):
    """The server has no such tool."""


class McpServerRefused(McpServerProblem):
    """A configuration of a server can't be used."""
