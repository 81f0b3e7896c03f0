"""The companion's own errors."""

from gemini.errors import GeminiError


class NoPageConnected(GeminiError):
    """No page has the surface open."""


class UnknownPage(GeminiError):
    """No page has that name."""


class PageLost(GeminiError):
    """The page was closed, or stopped responding, before it answered."""


class PageNotReady(GeminiError):
    """Python doesn't answer in the page: it still starts, or can't start."""


class McpOff(GeminiError):
    """The user turned MCP off."""


class ProbeFailed(GeminiError):
    """The MCP call by which the companion tests itself failed."""


class BrowserMissing(GeminiError):
    """`--headless` needs a browser, and there is none."""


class FolderUnusable(GeminiError):
    """A folder for the user's data can't be created or written."""


class NotRunning(GeminiError):
    """No companion of this user runs on the port."""


class SurfaceMissing(GeminiError):
    """The folder has no built surface."""


class PartUnavailable(GeminiError):
    """A part of the page isn't on this machine, and can't be fetched."""
