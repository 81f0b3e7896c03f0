"""`tar`: the common options of GNU tar, implemented with `tarfile`."""

from gemini_userland.tar.command import tar

__all__ = ["tar"]
