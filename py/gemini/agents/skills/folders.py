"""The folders of skills, their files and their fingerprints."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemini.errors import SkillBroken

FILE = "SKILL.md"
MOST_FILES = 200
MOST_BYTES = 5_000_000


@dataclass(frozen=True)
class SkillFile:
    """A file of a skill; the path is relative to the folder."""

    path: str
    size: int
    sha256: str


def find_folders(roots: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders of skills; the first one of a name counts."""
    seen = set[str]()
    for root in roots:
        if not root.is_dir():
            continue
        for folder in sorted(root.iterdir()):
            if folder.name not in seen and (folder / FILE).is_file():
                seen.add(folder.name)
                yield folder


def files_of(folder: Path) -> list[SkillFile]:
    """Return all files of a skill, sorted by path.

    Raises:
        SkillBroken: It has a link, too many files, or too much in them.
    """
    found: list[SkillFile] = []
    total = 0
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            # It could lead to other files tomorrow.
            raise broken_skill(str(folder), f"{name} is a link")
        if not path.is_file():
            continue
        data = path.read_bytes()
        total += len(data)
        found.append(SkillFile(name, len(data), hashlib.sha256(data).hexdigest()))
        if len(found) > MOST_FILES or total > MOST_BYTES:
            raise broken_skill(str(folder), f"it has more than {MOST_FILES} files or {MOST_BYTES:,} bytes")
    return found


def fingerprint(files: Sequence[SkillFile]) -> str:
    """Return the SHA-256 of the names and contents of files, in hexadecimal."""
    lines = "".join(f"{each.sha256} {each.path}\n" for each in files)
    return hashlib.sha256(lines.encode()).hexdigest()


def body_of(text: str) -> str:
    """Return the text of a `SKILL.md` after its front matter."""
    return re.sub(
        r"\A\ufeff?---[ \t]*\r?\n.*?\n---[ \t]*(\r?\n|\Z)", "", text, count=1, flags=re.DOTALL
    ).strip()


def broken_skill(path: str, reason: str) -> SkillBroken:
    """Return the error of a skill that can't be used."""
    return SkillBroken(
        f"{path}: {reason}",
        hint="Correct it; https://agentskills.io/specification describes the format.",
        data={"path": path, "reason": reason},
    )
