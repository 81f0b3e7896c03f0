"""Folders with directories, links and modes, for programs that copy, move, remove and name them."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OLD_S = 1_600_000_000


def create_for_copying(root: Path) -> None:
    """Create files, directories and links of all kinds."""
    for folder in ("dir/sub", "dir2/a", "other", "full/dir"):
        (root / folder).mkdir(parents=True)
    for name, text in (
        ("full/dir/z", "z\n"),
        *(("a", "1\n"), ("b", "2\n"), ("old", "old\n")),
        *(("dir/x", "x\n"), ("dir/sub/y", "y\n"), ("three", "one\ntwo\nthree")),
    ):
        (root / name).write_text(text)
    for path in root.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (root / "a").chmod(0o755)
    os.utime(root / "old", (OLD_S, OLD_S))
    for name, target in (("link", "a"), ("dirlink", "dir"), ("dir/inner", "x"), ("broken", "nowhere")):
        (root / name).symlink_to(target)


def create_for_names(root: Path) -> None:
    """Create what paths can lead to: files with odd names, and links, also to themselves."""
    (root / "directory/deep er").mkdir(parents=True)
    (root / "file").write_text("x")
    (root / "new\nline 🙂").write_text("x")
    for name, target in (
        ("to-directory", "directory"),
        ("to-file", "file"),
        ("broken", "missing"),
        ("loop", "loop"),
    ):
        (root / name).symlink_to(target)
    (root / "absolute").symlink_to(root / "directory/deep er")


def facts(root: Path) -> dict[str, bytes]:
    """Return the mode, the number of links, the old time if it has that, and the content of each path."""
    return {str(path.relative_to(root)): _facts(path) for path in sorted(root.rglob("*"))}


def _facts(path: Path) -> bytes:
    about = path.lstat()
    if path.is_symlink():
        return f"-> {os.readlink(path)}\n".encode()
    old = " old" if int(about.st_mtime) == OLD_S else ""
    links = f" {about.st_nlink} links" if path.is_file() and about.st_nlink > 1 else ""
    content = path.read_bytes() if path.is_file() else b""
    return f"{stat.filemode(about.st_mode)}{links}{old}\n".encode() + content
