"""Folders that `find` and `rg` are tried on."""

from __future__ import annotations

import os
import time
from pathlib import Path

NOON = 1_700_000_000
HOUR = 3600


def make_find_tree(folder: Path) -> None:
    """Make files of all ages, modes and kinds."""
    (folder / "a/b").mkdir(parents=True)
    (folder / ".h").mkdir()
    (folder / "a/f.txt").write_text("hi\n")
    (folder / "a/f.txt").chmod(0o600)
    for name in ("b/e", "my file", "é", "new\nline"):
        (folder / "a" / name).write_text("")
        (folder / "a" / name).chmod(0o644)
    (folder / "a/l").symlink_to("f.txt")
    (folder / "a/dang").symlink_to("nope")
    (folder / "a/b/up").symlink_to("..")
    (folder / "a/big").write_bytes(b"x" * 3000)
    (folder / "a/big").chmod(0o755)
    for place in (folder, folder / "a", folder / "a/b", folder / ".h"):
        place.chmod(0o755)
    now = time.time()
    ages = {"a/f.txt": 2, "a/my file": 30, "a/é": 100, "a/big": 0.5}
    for name, hours in ages.items():
        os.utime(folder / name, (now - hours * HOUR, now - hours * HOUR))
    os.utime(folder / "a/b/e", (NOON, NOON))
    # Links and folders are made at one moment, however slow the machine is.
    for name in ("a/l", "a/dang", "a/b/up", "a/b", "a", ".h", "."):
        os.utime(folder / name, (now, now), follow_symlinks=False)


def make_rg_tree(folder: Path) -> None:
    """Make a repository with hidden, ignored and binary files."""
    contents = {
        ".git/HEAD": b"ref: refs/heads/main\n",
        ".gitignore": b"build/\n*.log\n!keep.log\n",
        ".hid/h.txt": b"hidden foo\n",
        "build/o.txt": b"ignored foo\n",
        "x.log": b"foo\n",
        "keep.log": b"foo\n",
        "src/a.py": b"Hello world\nfoo bar\nhello again foo foo\n\nlast foo",
        "src/b.js": b"foo in b\nx\ny\nz\nfoo2\nq\n",
        "src/deep/t.html": b"<a>foo</a>\n",
        "bin.dat": b"foo\0bar\nfoo\n",
        "bin2.dat": b"aaa\nfoo\nccc\0bar\nfoo\n",
        "utf.txt": "é foo ü\nstraße\nÉCOLE\n".encode(),
        "crlf.txt": b"foo\r\nbar\r\n",
        "empty": b"",
        "bom.txt": b"\xef\xbb\xbffoo bom\n",
    }
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
