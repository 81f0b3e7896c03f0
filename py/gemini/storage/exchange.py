"""Taking everything along as one file, and putting such a file in the place of everything."""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gemini.errors import (
    ArchiveDamaged,
    ArchiveForeign,
    ArchiveNewer,
    DatabaseNewer,
    StorageProblem,
    UsageProblem,
)
from gemini.storage.archive import DATABASE, FILES, Manifest, write_archive
from gemini.storage.database import IMPORT_BEGUN, NAME, Database, open_database
from gemini.storage.powers import PARTS, TAKEN, Power, keep_own, powers_of
from gemini.storage.settings import Settings
from gemini.storage.unpacking import unpack

BEFORE = "before-import-"
# How many ways back are kept.
MOST_BEFORE = 2


@dataclass(frozen=True)
class Exported:
    """A file with everything: how many files, directories and links, and what the files hold."""

    path: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class Imported:
    """What took the place of everything.

    Attributes:
        made: When it was exported, ISO 8601.
        entries: How many files, directories and links came.
        bytes: What the files hold.
        before: An export of what was there before.
    """

    made: str
    entries: int
    bytes: int
    before: str


@dataclass(frozen=True)
class Looked:
    """What an archive has that an import could take.

    Attributes:
        made: When it was exported, ISO 8601.
        entries: How many files, directories and links there are.
        bytes: What the files hold.
        powers: What comes along only where the person takes it.
    """

    made: str
    entries: int
    bytes: int
    powers: list[Power]


class Exchange:
    """Exports and imports everything that is kept.

    Args:
        database: The open database.
        roots: The kept directories, whose names differ.
        version: Gives that of the surface; to find it takes a while.
        commit: Makes what changed below the roots durable; it may raise a `GeminiError`.
    """

    def __init__(
        self,
        database: Database,
        roots: Sequence[Path],
        version: Callable[[], str],
        commit: Callable[[], None],
    ) -> None:
        self._database = database
        self._roots = {root.name: root for root in roots}
        self._version = version
        self._commit = commit
        self._folder = database.folder or Path(tempfile.gettempdir(), "gemini-exports")
        self._folder.mkdir(exist_ok=True)

    def export_all(self, path: Path) -> Exported:
        """Write everything to a file.

        Raises:
            UsageProblem: it would be a part of itself.
            StorageProblem, StorageFull: it can't be read or written.
        """
        target = path.absolute()
        for root in self._roots.values():
            if target.resolve().is_relative_to(root.resolve()):
                raise UsageProblem(
                    f"an export can't be written to {target}, which it would contain",
                    hint="Write it to /tmp, and download it from there.",
                )
        with self._staging() as staging:
            self._database.copy_to(staging / DATABASE)
            manifest = write_archive(target, list(self._roots.values()), staging / DATABASE, self._version())
        return Exported(str(target), manifest.entries, manifest.bytes)

    def look(self, path: Path) -> Looked:
        """Check an export as an import does, and change nothing.

        Raises:
            FileMissing: there is no such file.
            ArchiveRefused: it can't be imported.
            StorageProblem, StorageFull: it can't be unpacked.
        """
        with self._staging() as staging:
            manifest = self._unpack(path, staging)
            with closing(open_database(staging)) as database:
                powers = powers_of(database)
        return Looked(manifest.made, manifest.entries, manifest.bytes, powers)

    def import_all(self, path: Path, take: Collection[str] = ()) -> Imported:
        """Put an export in the place of everything, all or nothing.

        Args:
            path: Of the export.
            take: Names of the powers that come along (`gemini.storage.powers`); what isn't named stays as it is here.

        Raises:
            UsageProblem: there is no such power.
            FileMissing: there is no such file.
            ArchiveRefused: it can't be imported, and nothing was changed.
            StorageProblem, StorageFull: it can't be kept, and everything is as before.
        """
        if unknown := set(take).difference(PARTS):
            raise UsageProblem(f"there is no {min(unknown)!r} to take", hint=f"There are {', '.join(PARTS)}.")
        return self._import(path, take)

    def _import(self, path: Path, take: Collection[str] | None) -> Imported:
        """Import; `take` is None where nothing of what is here stays."""
        with self._staging() as staging:
            manifest = self._unpack(path, staging)
            before = self._keep_before()
            begun = self._folder / IMPORT_BEGUN
            shutil.copyfile(path, f"{begun}.part")
            with self._marked(take):
                os.replace(f"{begun}.part", begun)
                try:
                    self._replace(manifest, staging, take)
                finally:
                    begun.unlink()
        return Imported(manifest.made, manifest.entries, manifest.bytes, str(before))

    def reset(self) -> Imported:
        """Put nothing in the place of everything, as an import would.

        Raises:
            StorageProblem, StorageFull: it can't be kept, and everything is as before.
        """
        with self._staging() as staging:
            empty = [staging / name for name in self._roots]
            for folder in empty:
                folder.mkdir()
            open_database(staging).close()
            archive = staging / "nothing.tar.gz"
            write_archive(archive, empty, staging / NAME, self._version())
            return self._import(archive, None)

    def finish(self) -> None:
        """Do all of an import in whose middle a kernel ended.

        Raises:
            StorageProblem, StorageFull: it can't be done; the next start tries again.
        """
        begun = self._folder / IMPORT_BEGUN
        with self._staging() as staging:
            take = Settings(self._database).get(TAKEN, ())
            self._replace(self._unpack(begun, staging), staging, take)
        begun.unlink()
        self._unmark()

    @contextmanager
    def _marked(self, take: Collection[str] | None) -> Generator[None]:
        """Keep for `finish` what the person takes."""
        Settings(self._database).set(TAKEN, None if take is None else sorted(take))
        try:
            yield
        finally:
            self._unmark()

    def _unmark(self) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM settings WHERE name = ?", (TAKEN,))

    @contextmanager
    def _staging(self) -> Generator[Path]:
        """A directory that files can be moved to and from at once, which nobody keeps."""
        beside = next(iter(self._roots.values())).parent
        try:
            folder = Path(tempfile.mkdtemp(prefix=".gemini-", dir=beside))
            try:
                yield folder
            finally:
                _remove(folder)
        except OSError as error:
            raise StorageProblem(f"files can't be read or written: {error}") from error

    def _unpack(self, path: Path, staging: Path) -> Manifest:
        """Unpack an export, with its database as this version has it."""
        manifest = unpack(path, staging)
        strange = [root for root in manifest.roots if root not in self._roots]
        if strange:
            raise ArchiveForeign(f"it has files of /{strange[0]}, which this surface doesn't keep")
        os.rename(staging / DATABASE, staging / NAME)
        try:
            with closing(open_database(staging)) as database:
                damage = database.damage
        except DatabaseNewer as error:
            raise ArchiveNewer(error.message, hint=error.hint, data=error.data) from error
        except StorageProblem as error:
            raise ArchiveDamaged(f"its database can't be used: {error.message}") from error
        if damage is not None:
            raise ArchiveDamaged("its database is damaged", hint="Fetch the file again.")
        return manifest

    def _keep_before(self) -> Path:
        kept = sorted(self._folder.glob(f"{BEFORE}*"))
        for oldest in kept[: len(kept) - MOST_BEFORE + 1]:
            oldest.unlink()
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
        before = self._folder / f"{BEFORE}{stamp}.tar.gz"
        self.export_all(before)
        return before

    def _replace(self, manifest: Manifest, staging: Path, take: Collection[str] | None) -> None:
        with ExitStack() as undo:
            undo.callback(self._commit)
            for name in manifest.roots:
                before = staging / "before" / name
                before.mkdir(parents=True)
                _swap(self._roots[name], staging / FILES / name, before, undo)
            self._commit()
            with closing(open_database(staging)) as database:
                # Who sends somebody an export must not decide in their place.
                if take is not None:
                    keep_own(self._database, database, take)
                self._database.become(database)
            undo.pop_all()


def _remove(folder: Path) -> None:
    """Remove a directory, also where modes forbid to look into those in it."""
    for directory, names, _ in os.walk(folder):
        for name in names:
            path = Path(directory, name)
            if not path.is_symlink():
                os.chmod(path, 0o700)
    shutil.rmtree(folder)


def _swap(target: Path, incoming: Path, outgoing: Path, undo: ExitStack) -> None:
    """Change what is in a directory, and its attributes, for what is in `incoming`."""
    was, becomes = os.stat(target), os.stat(incoming)
    undo.callback(_set_attributes, target, was)
    for directory in (target, incoming):
        os.chmod(directory, 0o700)
    busy = [name for name in os.listdir(target) if not _move(target / name, outgoing / name, undo)]
    for name in busy:
        (outgoing / name).mkdir()
        (incoming / name).mkdir(exist_ok=True)
        _swap(target / name, incoming / name, outgoing / name, undo)
    for name in set(os.listdir(incoming)).difference(busy):
        _move(incoming / name, target / name, undo)
    _set_attributes(target, becomes)
    # For what follows where this is undone.
    undo.callback(os.chmod, target, 0o700)


def _move(source: Path, target: Path, undo: ExitStack) -> bool:
    """Whether it could be moved; a directory on which something is mounted can't, but what is in it can."""
    try:
        os.rename(source, target)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    undo.callback(os.rename, target, source)
    return True


def _set_attributes(path: Path, status: os.stat_result) -> None:
    os.chmod(path, stat.S_IMODE(status.st_mode))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
