"""Store files that pages in tabs download. Their names are the pages' own."""

import os
import re
from mimetypes import guess_extension

from gemini.computer.files.edit import write_bytes
from gemini.computer.files.names import free_path

FOLDER = "/project/downloads"
# Bytes of a name in UTF-8; most file systems allow 255.
LONGEST = 200
LONGEST_SUFFIX = 20
# Controls, and characters that invisibly change the order of others.
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
OTHER_SYSTEMS = re.compile(r'[<>:"|?*]')


def store(name: str, media_type: str, data: bytes) -> str:
    """Write a file into the folder for downloads under a free name.

    Returns:
        Its absolute path.

    Raises:
        StorageFull: There is no space.
        FileProblem: The folder can't be written.
    """
    path = free_path(os.path.join(FOLDER, safe_name(name, media_type)))
    write_bytes(path, data)
    return path


def safe_name(name: str, media_type: str = "") -> str:
    """Return a file name without folders, controls or leading dots, which other systems accept, too.

    A name without a suffix gets the suffix of the media type.
    """
    last = re.split(r"[/\\]", name)[-1]
    shown = OTHER_SYSTEMS.sub("_", UNSAFE.sub("", last)).strip(" .") or "download"
    stem, suffix = os.path.splitext(shown)
    if len(suffix) > LONGEST_SUFFIX:
        stem, suffix = shown, ""
    suffix = suffix or guess_extension(media_type) or ""
    room = LONGEST - len(suffix.encode())
    return stem.encode()[:room].decode(errors="ignore").rstrip() + suffix
