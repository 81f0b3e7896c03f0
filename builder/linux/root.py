"""Writes the files of packages as one archive, with dpkg's database in it, as if dpkg had unpacked them.

`dpkg --configure -a` then finishes their installation, which needs a machine of their architecture
(install.mjs). So the build needs no root and runs no program of the packages.
"""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import tarfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

# Debian's directories that are links to those in usr (https://wiki.debian.org/UsrMerge).
MERGED = ("bin", "lib", "sbin")
# Left out, as Debian's slim images for containers do; dpkg leaves them out of later packages, too (guest/excluded).
EXCLUDED = re.compile(r"^usr/share/(doc/.+/(?!copyright$)[^/]+|(man|info|locale|lintian|linda|groff)/.+)$")
CONTROL = re.compile(r"(pre|post)(inst|rm)|md5sums|conffiles|shlibs|symbols|triggers|templates|config")
INTEREST = re.compile(r"^interest(?P<kind>-noawait|-await)?\s+(?P<trigger>\S+)", re.MULTILINE)
DPKG = "var/lib/dpkg"


@dataclass
class Database:
    """dpkg's database of unpacked packages."""

    status: list[str] = field(default_factory=list[str])
    triggers: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, fields: str, conffiles: dict[str, str], triggers: str) -> None:
        """Add a package.

        Args:
            fields: Its control file.
            conffiles: The MD5 sums of its configuration files.
            triggers: Its triggers file.
        """
        name, rest = fields.rstrip().split("\n", 1)
        listed = "".join(f"\n {path} {md5}" for path, md5 in conffiles.items())
        text = f"{name}\nStatus: install ok unpacked\n{rest}"
        self.status.append(text + (f"\nConffiles:{listed}" if listed else "") + "\n")
        for found in INTEREST.finditer(triggers):
            awaits = "/noawait" if found["kind"] == "-noawait" else ""
            self.triggers.setdefault(found["trigger"], []).append(name.split()[1] + awaits)

    def files(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of each file that isn't a package's."""
        yield "status", "\n".join(self.status)
        yield "available", ""
        yield "info/format", "1\n"
        paths = [
            f"{path} {name}\n" for path, names in self.triggers.items() if path[0] == "/" for name in names
        ]
        yield "triggers/File", "".join(paths)
        yield "triggers/Unincorp", ""
        for trigger, names in self.triggers.items():
            if trigger[0] != "/":
                yield f"triggers/{trigger}", "".join(f"{name}\n" for name in names)


def write(packages: list[Path], target: Path, own: dict[str, Path]) -> None:
    """Write the archive.

    Args:
        packages: The packages.
        target: The archive, which is uncompressed.
        own: Further files, by their path.
    """
    database = Database()
    with tarfile.open(target, "w", format=tarfile.GNU_FORMAT) as archive:
        for name in ("usr", *(f"usr/{name}" for name in MERGED)):
            archive.addfile(_entry(name, tarfile.DIRTYPE, 0o755))
        for name in MERGED:
            archive.addfile(_entry(name, tarfile.SYMTYPE, 0o777, f"usr/{name}"))
        made = {"usr", *MERGED, *(f"usr/{name}" for name in MERGED)}
        for package in packages:
            _add_package(package, archive, database, made)
        texts = {f"{DPKG}/{name}": text.encode() for name, text in database.files()}
        for name, content in texts.items():
            _add_file(archive, name, content)
        for name, path in own.items():
            mode = 0o755 if path.read_bytes().startswith(b"#!") else 0o644
            folders = [parent.as_posix() for parent in reversed(Path(name).parents[:-1])]
            for folder in folders:
                if folder not in made:
                    made.add(folder)
                    archive.addfile(_entry(folder, tarfile.DIRTYPE, 0o755))
            _add_file(archive, name, path.read_bytes(), mode)


def _add_package(package: Path, archive: tarfile.TarFile, database: Database, made: set[str]) -> None:
    control = _control(package)
    fields = control.pop("control").decode()
    conffiles = dict.fromkeys(control.get("conffiles", b"").decode().split(), "")
    listed: list[str] = []
    with _open(package, "--fsys-tarfile") as files:
        for member in files:
            name = member.name.removeprefix("./")
            listed.append(f"/{name}" if name != "." else "/.")
            content = files.extractfile(member) if member.isfile() else None
            data = content.read() if content else b""
            if f"/{name}" in conffiles:
                conffiles[f"/{name}"] = hashlib.md5(data, usedforsecurity=False).hexdigest()
            _copy(member, name, data, archive, made)
    database.add(fields, conffiles, control.get("triggers", b"").decode())
    control["list"] = "".join(f"{path}\n" for path in listed).encode()
    own_name = re.search(r"^Package: (\S+)$", fields, re.MULTILINE)
    architecture = re.search(r"^Architecture: (\S+)$", fields, re.MULTILINE)
    assert own_name and architecture
    shared = re.search(r"^Multi-Arch: same$", fields, re.MULTILINE)
    label = f"{own_name[1]}:{architecture[1]}" if shared else own_name[1]
    for name, content in control.items():
        script = re.fullmatch(r"(pre|post)(inst|rm)|config", name)
        _add_file(archive, f"{DPKG}/info/{label}.{name}", content, 0o755 if script else 0o644)


def _copy(
    member: tarfile.TarInfo, name: str, content: bytes, archive: tarfile.TarFile, made: set[str]
) -> None:
    place = _merge(name)
    if name == "." or EXCLUDED.match(name) or (member.isdir() and place in made):
        return
    if member.isdir():
        made.add(place)
    if member.islnk():
        member.linkname = _merge(member.linkname.removeprefix("./"))
        if EXCLUDED.match(member.linkname):
            return
    member.name, member.size = place, len(content)
    member.uname = member.gname = ""
    archive.addfile(member, io.BytesIO(content))


def _merge(name: str) -> str:
    return f"usr/{name}" if name.split("/", 1)[0] in MERGED else name


def _control(package: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with _open(package, "--ctrl-tarfile") as files:
        for member in files:
            name = member.name.removeprefix("./")
            content = files.extractfile(member) if member.isfile() else None
            if content and (name == "control" or CONTROL.fullmatch(name)):
                found[name] = content.read()
    return found


@contextmanager
def _open(package: Path, option: str) -> Generator[tarfile.TarFile]:
    command = ["dpkg-deb", option, str(package)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as unpacking:
        assert unpacking.stdout is not None
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            yield files


def _add_file(archive: tarfile.TarFile, name: str, content: bytes, mode: int = 0o644) -> None:
    entry = _entry(name, tarfile.REGTYPE, mode)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))


def _entry(name: str, kind: bytes, mode: int, target: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode, entry.linkname = kind, mode, target
    return entry
