"""Installs the packages of a package-lock.json in a fifth of npm's CPU time.

npm asks the registry for all versions of each package and copies each file to its cache. A lock file says what is
needed: a name, a version and a hash. What goes wrong here is left to npm (builder/npm.py), which explains it, too.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import os
import shutil
import tarfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from builder.connections import CONNECTIONS, Connections, Unusual
from builder.npm_lock import Package


def install(
    folder: Path, packages: Sequence[Package], registry: str, installed: Callable[[Package], None]
) -> None:
    """Make `node_modules` consist of these packages.

    Args:
        folder: The folder of node_modules.
        packages: The packages, in the order in which they are fetched.
        registry: The address of the registry.
        installed: Called with each package once it is there, from any thread.

    Raises:
        Unusual: npm has to install them.
    """
    modules = folder / "node_modules"
    if modules.exists():
        shutil.rmtree(modules)
    failed = threading.Event()

    with Connections() as connections, ThreadPoolExecutor(CONNECTIONS) as threads:

        def add(package: Package) -> None:
            if failed.is_set():
                return
            try:
                _unpack(_fetch(connections, registry, package), folder / package.path)
            except BaseException:
                failed.set()
                raise
            installed(package)

        for each in [threads.submit(add, package) for package in packages]:
            each.result()
    for package in packages:
        _link(folder, package)


def _fetch(connections: Connections, registry: str, package: Package) -> bytes:
    """Return the file of a package, which has the hash in the lock file."""
    file = f"{package.name.rpartition('/')[2]}-{package.version}.tgz"
    content = connections.get(f"{registry.rstrip('/')}/{package.name}/-/{file}")
    algorithm, _, expected = package.integrity.partition("-")
    if base64.b64encode(hashlib.new(algorithm, content).digest()).decode() != expected:
        raise Unusual(f"{file} doesn't match its hash")
    return content


def _unpack(file: bytes, folder: Path) -> None:
    """Write the files of a package without the archive's own top folder. Links are left out, as npm does."""
    content = gzip.decompress(file)
    made: set[str] = set()
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            parts = member.name.split("/")[1:]
            if not member.isfile() or not parts:
                continue
            if {"..", "."} & set(parts) or "\\" in member.name or ":" in member.name:
                raise Unusual(f"{member.name} isn't a path in a package")
            path = os.path.join(folder, *parts)
            parent = os.path.dirname(path)
            if parent not in made:
                os.makedirs(parent, exist_ok=True)
                made.add(parent)
            mode = 0o777 if member.mode & 0o111 else 0o666
            with open(path, "wb", opener=lambda name, flags, mode=mode: os.open(name, flags, mode)) as target:
                target.write(content[member.offset_data : member.offset_data + member.size])


def _link(folder: Path, package: Package) -> None:
    """Add the programs of a package to the folder .bin of the packages that it lies among."""
    modules = folder / f"{package.path.rpartition('node_modules/')[0]}node_modules"
    for name, path in package.programs.items():
        program, link = folder / package.path / path, modules / ".bin" / name
        if link.is_symlink() or not program.is_file():
            continue
        program.chmod(program.stat().st_mode | 0o111)
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(os.path.relpath(program, link.parent))
