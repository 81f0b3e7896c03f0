"""The content of paths: an entry each, as JSON, and a description that is the same on both sides."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import sqlite3
import tarfile
import zipfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

Entry = Mapping[str, str | int]
"""`kind` (file, folder or link), `text` (of a link its target, with a character for each byte), `mode` and `time`."""

PACKED = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ": lzma.decompress}
LONGEST = 120
LARGEST = 1 << 20


def entries(root: Path) -> dict[str, Entry]:
    """Return the contents of each path below `root`, a folder before its entries."""
    found = {str(path.relative_to(root)): _entry(path) for path in sorted(root.rglob("*"))}
    return {name: entry for name, entry in found.items() if entry}


def _entry(path: Path) -> Entry:
    status = path.lstat()
    facts = {"mode": status.st_mode & 0o7777, "time": int(status.st_mtime)}
    if path.is_symlink():
        return {"kind": "link", "text": os.readlink(path), **facts}
    if path.is_dir():
        return {"kind": "folder", "text": "", **facts}
    if not path.is_file():
        return {}
    large = status.st_size > LARGEST
    return {
        "kind": "file",
        "text": f"({status.st_size} bytes)" if large else path.read_bytes().decode("latin-1"),
        **facts,
    }


def changes(before: Mapping[str, Entry], after: Mapping[str, Entry]) -> dict[str, str]:
    """Return what each path has that was added, changed or removed."""

    def differs(name: str, entry: Entry) -> bool:
        known = before.get(name, {})
        return (entry["kind"], entry["text"]) != (known.get("kind"), known.get("text"))

    removed = {name: "(removed)" for name in before if name not in after}
    return removed | {name: _described(entry) for name, entry in after.items() if differs(name, entry)}


def _described(entry: Entry) -> str:
    text = str(entry["text"])
    if entry["kind"] != "file":
        return f"-> {text}" if entry["kind"] == "link" else "(folder)"
    return shortened(_archive(text.encode("latin-1")) or text, LONGEST)


def shortened(text: str, longest: int) -> str:
    """Return a text; of a longer one, the beginning and a digest."""
    if len(text) <= longest:
        return text
    return f"{text[: longest // 4]}... {hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]}"


def _archive(data: bytes) -> str:
    """Return what an archive has, without what depends on the compressor; empty for another file."""
    for magic, unpack in PACKED.items():
        if data.startswith(magic):
            data = unpack(data)
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        # Python 3.11 can't read it.
        return "(zstd)"
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "zip: " + " ".join(sorted(f"{one.filename}={one.file_size}" for one in archive.infolist()))
    if data[257:262] == b"ustar":
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = (f"{one.name}={one.size},{one.mode:o},{one.linkname}" for one in archive.getmembers())
            # GNU tar takes a folder's files in the folder's order.
            return "tar: " + " ".join(sorted(members))
    if data[:15] == b"SQLite format 3":
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(data)
            return "\n".join(database.iterdump())
    return data.decode("latin-1")
