"""`grep`, `egrep` and `fgrep`: print the lines that match patterns."""

from __future__ import annotations

from gemini_userland.grep.command import egrep, fgrep, grep

__all__ = ["egrep", "fgrep", "grep"]
