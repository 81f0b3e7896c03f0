"""`zip`, `unzip` and `zipinfo -1`: archives of Info-ZIP's programs."""

from gemini_userland.zip.pack import zip_command
from gemini_userland.zip.unpack import unzip

__all__ = ["unzip", "zip_command"]
