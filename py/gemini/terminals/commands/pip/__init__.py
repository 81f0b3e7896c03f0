"""`pip`: packages for the interpreter of this surface, through micropip."""

from gemini.terminals.commands.pip.command import pip

__all__ = ["pip"]
