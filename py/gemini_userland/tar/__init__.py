"""`tar`: GNU tar's common ground, on Python's own `tarfile`."""

from gemini_userland.tar.command import tar

__all__ = ["tar"]
