"""The settings of the companion that the user sees and changes in the page."""

from gemini_companion.settings.commands import Command, own_command, passing_command
from gemini_companion.settings.settings import Access, Settings

__all__ = ["Access", "Command", "Settings", "own_command", "passing_command"]
