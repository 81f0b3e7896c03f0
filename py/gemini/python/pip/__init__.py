"""`pip`: packages for the interpreter of this surface, through micropip."""

from gemini.python.pip.command import pip

__all__ = ["pip"]
