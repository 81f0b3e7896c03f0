"""The folders that `--exclude-tag` and `--exclude-caches` leave out, and the patterns of other exclusions."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemini_userland.options import Arguments

# What GNU tar's --exclude-vcs and --exclude-backups stand for.
VCS = (
    "CVS", "RCS", "SCCS", ".git", ".gitignore", ".gitattributes", ".gitmodules", ".cvsignore", ".svn", ".arch-ids",
    "{arch}", "=RELEASE-ID", "=meta-update", "=update", ".bzr", ".bzrignore", ".bzrtags", ".hg", ".hgignore",
    ".hgtags", "_darcs",
)  # fmt: skip
BACKUPS = (".#*", "*~", "#*#")
_CACHE = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"


def patterns(given: Arguments) -> list[str]:
    """Return the patterns of the options that stand for some."""
    found = list(VCS) if "exclude-vcs" in given else []
    return [*found, *(BACKUPS if "exclude-backups" in given else ())]


@dataclass(frozen=True)
class Tag:
    """A file that marks its folder: what of the folder is retained, and whether a file is such a mark."""

    name: str
    keeps: str
    is_valid: Callable[[str], bool]


def tags(given: Arguments) -> Sequence[Tag]:
    """Return the marks that the options name."""
    kinds = {"": "tag", "-under": "folder", "-all": ""}
    found: list[Tag] = []
    for ending, keeps in kinds.items():
        found += [Tag(name, keeps, os.path.exists) for name in given.all(f"exclude-tag{ending}")]
        if f"exclude-caches{ending}" in given:
            found.append(Tag(_CACHE, keeps, _is_cache))
    return found


def _is_cache(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(len(_SIGNATURE)) == _SIGNATURE


def mark_in(folder: str, known: Sequence[Tag]) -> Tag | None:
    """Return the mark that a folder has, if it has one."""
    return next((tag for tag in known if tag.is_valid(os.path.join(folder, tag.name))), None)
