"""`sed`: GNU sed's language, on bytes."""

from gemini.terminals.commands.sed.command import sed

__all__ = ["sed"]
