"""Errors of the companion's own, as part of the surface's tree.

GeminiError
├── NoPageConnected     no page has the surface open
├── UnknownPage         no page of that name
├── PageLost            the page went away, or fell asleep, while it was asked
├── McpOff              the person turned MCP off
├── ProbeFailed         the companion's own MCP call, a test, didn't get through
├── BrowserMissing      --headless needs a browser, and there is none
└── SurfaceMissing      no surface is built where it was looked for
"""

from gemini.errors import GeminiError


class NoPageConnected(GeminiError): ...


class UnknownPage(GeminiError): ...


class PageLost(GeminiError): ...


class McpOff(GeminiError): ...


class ProbeFailed(GeminiError): ...


class BrowserMissing(GeminiError): ...


class FolderUnusable(GeminiError): ...


class NotRunning(GeminiError): ...


class SurfaceMissing(GeminiError): ...
