"""The command `pip`: install packages into the page's interpreter with micropip."""

from gemini.computer.python.pip.command import pip

__all__ = ["pip"]
