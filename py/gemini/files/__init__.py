"""Files: what the surface shows of its filesystem, finds in it, reads from it and writes to it."""

from gemini.files.browser import FileBrowser
from gemini.files.info import FileInfo, FileRow
from gemini.files.kinds import KINDS, Kind

__all__ = ["KINDS", "FileBrowser", "FileInfo", "FileRow", "Kind"]
