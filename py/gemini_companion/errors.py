"""Errors of the companion's own, as part of the surface's tree.

GeminiError
├── NoPageConnected     no page has the surface open
├── UnknownPage         no page of that name
└── PageLost            the page went away, or fell asleep, while it was asked
"""

from gemini.errors import GeminiError


class NoPageConnected(GeminiError): ...


class UnknownPage(GeminiError): ...


class PageLost(GeminiError): ...
