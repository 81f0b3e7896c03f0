"""The files that `rg` searches: those below its paths that no rule leaves out.

Source: ripgrep's guide, "Automatic filtering".
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from gemini_userland.rg.globs import Rule, Rules, is_repository, read_rules

_NAME = attrgetter("name")


@dataclass(frozen=True)
class File:
    """A file to search.

    Attributes:
        path: The path as it is printed.
        place: The absolute path.
        explicit: Whether the command line names it, so no rule leaves it out.
    """

    path: str
    place: str
    explicit: bool


@dataclass(frozen=True)
class Filter:
    """Which files are left out.

    Attributes:
        hidden: Whether hidden files are searched.
        dot_files: Whether .ignore and .rgignore files hold.
        git_files: Whether .gitignore files hold.
        git_exclude: Whether .git/info/exclude holds.
        parents: Whether the files of rules in the folders above hold.
        anywhere: Whether .gitignore files hold outside of repositories.
        overrides: Globs, relative to the working directory, that decide before all rules.
        selected: Names of which a file must match one, if there are any.
        rejected: Names that leave a file out.
        further: Rules that hold after all others.
        follow: Whether links are followed.
        most_depth: The largest depth, or None.
        most_size: The largest size in bytes, or None.
        same_device: Whether other file systems are left out.
    """

    hidden: bool = False
    dot_files: bool = True
    git_files: bool = True
    git_exclude: bool = True
    parents: bool = True
    anywhere: bool = False
    overrides: Rules | None = None
    selected: re.Pattern[str] | None = None
    rejected: re.Pattern[str] | None = None
    further: Sequence[Rules] = ()
    follow: bool = False
    most_depth: int | None = None
    most_size: int | None = None
    same_device: bool = False


@dataclass(frozen=True)
class Level:
    """The rules that apply in a folder, with the nearest files' first."""

    custom: tuple[Rules, ...] = ()
    dot: tuple[Rules, ...] = ()
    git: tuple[Rules, ...] = ()
    exclude: tuple[Rules, ...] = ()
    in_repository: bool = False

    def below(self, folder: str, names: frozenset[str], chosen: Filter) -> Level:
        """Return the rules in a folder with these names in it."""
        level = self
        if ".git" in names:
            exclude = read_rules(f"{folder}/.git/info/exclude", folder) if chosen.git_exclude else None
            level = replace(level, git=(), exclude=(exclude,) if exclude else (), in_repository=True)
        if chosen.dot_files:
            if ".rgignore" in names and (rules := read_rules(f"{folder}/.rgignore", folder)):
                level = replace(level, custom=(rules, *level.custom))
            if ".ignore" in names and (rules := read_rules(f"{folder}/.ignore", folder)):
                level = replace(level, dot=(rules, *level.dot))
        if (
            chosen.git_files
            and (level.in_repository or chosen.anywhere)
            and ".gitignore" in names
            and (rules := read_rules(f"{folder}/.gitignore", folder))
        ):
            level = replace(level, git=(rules, *level.git))
        return level

    def rules(self, chosen: Filter) -> tuple[Rules, ...]:
        """Return all rules, the first of which that mentions a path decides."""
        return (*self.custom, *self.dot, *self.git, *self.exclude, *chosen.further)


@dataclass
class Files:
    """A walk through the files to search.

    Attributes:
        chosen: Which files are left out.
        complain: Reports a path that can't be read, with the reason.
    """

    chosen: Filter
    complain: Callable[[str, OSError], None]
    _device: int = 0

    def below(self, top: str, place: str, *, shown: bool) -> Iterator[File]:
        """Yield a file, or those below a folder in the order of their names.

        Args:
            top: The path as it was given.
            place: The absolute path.
            shown: Whether printed paths begin with it.
        """
        try:
            status = os.stat(place)
        except OSError as error:
            self.complain(top, error)
            return
        if not stat.S_ISDIR(status.st_mode):
            yield File(top, place, True)
            return
        prefix = "" if not shown else top if top.endswith("/") else f"{top}/"
        whole = os.path.normpath(place)
        self._device = status.st_dev
        yield from self._folder(prefix, whole, self._outside(whole), 1)

    def _outside(self, place: str) -> Level:
        """Return the rules of the folders above one."""
        level = Level()
        if not self.chosen.parents:
            return Level(in_repository=self._in_repository(place))
        folders: list[str] = []
        while place != "/":
            place = os.path.dirname(place)
            folders.append(place)
        level = Level(in_repository=False)
        top = next((at for at, folder in enumerate(folders) if is_repository(folder)), None)
        for at, folder in reversed(list(enumerate(folders))):
            try:
                names = frozenset(os.listdir(folder)) & {".git", ".gitignore", ".ignore", ".rgignore"}
            except OSError:
                continue
            if top is None or at > top:
                names -= {".gitignore", ".git"}
            level = level.below(folder.rstrip("/"), names, self.chosen)
        return level

    def _in_repository(self, place: str) -> bool:
        while place != "/":
            place = os.path.dirname(place)
            if is_repository(place):
                return True
        return False

    def _folder(self, prefix: str, place: str, outside: Level, depth: int) -> Iterator[File]:
        chosen = self.chosen
        if chosen.most_depth is not None and depth > chosen.most_depth:
            return
        try:
            with os.scandir(place) as found:
                entries = sorted(found, key=_NAME)
        except OSError as error:
            self.complain(prefix.rstrip("/") or ".", error)
            return
        names = frozenset(entry.name for entry in entries)
        base = place.rstrip("/")
        level = outside.below(base, names, chosen)
        rules = level.rules(chosen)
        for entry in entries:
            is_link = entry.is_symlink()
            if is_link and not chosen.follow:
                continue
            try:
                is_folder = entry.is_dir()
                if not self._accepts(entry, f"{base}/{entry.name}", is_folder, rules):
                    continue
            except OSError as error:
                self.complain(prefix + entry.name, error)
                continue
            if not is_folder:
                yield File(prefix + entry.name, f"{base}/{entry.name}", False)
            elif not (is_link and self._is_loop(prefix + entry.name, f"{base}/{entry.name}")):
                yield from self._folder(f"{prefix}{entry.name}/", f"{base}/{entry.name}", level, depth + 1)

    def _accepts(
        self, entry: os.DirEntry[str], place: str, is_folder: bool, rules: tuple[Rules, ...]
    ) -> bool:
        chosen = self.chosen
        if chosen.overrides is not None:
            retained = chosen.overrides.decide(place, is_folder=is_folder)
            if retained is None and not is_folder and any(not rule.keeps for rule in chosen.overrides.lines):
                retained = False
            if retained is not None:
                # A glob names what to search, one with `!` what not to.
                return retained and self._fits(entry, is_folder)
        decision = next(
            (found for rule in rules if (found := rule.decide(place, is_folder=is_folder)) is not None), None
        )
        if decision is True:
            return False
        if not is_folder:
            if chosen.rejected is not None and chosen.rejected.fullmatch(entry.name):
                return False
            if chosen.selected is not None:
                return chosen.selected.fullmatch(entry.name) is not None and (self._fits(entry, is_folder))
        if decision is None and not chosen.hidden and entry.name.startswith("."):
            return False
        return self._fits(entry, is_folder)

    def _fits(self, entry: os.DirEntry[str], is_folder: bool) -> bool:
        if is_folder:
            return not self.chosen.same_device or entry.stat().st_dev == self._device
        if not entry.is_file():
            # A pipe, a device, or a link that leads nowhere.
            entry.stat()
            return False
        return self.chosen.most_size is None or entry.stat().st_size <= self.chosen.most_size

    def _is_loop(self, path: str, place: str) -> bool:
        above = place
        while above != "/":
            above = str(os.path.dirname(above))
            if os.path.samefile(above, place):
                self.complain(path, OSError(0, f"File system loop found: {path} points to an ancestor"))
                return True
        return False


def globs_as_rules(rules: Sequence[Rule], folder: str) -> Rules | None:
    """Return the globs of `-g`, relative to a folder; None without any."""
    return Rules(folder.rstrip("/"), rules) if rules else None
