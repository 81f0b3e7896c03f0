"""The web for agents: pages and PDF files as Markdown, and searches, with the user's consent."""

from gemini_companion.web.access import WebAccess
from gemini_companion.web.places import Places
from gemini_companion.web.search import Search

__all__ = ["Places", "Search", "WebAccess"]
