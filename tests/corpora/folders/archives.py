"""The folder that every line starts in."""

import os
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

TIME = 1_704_164_646  # 2024-01-02 03:04:06 UTC
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
OLD = [f"line {number} {word}" for number, word in enumerate(WORDS, 1)]
NEW = [*OLD[:2], "a line between", *OLD[2:5], "line 6 changed", *OLD[6:9]]
HUNK = """\
@@ -1,10 +1,10 @@
 line 1 one
 line 2 two
+a line between
 line 3 three
 line 4 four
 line 5 five
-line 6 six
+line 6 changed
 line 7 seven
 line 8 eight
 line 9 nine
-line 10 ten
"""
SMALL = """\
--- {0}\t2024-01-02 03:04:06.000000000 +0000
+++ {1}\t2024-01-02 03:04:07.000000000 +0000
@@ -4,5 +4,5 @@
 line 4 four
 line 5 five
-line 6 six
+line 6 changed
 line 7 seven
 line 8 eight
"""
ADDED = """\
diff --git a/fresh/hello.txt b/fresh/hello.txt
new file mode 100755
index 0000000..ce01362
--- /dev/null
+++ b/fresh/hello.txt
@@ -0,0 +1,2 @@
+hello
+world
"""
GIT = (
    "diff --git a/old.txt b/old.txt\nindex 1111111..2222222 100644\n--- a/old.txt\n+++ b/old.txt\n"
    + HUNK
    + ADDED
    + """\
diff --git a/doomed.txt b/doomed.txt
deleted file mode 100644
index ce01362..0000000
--- a/doomed.txt
+++ /dev/null
@@ -1 +0,0 @@
-doomed
diff --git a/blanks.txt b/renamed.txt
similarity index 100%
rename from blanks.txt
rename to renamed.txt
"""
)
CONTEXT = """\
*** old.txt\t2024-01-02 03:04:06.000000000 +0000
--- new.txt\t2024-01-02 03:04:07.000000000 +0000
***************
*** 4,8 ****
  line 4 four
  line 5 five
! line 6 six
  line 7 seven
  line 8 eight
--- 4,8 ----
  line 4 four
  line 5 five
! line 6 changed
  line 7 seven
  line 8 eight
"""
NORMAL = "2a3\n> a line between\n6c7\n< line 6 six\n---\n> line 6 changed\n10d10\n< line 10 ten\n"
SUB = """\
--- a/sub/b.txt
+++ b/sub/b.txt
@@ -1,2 +1,3 @@
 b
+between
 c
"""
EMPTY = "--- doomed.txt\n+++ doomed.txt\n@@ -1 +0,0 @@\n-doomed\n"
NOEOL = """\
--- noeol.txt
+++ noeol.txt
@@ -1,2 +1,2 @@
 first
-second
\\ No newline at end of file
+third
\\ No newline at end of file
"""
PEOPLE = 'name,city,age\nAda,London,36\n"Grace, Rear Admiral","New York",85\nLinus,"Hel""sinki",\n'
SHOP = """
CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL);
INSERT INTO items VALUES (1, 'bread', 2.5), (2, 'Käse, alt', 12), (3, 'it''s "quoted"', NULL);
CREATE TABLE sales (item INTEGER REFERENCES items(id), count INTEGER, note TEXT);
CREATE INDEX sales_by_item ON sales (item);
INSERT INTO sales VALUES (1, 3, 'two
lines'), (2, 1, x'00ff');
CREATE VIEW cheap AS SELECT * FROM items WHERE price < 10;
"""
QUERY = """\
-- the names
.headers on
select name,
       price
from items
order by name;
.mode csv
select count(*) as n from sales;
"""
TEMPLATE = (
    "Home: $HOME, user: ${USER}.\n$UNKNOWN_NAME stays out; $$ and $1 and ${bad name} stay. \\$HOME too\n"
)
# `openssl enc -aes-256-cbc -pbkdf2 -pass pass:word -base64` of "a secret text".
SECRET = "U2FsdGVkX1/4Fq90OkErIERcpijz61ctcwQMSm60H0c=\n"


def text(lines: list[str]) -> str:
    return "\n".join(lines) + "\n"


def texts() -> dict[str, str]:
    shifted = ["first", "second", "third", *OLD]
    fuzzy = [*OLD[:3], "line 4 other", *OLD[4:]]
    conflict = [*OLD[:5], "line 6 is different", *OLD[6:]]
    return {
        "old.txt": text(OLD),
        "new.txt": text([*OLD[:5], "line 6 changed", *OLD[6:]]),
        "shifted.txt": text(shifted),
        "fuzzy.txt": text(fuzzy),
        "conflict.txt": text(conflict),
        "blanks.txt": text(OLD).replace("line 5 ", "line  5\t"),
        "doomed.txt": "doomed\n",
        "noeol.txt": "first\nsecond",
        "p0.diff": SMALL.format("old.txt", "new.txt"),
        "git.diff": GIT,
        "added.diff": ADDED,
        "context.diff": CONTEXT,
        "normal.diff": NORMAL,
        "sub.diff": SUB,
        "empty.diff": EMPTY,
        "noeol.diff": NOEOL,
        "project/a.py": "print('a')\n" * 20,
        "project/sub/b.txt": "b\nc\n",
        "project/sub/deep/c.py": "c = 1\n",
        "project/.hidden": "hidden\n",
        "people.csv": PEOPLE,
        "query.sql": QUERY,
        "template.txt": TEMPLATE,
        "secret.enc": SECRET,
    }


def create(root: Path) -> None:
    """Write the files into `root`, all with the same time."""
    for name, content in texts().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    (root / "project" / "empty").mkdir()
    with zipfile.ZipFile(root / "made.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (
            ("project/", ""),
            ("project/a.py", "print('a')\n" * 20),
            ("project/b.txt", "b\n"),
        ):
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 2, 3, 4, 6)), content, zipfile.ZIP_DEFLATED)
    with closing(sqlite3.connect(root / "shop.db")) as database:
        database.executescript(f"BEGIN; {SHOP} COMMIT;")
    for folder, _, names in os.walk(root, topdown=False):
        for path in (folder, *(os.path.join(folder, name) for name in names)):
            os.chmod(path, 0o755 if os.path.isdir(path) else 0o644)
            os.utime(path, (TIME, TIME))


def contents(root: Path) -> dict[str, bytes]:
    """Return the content of every file and database, and the folders; the lines look into archives themselves."""
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_dir():
            found[name + "/"] = b""
        elif path.suffix == ".db":
            with closing(sqlite3.connect(path)) as database:
                found[name] = "\n".join(database.iterdump()).encode()
        elif path.suffix != ".zip":
            executable = " (executable)" if path.stat().st_mode & 0o111 else ""
            found[name + executable] = path.read_bytes()
    return found
