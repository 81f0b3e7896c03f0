"""Files for scripts: `gemini.files.history` lists changes, and `gemini.files.restore` reverts them.

`gemini.computer.files` implements it.
"""

from gemini.computer.files import KINDS, FileBrowser, FileInfo, FileRow, Kind, history, restore

__all__ = ["KINDS", "FileBrowser", "FileInfo", "FileRow", "Kind", "history", "restore"]
