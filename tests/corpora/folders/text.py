"""The folder that every line starts in: small files, some with odd bytes."""

from __future__ import annotations

import os
from pathlib import Path

TIME = 1_704_164_646  # 2024-01-02 03:04:06 UTC

FILES: dict[str, bytes] = {
    "abc": b"a\nb\nc\n",
    "bcd": b"b\nc\nd\n",
    "n20": b"".join(b"%d\n" % number for number in range(1, 21)),
    "open": b"first\nlast without an end",
    "empty": b"",
    "break": b"\n",
    "breaks": b"\n\n\na\n\n\n\nb\n\n",
    "latin1": b"caf\xe9 na\xefve\n\xe4\xf6\xfc\n",
    "utf8": "é集😀\nstraße\tübel\nabc\n".encode(),
    "bom": b"\xef\xbb\xbfid,name\r\n1,x\r\n",
    "nul": b"b\0a\nc\0\0d",
    "zero": b"one\0two\0three\0",
    "bytes": bytes(range(256)),
    "tabs": b"a\tb\tc\n\t\tx\n  \ty  \t z\nab\b\tc\n",
    "blanks": b"        a       b\n                 c  d e\n\t a\n   x        y\n",
    "long": b"The quick brown fox jumps over the lazy dog again and again.\nshort\n" + b"x" * 100 + b"\n",
    "people": b"1 Ada London\n2 Grace Boston\n3 Linus\n3 Ken Rome\n5 Bob  Oslo\n",
    "ages": b"1 36\n2 85\n3 54\n4 20\n5 9 extra\n",
    "colon": b"k1:a:b\nk2:c:d\nk4:e:f\n",
    "colon2": b"k1:1\nK2:2\nk3:3\n",
    "unsorted": b"b 1\na 2\nc 3\n",
    "pages": b"\\:\\:\\:\nhead\n\\:\\:\nbody1\n\nbody2\n\\:\nfoot\n\\:\\:\nnext\n",
    "sections": b"intro\n%%\none\n%%\ntwo\n%%\nthree\n",
    "three words": b"name with a blank\n",
    "sub/deep": b"deep\n",
}


def create(root: Path) -> None:
    """Write the files into `root`, all with the same time."""
    for name, content in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (TIME, TIME))
        path.chmod(0o644)


def contents(root: Path) -> dict[str, bytes]:
    """Return the content of every file below `root`."""
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }
