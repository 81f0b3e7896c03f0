"""`tree`: list folders as a tree."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property

from gemini_userland.characters import in_bytes, in_characters
from gemini_userland.clock import zone_of
from gemini_userland.find.owners import group_names, user_names
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax

SYNTAX = Syntax(
    numbers={
        "L": Number("Invalid level, must be greater than 0.", 1),
        "filelimit": Number("missing argument"),
    },
    short="adfiFlpugshDrRStUvcCnNqQxAJXL:P:I:o:H:T:",
    long={
        "noreport": "noreport",
        "dirsfirst": "dirsfirst",
        "prune": "prune",
        "ignore-case": "ignore-case",
        "matchdirs": "matchdirs",
        "charset=": "charset",
        "filelimit=": "filelimit",
        "sort=": "sort",
        "si": "si",
        "du": "du",
        "timefmt=": "timefmt",
        "filesfirst": "filesfirst",
        "gitignore": "gitignore",
        "gitfile=": "gitignore",
        "nolinks": "H",
        "hintro=": "H",
        "houtro=": "H",
        **{
            name: name.rstrip("=")
            for name in ("metafirst", "info", "infofile=", "inodes", "device", "fromfile", "fflinks")
        },
    },
    refused={
        "R": "-L lists that many levels, without a page for each folder",
        **dict.fromkeys(("A", "S"), "use --charset=ascii"),
        **dict.fromkeys(("X", "H", "T"), "-J prints JSON, which jq and Python read"),
        "gitignore": "use -I PATTERN, or `git ls-files`",
        "metafirst": "the details stand behind the lines of the tree",
        **dict.fromkeys(("info", "infofile"), "there are no notes: cat the .info files"),
        **dict.fromkeys(("inodes", "device"), "use `stat -c '%i %d' FILE`"),
        **dict.fromkeys(("fromfile", "fflinks"), "it lists only what is in the file system"),
        "du": "use `du -ab FOLDER`",
    },
    version="tree: part of the shell of control-surface, modelled on tree 2.1",
    help="""
Usage: tree [OPTION]... [FOLDER]...
List the content of each FOLDER, by default the working directory, as a tree.

  -a           list hidden files, too
  -d           list only folders
  -f           print the path of each file
  -i           print no lines of the tree
  -L LEVEL     descend at most LEVEL folders
  -P PATTERN   list only files that match; -I leaves files out that match; PATTERN has alternatives between "|"
      --prune  leave out empty folders; --ignore-case; --matchdirs for folders, too
  -p, -u, -g   print permissions, owners, groups
  -s, -h, -D   print sizes, readable sizes, times
  -Q           quote names
  -F           mark folders, programs and links as ls -F does
  -r, -t, -U, --dirsfirst, --filesfirst, --sort=name|size|mtime   the order
  -J           print JSON
  -o FILE      write to FILE
      --filelimit N    don't descend into folders of more than N entries
      --noreport       leave out the last line
      --charset=ascii  draw with ASCII characters
""",
)
UNICODE = ("│\u00a0\u00a0 ", "    ", "├── ", "└── ")
ASCII = ("|   ", "    ", "|-- ", "`-- ")
UNITS = " KMGTP"
HALF_YEAR_S = 15_778_476
MARKS = {stat.S_IFDIR: "/", stat.S_IFLNK: "@", stat.S_IFIFO: "|", stat.S_IFSOCK: "="}


def _printable(name: str) -> str:
    """Return a name with the numbers of bytes that the locale doesn't print."""
    return re.sub("[\udc80-\udcff]", lambda byte: f"\\{ord(byte[0]) & 0xFF:03o}", in_characters(name))


@dataclass
class Entry:
    """A file in the tree.

    Attributes:
        name: Its name.
        path: Its path, as `-f` prints it.
        about: Its attributes.
        link: The target of a link.
        children: The content of a folder; None for one that isn't descended into.
        note: A text in brackets after the name.
    """

    name: str
    path: str
    about: os.stat_result
    link: str | None = None
    children: list[Entry] | None = None
    note: str = ""

    @property
    def is_folder(self) -> bool:
        """Return whether it is a folder, not a link to one."""
        return stat.S_ISDIR(self.about.st_mode)


@dataclass
class Tree:
    """A run of tree.

    Attributes:
        invocation: The call of the command.
        given: The parsed options.
        folders: The number of listed folders.
        files: The number of other listed files.
        lines: The output.
    """

    invocation: Invocation
    given: Arguments
    folders: int = 0
    files: int = 0
    failed: bool = False
    lines: list[str] = field(default_factory=list[str])

    def show(self, names: Sequence[str]) -> None:
        """List the folders of that names, and the report."""
        as_json = "J" in self.given
        roots = [self._root(name) for name in names]
        if as_json:
            self.lines.append("[")
        for number, (name, root) in enumerate(zip(names, roots, strict=True)):
            if root is None:
                self.failed = True
                self.lines.append(self._missing(name))
            elif as_json:
                self._json(root, 1, "," if number + 1 < len(roots) else "")
            else:
                self.folders += 1
                self.lines.append(self._describe(root))
                self._draw(root, "")
        self._report(as_json)

    def _missing(self, name: str) -> str:
        if "J" in self.given:
            return f'  {{"type":"directory","name":{json.dumps(name)},"error":"error opening dir"}}'
        return f"{name}  [error opening dir]"

    def _report(self, as_json: bool) -> None:
        if as_json:
            self.lines.append("")
            if "noreport" not in self.given:
                self.lines[-1] = ","
                counts = f'"directories":{self.folders}' + (
                    "" if "d" in self.given else f',"files":{self.files}'
                )
                self.lines.append(f'  {{"type":"report",{counts}}}')
            self.lines.append("]")
        elif "noreport" not in self.given:
            folders = f"{self.folders} director{'y' if self.folders == 1 else 'ies'}"
            files = f", {self.files} file{'' if self.files == 1 else 's'}"
            self.lines += ["", folders + ("" if "d" in self.given else files)]

    def _root(self, name: str) -> Entry | None:
        path = self.invocation.path(name)
        if not os.path.isdir(path):
            return None
        root = Entry(name, name, os.stat(path))
        root.children = self._children(root, path, 1)
        return root

    def _children(self, folder: Entry, path: str, level: int, *, taken: bool = False) -> list[Entry] | None:
        """Return what a folder contains; `taken` says that -P has chosen all of it."""
        limit = self.given.number("L")
        if limit is not None and level > limit:
            return None
        names = [name for name in os.listdir(path) if "a" in self.given or not name.startswith(".")]
        most = self.given.number("filelimit")
        if most is not None and len(names) > most:
            folder.note = f"  [{len(names)} entries exceeds filelimit, not opening dir]"
            return None
        entries = [self._entry(folder, path, name, level, above_matches=taken) for name in names]
        return self._sort([entry for entry in entries if entry is not None])

    def _entry(
        self, folder: Entry, above: str, name: str, level: int, *, above_matches: bool
    ) -> Entry | None:
        path = os.path.join(above, name)
        about = os.lstat(path)
        entry = Entry(name, f"{folder.path.rstrip('/')}/{name}", about)
        if stat.S_ISLNK(about.st_mode):
            entry.link = os.readlink(path)
        leads = os.path.isdir(path)
        if not above_matches and not self._wants(name, leads):
            return None
        if entry.is_folder or (leads and "l" in self.given):
            taken = "matchdirs" in self.given and self._matches(name, self.given.all("P"))
            entry.children = self._children(entry, path, level + 1, taken=taken)
            if "prune" in self.given and not entry.children:
                return None
        return entry

    def _wants(self, name: str, is_folder: bool) -> bool:
        if self._matches(name, self.given.all("I")):
            return False
        if is_folder:
            return True
        patterns = self.given.all("P")
        return "d" not in self.given and (not patterns or self._matches(name, patterns))

    def _matches(self, name: str, patterns: Sequence[str]) -> bool:
        if "ignore-case" in self.given:
            name, patterns = name.lower(), [one.lower() for one in patterns]
        alternatives = [part.rstrip("/") for pattern in patterns for part in pattern.split("|")]
        return any(fnmatch.fnmatchcase(name, part) for part in alternatives)

    def _sort(self, entries: list[Entry]) -> list[Entry]:
        order = self.given.last("sort", "")
        if "t" in self.given or order == "mtime":
            entries.sort(key=lambda entry: (-entry.about.st_mtime_ns, entry.name))
        elif order == "size":
            entries.sort(key=lambda entry: (-entry.about.st_size, entry.name))
        elif "U" not in self.given and order != "none":
            entries.sort(key=lambda entry: os.fsencode(entry.name))
        if "r" in self.given:
            entries.reverse()
        if "filesfirst" in self.given:
            entries.sort(key=lambda entry: entry.is_folder)
        if "dirsfirst" in self.given:
            entries.sort(key=lambda entry: not entry.is_folder)
        return entries

    def _draw(self, folder: Entry, indent: str) -> None:
        ascii_only = self.given.last("charset", "").lower() in ("ascii", "us-ascii", "c") or (
            in_bytes() and "charset" not in self.given
        )
        bar, blank, tee, corner = ASCII if ascii_only else UNICODE
        children = folder.children or []
        for number, child in enumerate(children):
            last = number + 1 == len(children)
            self._count(child)
            line = "" if "i" in self.given else indent + (corner if last else tee)
            self.lines.append(line + self._describe(child))
            self._draw(child, indent + (blank if last else bar))

    def _count(self, entry: Entry) -> None:
        # A link to a folder counts as a folder.
        if entry.is_folder or (entry.link is not None and self._is_folder(entry)):
            self.folders += 1
        else:
            self.files += 1

    def _is_folder(self, entry: Entry) -> bool:
        return os.path.isdir(self.invocation.path(entry.path))

    def _describe(self, entry: Entry) -> str:
        details = list(self._details(entry))
        text = f"[{' '.join(details)}]  " if details else ""
        quote = '"' if "Q" in self.given else ""
        text += f"{quote}{_printable(entry.path if 'f' in self.given else entry.name)}{quote}"
        if "F" in self.given:
            text += self._mark(entry)
        return (
            text
            + (f" -> {quote}{_printable(entry.link)}{quote}" if entry.link is not None else "")
            + entry.note
        )

    def _mark(self, entry: Entry) -> str:
        mode = entry.about.st_mode
        mark = MARKS.get(stat.S_IFMT(mode), "*" if mode & 0o111 else "")
        return "" if mark == "@" or (mark == "/" and entry.name.endswith("/")) else mark

    @cached_property
    def zone(self) -> tzinfo:
        """The time zone of the times."""
        return zone_of(self.invocation)

    def _details(self, entry: Entry) -> Iterator[str]:
        about = entry.about
        if "p" in self.given:
            yield stat.filemode(about.st_mode)
        if "u" in self.given:
            yield f"{user_names(self.invocation.env, about.st_uid):8.32}"
        if "g" in self.given:
            yield f"{group_names(self.invocation.env, about.st_gid):8.32}"
        if "h" in self.given or "si" in self.given:
            yield _readable(about.st_size, 1000 if "si" in self.given else 1024)
        elif "s" in self.given:
            yield f"{about.st_size:11d}"
        if "D" in self.given or "timefmt" in self.given:
            when = datetime.fromtimestamp(about.st_mtime, self.zone)
            age = time.time() - about.st_mtime
            form = "%b %e %H:%M" if 0 <= age < HALF_YEAR_S else "%b %e  %Y"
            yield when.strftime(self.given.last("timefmt", form))

    def _json(self, entry: Entry, level: int, end: str) -> None:
        self._count(entry)
        kind = "directory" if entry.is_folder else "link" if entry.link is not None else "file"
        shown = entry.path if "f" in self.given else entry.name
        parts = [f'"type":"{kind}"', f'"name":{json.dumps(shown, ensure_ascii=False)}']
        if entry.link is not None:
            parts.append(f'"target":{json.dumps(entry.link, ensure_ascii=False)}')
        if "p" in self.given:
            mode = entry.about.st_mode
            parts.append(f'"mode":"{stat.S_IMODE(mode):04o}","prot":"{stat.filemode(mode)}"')
        if "s" in self.given:
            parts.append(f'"size":{entry.about.st_size}')
        text = "  " * level + "{" + ",".join(parts)
        if not entry.is_folder:
            self.lines.append(text + "}" + end)
            return
        if not entry.children:
            self.lines.append(
                text + (',"contents":[' if level == 1 else "") + ("]}" if level == 1 else "}") + end
            )
            return
        self.lines.append(text + ',"contents":[')
        for number, child in enumerate(entry.children):
            self._json(child, level + 1, "," if number + 1 < len(entry.children) else "")
        self.lines.append("  " * level + "]}" + end)


def _readable(size: int, base: int) -> str:
    number, unit = float(size), 0
    while number >= base and unit < len(UNITS) - 1:
        number, unit = number / base, unit + 1
    if not unit:
        return f"{size:4d}"
    # SI has a small k.
    letter = "k" if base == 1000 and unit == 1 else UNITS[unit]
    return f"{number:3.0f}{letter}" if number >= 10 else f"{number:3.1f}{letter}"


async def tree(invocation: Invocation) -> int:
    """List folders; return 2 if one can't be opened."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    run = Tree(invocation, given)
    run.show(given.operands or ["."])
    text = "\n".join(run.lines) + "\n"
    target = given.last("o")
    if target is None:
        invocation.print(text, end="")
    else:
        with open(invocation.path(target), "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
    return 2 if run.failed else 0
