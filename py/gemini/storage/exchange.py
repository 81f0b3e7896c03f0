"""Export everything to one file, and replace everything with such a file."""

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
from gemini.storage.database import IMPORT_IN_PROGRESS, NAME, Database, open_database
from gemini.storage.powers import PARTS, SELECTED, Power, keep_local_settings, powers_of
from gemini.storage.settings import Settings
from gemini.storage.unpacking import unpack

BACKUP_PREFIX = "before-import-"
MAX_BACKUPS = 2


@dataclass(frozen=True)
class Exported:
    """A written export: its path, the number of files, directories and links, and the total size of the files."""

    path: str
    entries: int
    bytes: int


@dataclass(frozen=True)
class Imported:
    """A finished import.

    Attributes:
        made: The time of the export, ISO 8601.
        entries: The number of imported files, directories and links.
        bytes: The total size of the files.
        before: The path of a backup of everything before the import.
    """

    made: str
    entries: int
    bytes: int
    before: str


@dataclass(frozen=True)
class Inspected:
    """The contents of an archive that could be imported.

    Attributes:
        made: The time of the export, ISO 8601.
        entries: The number of files, directories and links.
        bytes: The total size of the files.
        powers: The parts that are imported only if the user selects them.
    """

    made: str
    entries: int
    bytes: int
    powers: list[Power]


class Exchange:
    """The export and import of everything that the surface stores.

    Args:
        database: The open database.
        roots: The persistent directories; their names must differ.
        version: Returns the version of the surface; the lookup is slow.
        commit: Makes changes below the roots durable; it may raise a `GeminiError`.
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
        """Export everything to a file.

        Raises:
            UsageProblem: The file is in a directory that is exported.
            StorageProblem, StorageFull: Data can't be read, or the file can't be written.
        """
        target = path.absolute()
        for root in self._roots.values():
            if target.resolve().is_relative_to(root.resolve()):
                raise UsageProblem(
                    f"an export can't be written to {target}, because it would contain itself",
                    hint="Write it to /tmp, and download it from there.",
                )
        with self._staging() as staging:
            self._database.copy_to(staging / DATABASE)
            manifest = write_archive(target, list(self._roots.values()), staging / DATABASE, self._version())
        return Exported(str(target), manifest.entries, manifest.bytes)

    def inspect(self, path: Path) -> Inspected:
        """Validate an export as an import does, without changing anything.

        Raises:
            FileMissing: The file is missing.
            ArchiveRefused: The file can't be imported.
            StorageProblem, StorageFull: The file can't be unpacked.
        """
        with self._staging() as staging:
            manifest = self._unpack(path, staging)
            with closing(open_database(staging)) as database:
                powers = powers_of(database)
        return Inspected(manifest.made, manifest.entries, manifest.bytes, powers)

    def import_all(self, path: Path, take: Collection[str] = ()) -> Imported:
        """Replace everything with an export, atomically.

        Args:
            path: The path of the export.
            take: The names of the powers to import (`gemini.storage.powers`); the others stay local.

        Raises:
            UsageProblem: There is no such power.
            FileMissing: The file is missing.
            ArchiveRefused: The file can't be imported; nothing was changed.
            StorageProblem, StorageFull: The data can't be saved; nothing was changed.
        """
        if unknown := set(take).difference(PARTS):
            raise UsageProblem(
                f"there is no part {min(unknown)!r} to import", hint=f"The parts are: {', '.join(PARTS)}."
            )
        return self._import(path, take)

    def _import(self, path: Path, take: Collection[str] | None) -> Imported:
        """Import an export; with `take` None, no local setting stays."""
        with self._staging() as staging:
            manifest = self._unpack(path, staging)
            backup = self._save_backup()
            pending = self._folder / IMPORT_IN_PROGRESS
            shutil.copyfile(path, f"{pending}.part")
            with self._saved_selection(take):
                os.replace(f"{pending}.part", pending)
                try:
                    self._replace(manifest, staging, take)
                finally:
                    pending.unlink()
        return Imported(manifest.made, manifest.entries, manifest.bytes, str(backup))

    def reset(self) -> Imported:
        """Erase everything, as the import of an empty export.

        Raises:
            StorageProblem, StorageFull: The data can't be erased; nothing was changed.
        """
        with self._staging() as staging:
            empty = [staging / name for name in self._roots]
            for folder in empty:
                folder.mkdir()
            open_database(staging).close()
            archive = staging / "empty.tar.gz"
            write_archive(archive, empty, staging / NAME, self._version())
            return self._import(archive, None)

    def finish(self) -> None:
        """Finish an import that the end of a kernel interrupted.

        Raises:
            StorageProblem, StorageFull: The import can't be finished; the next start tries again.
        """
        pending = self._folder / IMPORT_IN_PROGRESS
        with self._staging() as staging:
            take = Settings(self._database).get(SELECTED, ())
            self._replace(self._unpack(pending, staging), staging, take)
        pending.unlink()
        self._clear_selection()

    @contextmanager
    def _saved_selection(self, take: Collection[str] | None) -> Generator[None]:
        """Save the user's selection for `finish` during the block."""
        Settings(self._database).set(SELECTED, None if take is None else sorted(take))
        try:
            yield
        finally:
            self._clear_selection()

    def _clear_selection(self) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM settings WHERE name = ?", (SELECTED,))

    @contextmanager
    def _staging(self) -> Generator[Path]:
        """Create a temporary directory on the filesystem of the roots, so that files can be moved atomically."""
        parent = next(iter(self._roots.values())).parent
        try:
            folder = Path(tempfile.mkdtemp(prefix=".gemini-", dir=parent))
            try:
                yield folder
            finally:
                _remove(folder)
        except OSError as error:
            raise StorageProblem(f"files can't be read or written: {error}") from error

    def _unpack(self, path: Path, staging: Path) -> Manifest:
        """Unpack an export, and migrate its database to this version."""
        manifest = unpack(path, staging)
        unknown = [root for root in manifest.roots if root not in self._roots]
        if unknown:
            raise ArchiveForeign(f"it has files of /{unknown[0]}, which this surface doesn't store")
        os.rename(staging / DATABASE, staging / NAME)
        try:
            with closing(open_database(staging)) as database:
                damage = database.damage
                if damage is None:
                    database.require_known_schema()
        except DatabaseNewer as error:
            raise ArchiveNewer(error.message, hint=error.hint, data=error.data) from error
        except StorageProblem as error:
            raise ArchiveDamaged(f"its database can't be used: {error.message}") from error
        if damage is not None:
            raise ArchiveDamaged("its database is damaged", hint="Download the file again.")
        return manifest

    def _save_backup(self) -> Path:
        backups = sorted(self._folder.glob(f"{BACKUP_PREFIX}*"))
        for oldest in backups[: len(backups) - MAX_BACKUPS + 1]:
            oldest.unlink()
        stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
        backup = self._folder / f"{BACKUP_PREFIX}{stamp}.tar.gz"
        self.export_all(backup)
        return backup

    def _replace(self, manifest: Manifest, staging: Path, take: Collection[str] | None) -> None:
        with ExitStack() as undo:
            undo.callback(self._commit)
            for name in manifest.roots:
                before = staging / "before" / name
                before.mkdir(parents=True)
                _swap(self._roots[name], staging / FILES / name, before, undo)
            self._commit()
            with closing(open_database(staging)) as database:
                # An export from someone else must not decide for the user.
                if take is not None:
                    keep_local_settings(self._database, database, take)
                self._database.replace_with(database)
            undo.pop_all()


def _remove(folder: Path) -> None:
    """Remove a directory, even if subdirectories aren't readable."""
    for directory, names, _ in os.walk(folder):
        for name in names:
            path = Path(directory, name)
            if not path.is_symlink():
                os.chmod(path, 0o700)
    shutil.rmtree(folder)


def _swap(target: Path, incoming: Path, outgoing: Path, undo: ExitStack) -> None:
    """Replace the contents and attributes of a directory with those of `incoming`."""
    old, new = os.stat(target), os.stat(incoming)
    undo.callback(_set_attributes, target, old)
    for directory in (target, incoming):
        os.chmod(directory, 0o700)
    busy = [name for name in os.listdir(target) if not _move(target / name, outgoing / name, undo)]
    for name in busy:
        (outgoing / name).mkdir()
        (incoming / name).mkdir(exist_ok=True)
        _swap(target / name, incoming / name, outgoing / name, undo)
    for name in set(os.listdir(incoming)).difference(busy):
        _move(incoming / name, target / name, undo)
    _set_attributes(target, new)
    # Undoing the moves needs access.
    undo.callback(os.chmod, target, 0o700)


def _move(source: Path, target: Path, undo: ExitStack) -> bool:
    """Move a path, and return whether that worked. A mount point can't be moved, but its contents can."""
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
