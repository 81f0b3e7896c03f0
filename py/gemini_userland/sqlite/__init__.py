"""`sqlite3`: the command-line shell of SQLite, over Python's module."""

from gemini_userland.sqlite.command import sqlite3

__all__ = ["sqlite3"]
