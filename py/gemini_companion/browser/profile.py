"""Prepares the profile of a browser that shows the surface."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

from gemini_companion.errors import FolderUnusable
from gemini_companion.storage.private_files import FOLDER_MODE, write_private

# The file that Chromium reads at its start.
PREFERENCES = Path("Default/Preferences")
EXCEPTIONS = ("profile", "content_settings", "exceptions", "cookies")
# Frames of sites, `<label>.localhost`, in pages of the companion. Other third-party cookies stay as they are.
SITES = "[*.]localhost,http://127.0.0.1"
ALLOWED = {"setting": 1}


def let_sites_store(profile: Path) -> None:
    """Let pages made of files store data in a browser with this profile, also if it blocks third-party cookies.

    Preferences that can't be read or written stay as they are: the browser starts without this.
    """
    file = profile / PREFERENCES
    with contextlib.suppress(OSError, ValueError, AttributeError, FolderUnusable):
        preferences: Any = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        exceptions = preferences
        for name in EXCEPTIONS:
            exceptions = exceptions.setdefault(name, {})
        if SITES not in exceptions:
            exceptions[SITES] = ALLOWED
            profile.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            write_private(file, json.dumps(preferences))
