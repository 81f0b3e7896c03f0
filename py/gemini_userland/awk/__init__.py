"""`awk`: POSIX awk with gawk's functions.

A program is parsed into a tree (`lexer`, `expressions`, `parser`, `tree`) and translated to a Python module
(`analysis`, `writing`, `calls`, `translation`), which `run` runs for the records of the main input.
"""

from gemini_userland.awk.command import awk

__all__ = ["awk"]
