"""The folder that lines of programs from other packages start in: text, bytes, archives, links, and folders."""

from __future__ import annotations

import atexit
import gzip
import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
import zipfile
from contextlib import closing
from functools import cache
from pathlib import Path

TIME = 1_704_164_646  # 2024-01-02 03:04:06 UTC
OLD = ["int one(void)", "{", "  return 1;", "}", "", "int two(void)", "{", "  return 2;", "}", "", "end"]
NEW = [*OLD[:2], "  /* first */", *OLD[2:7], "  return  22;", *OLD[8:10], "END"]
DIFF = """\
--- a/old.c\t2024-01-02 03:04:06.000000000 +0000
+++ b/old.c\t2024-01-02 03:04:06.000000000 +0000
@@ -1,5 +1,6 @@
 int one(void)
 {
+  /* first */
   return 1;
 }
{0}
@@ -8,4 +9,4 @@
-  return 2;
+  return  22;
 }
{0}
-end
+END
""".replace("{0}", " ")
SHOP = """
CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, price REAL);
INSERT INTO items VALUES (1, 'bread', 2.5), (2, 'Käse, alt', 12), (3, 'it''s "quoted"', NULL);
"""


def _text(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()


FILES: dict[str, bytes] = {
    "abc": b"a\nb\nc\n",
    "ABC": b"A\nB\nC\n",
    "bcd": b"b\nc\nd\n",
    "n20": b"".join(b"%d\n" % number for number in range(1, 21)),
    "open": b"first\nlast without an end",
    "empty": b"",
    "gaps": b"one\n\ntwo\n\n\nthree  x\n",
    "gaps2": b"one\ntwo\nthree x \n\n",
    "crlf": b"one\r\ntwo\r\nthree\r\n",
    "latin1": b"caf\xe9 na\xefve\n",
    "utf8": "é集😀\nstraße\tübel\nabc\n".encode(),
    "nul": b"text before\n\0\1\2binary text here\nafter\n",
    "zero": b"one\0two words\0three\0",
    "bytes": bytes(range(256)),
    "tabs": b"a\tb\n\tx y\n",
    "words": b"Hello world\nhello foo-bar\nfoo bar foo\nbarfoo hello_world\nFOO: 12, 345\n",
    "patterns": b"hello\nfoo\n",
    "table": b"id  name  size\n1 ada 1000\n22 grace 5\n333 x\n",
    "csv": b"id,name,note\n1,Ada,\n2,Grace,a long note here\n,,x\n",
    "old.c": _text(OLD),
    "new.c": _text(NEW),
    "p1.diff": DIFF.encode(),
    "p0.diff": DIFF.replace("a/", "").replace("b/", "").encode(),
    "bad.diff": DIFF.replace("return 1", "return 9").encode(),
    "src/a.py": b"import os\n# TODO: one\nprint(os.getcwd())\n",
    "src/b.txt": b"todo in a text\nTODO\n",
    "src/.hidden": b"TODO hidden\n",
    "src/sub/c.py": b"def f():\n    return 1  # TODO\n",
    "src/sub/d.o": b"\x7fELF\0TODO\0",
    "src/vendor/e.py": b"TODO = 1\n",
    "dst/a.py": b"import os\n# TODO: two\nprint(os.getcwd())\n",
    "dst/b.txt": b"todo in a text\nTODO\n",
    "dst/only": b"new\n",
    "dst/sub/c.py": b"def f():\n\treturn 1  # TODO\n",
    "three words": b"name with a blank\n",
    "script.sh": b"#!/bin/sh\necho hi\n",
    "page.html": b"<!DOCTYPE html>\n<html><body>hi</body></html>\n",
    "data.json": b'{"a": 1, "b": [1, 2, {"c": null}], "s": "x\xc3\xa9"}\n',
    "lines.json": b'{"n":1,"t":"a"}\n{"n":2,"t":"b"}\n',
    "template": b"$HOME ${USER} $OTHER $$\n",
    "sum.bc": b"1+2\nscale=3\n10/3\n",
    "args": b"a b\nc 'd e' \\f\n\ng\n",
    "query.sql": b"SELECT name FROM items ORDER BY id;\n",
    "dump.hex": b"00000000: 6869 0a                                  hi.\n",
    "Makefile": (
        b"NAME = world\nall: hello bye\nhello:\n\t@echo hello $(NAME)\nbye: abc\n\techo bye\n"
        b"out: abc\n\tcat abc > out\nfail:\n\tfalse\n\techo after\nboth: fail hello\n.PHONY: all hello bye fail both\n"
    ),
    "other.mk": b"x:\n\t@echo other $(V)\n",
}
LINKS = {"link": "abc", "folder": "src", "dangling": "nowhere"}


@cache
def _original() -> Path:
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    _write(Path(folder))
    return Path(folder)


def create(root: Path) -> None:
    """Copy the files into `root`, all with the same time."""
    shutil.copytree(_original(), root, symlinks=True, dirs_exist_ok=True)


def _write(root: Path) -> None:
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "void").mkdir(exist_ok=True)
    _archives(root)
    for folder, _, names in os.walk(root, topdown=False):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chmod(path, 0o755 if os.path.isdir(path) or path.endswith(".sh") else 0o644)
            os.utime(path, (TIME, TIME))
    for name, target in LINKS.items():
        if not (root / name).is_symlink():
            (root / name).symlink_to(target)
            os.utime(root / name, (TIME, TIME), follow_symlinks=False)


def _archives(root: Path) -> None:
    with gzip.GzipFile(root / "text.gz", "wb", mtime=TIME) as packed:
        packed.write(FILES["n20"])
    with (
        gzip.GzipFile(root / "made.tar.gz", "wb", mtime=TIME) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for name in ("src/a.py", "src/b.txt", "src/sub/c.py"):
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.mode = len(FILES[name]), TIME, 0o644
            archive.addfile(member, io.BytesIO(FILES[name]))
    with zipfile.ZipFile(root / "made.zip", "w") as archive:
        for name in ("src/a.py", "src/b.txt", "src/sub/c.py"):
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 2, 3, 4, 6)), FILES[name], zipfile.ZIP_DEFLATED)
    (root / "shop.db").unlink(missing_ok=True)
    with closing(sqlite3.connect(root / "shop.db")) as database:
        database.executescript(f"BEGIN; {SHOP} COMMIT;")
