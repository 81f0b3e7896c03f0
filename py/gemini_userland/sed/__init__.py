"""`sed`: the language of GNU sed, applied to bytes."""

from gemini_userland.sed.command import sed

__all__ = ["sed"]
