"""`patch`: apply the output of `diff` and of `git diff` to files."""

from gemini_userland.patch.command import patch

__all__ = ["patch"]
