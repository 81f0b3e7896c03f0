"""The corpora: which files have their cases, which folder these start in, and what is compared."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from .cases import REMOVED, Case, read
from .folders import archives, text, trees

HERE = Path(__file__).parent
MODIFIED_S = 1_700_000_000
# What a program prints of the folder that it runs in.
FOLDER = b"DIRECTORY"
_OF_PROGRAMS = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "HOME": "/root", "USER": "root", "TERM": "xterm"}
_OF_SHELLS = {"HOME": "/home/user", "USER": "user", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Corpus:
    """Scripts that start in the same folder.

    Attributes:
        name: Its folder, which has a file of cases for each topic.
        create: Fills the folder that a script starts in, an empty one; or
        source: the folder of files to copy; or
        setup: the script that makes them.
        environment: The variables of a script.
        in_debian: Other variables of the programs that are recorded.
        contents: Returns what is compared of the folder's paths; None if nothing is.
        has_errors: Whether standard error is compared.
        service: Statements that start servers for all scripts, in their folder.
    """

    name: str
    create: Callable[[Path], None] | None = None
    source: Path | None = None
    setup: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: _OF_SHELLS)
    in_debian: Mapping[str, str] = field(default_factory=dict[str, str])
    contents: Callable[[Path], dict[str, bytes]] | None = None
    has_errors: bool = False
    service: str = ""

    def topics(self) -> list[Path]:
        """Return the files with the cases."""
        return sorted((HERE / self.name).glob("*.txt"))

    def cases(self) -> list[Case]:
        """Return the cases of all topics."""
        return [case for path in self.topics() for case in read(path)]

    @property
    def before(self) -> str:
        """The statements before each script: the exports of the setup, such as git's author."""
        rows = self.setup.read_text().splitlines() if self.setup else []
        return "".join(f"{row}\n" for row in rows if row.startswith("export "))

    def fill(self, root: Path) -> None:
        """Fill an empty folder with what a script starts with."""
        if self.create:
            self.create(root)
        if self.source:
            _copy(self.source, root)
        if self.setup:
            subprocess.run(["bash", self.setup], cwd=root, check=True, capture_output=True)

    def files(self) -> dict[str, str]:
        """Return the files of `source`, by relative path."""
        if self.source is None:
            return {}
        paths = sorted(path for path in self.source.rglob("*") if path.is_file())
        return {str(path.relative_to(self.source)): path.read_text(encoding="utf-8") for path in paths}

    def changes(self, before: Mapping[str, bytes], root: Path) -> dict[str, bytes]:
        """Return what a script has added, changed or removed in a folder."""
        after = self.contents(root) if self.contents else {}
        gone = {name: REMOVED for name in before if name not in after}
        return gone | {name: content for name, content in after.items() if before.get(name) != content}


def _copy(source: Path, root: Path) -> None:
    """Copy a folder of files, all with the same time and modes."""
    shutil.copytree(source, root, dirs_exist_ok=True)
    for path in [*root.rglob("*"), root]:
        path.chmod(0o755 if path.is_dir() else 0o644)
        os.utime(path, (MODIFIED_S, MODIFIED_S))


# Debian's programs have plain apostrophes in the locale C.
_PLAIN = {"LC_ALL": "C"}
_PROGRAMS = partial(Corpus, environment=_OF_PROGRAMS)
TEXT = _PROGRAMS("text", text.create, contents=text.contents)
ARCHIVES = _PROGRAMS("archives", archives.create, contents=archives.contents, has_errors=True)
COPYING = _PROGRAMS(
    "copying", trees.create_for_copying, in_debian=_PLAIN, contents=trees.facts, has_errors=True
)
NAMES = _PROGRAMS("names", trees.create_for_names, in_debian=_PLAIN, has_errors=True)
# Those whose scripts are commands, pipes and redirections, which need no shell.
OF_PROGRAMS = (TEXT, ARCHIVES, COPYING, NAMES)

# The scripts of `unseen` were written and first run when the shell was done: the difference shows overfitting.
SEEN, UNSEEN, BLOCKS = (
    Corpus(f"bash/{name}", source=HERE / "bash/files") for name in ("seen", "unseen", "blocks")
)
_LINES = partial(Corpus, setup=HERE / "everyday/files.sh", environment={**_OF_SHELLS, "TERM": "dumb"})
EVERYDAY = _LINES(
    "everyday",
    service="python3 server.py 8877 & until curl -s localhost:8877 >/dev/null; do sleep 0.1; done",
)
DATA = Corpus("data", setup=HERE / "data/files.sh")
OF_SHELLS = (UNSEEN, BLOCKS, SEEN, EVERYDAY, DATA)

# What the embedded shell fails, and a Linux passes.
LINUX = _LINES("linux")
ALL = {corpus.name: corpus for corpus in (*OF_PROGRAMS, *OF_SHELLS, LINUX)}
