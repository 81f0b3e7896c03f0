"""`sed`: GNU sed's language, on bytes."""

from gemini_userland.sed.command import sed

__all__ = ["sed"]
