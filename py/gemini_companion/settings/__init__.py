"""What the person sees of the companion in the page's settings, and decides there."""

from gemini_companion.settings.commands import Command, own_command
from gemini_companion.settings.settings import Access, Settings

__all__ = ["Access", "Command", "Settings", "own_command"]
