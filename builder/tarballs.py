"""Installs the packages of a package-lock.json in a fifth of npm's CPU time.

npm asks the registry for all versions of each package and copies each file to its cache. A lock file says what is
needed: a name, a version and a hash. What goes wrong here is left to npm (builder/npm.py), which explains it, too.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import http.client
import io
import os
import shutil
import tarfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

from builder.npm_lock import Package, Unusual

# Few enough for a registry, many enough that none of them waits for another's answer.
CONNECTIONS = 8
TIMEOUT_S = 30


class Registry:
    """A registry of packages, with connections that stay open. Its methods may be called from any thread.

    Args:
        url: Its address.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        if parts.scheme not in kinds or parts.username is not None or parts.hostname is None:
            raise Unusual(f"{parts.hostname} isn't asked by HTTP alone")
        self._connect = kinds[parts.scheme]
        self._host, self._port, self._folder = parts.hostname, parts.port, parts.path.rstrip("/")
        self._local = threading.local()
        self._open: list[http.client.HTTPConnection] = []

    def fetch(self, package: Package) -> bytes:
        """Return the file of a package.

        Raises:
            OSError: The registry can't be reached.
            HTTPException: It answers with something else.
            Unusual: The file doesn't match its hash in the lock file.
        """
        file = f"{package.name.rpartition('/')[2]}-{package.version}.tgz"
        path = f"{self._folder}/{package.name}/-/{file}"
        try:
            content = self._get(path)
        except (OSError, http.client.HTTPException):
            # A registry may close a connection at any time.
            content = self._get(path)
        algorithm, _, expected = package.integrity.partition("-")
        digest = hashlib.new(algorithm, content).digest()
        if base64.b64encode(digest).decode() != expected:
            raise Unusual(f"{file} doesn't match its hash")
        return content

    def close(self) -> None:
        """Close all connections."""
        for connection in self._open:
            connection.close()

    def _get(self, path: str) -> bytes:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect(self._host, self._port, timeout=TIMEOUT_S)
            self._open.append(connection)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            raise
        if answer.status != http.client.OK:
            raise http.client.HTTPException(f"{answer.status} for {path}")
        return content


def install(
    folder: Path, packages: Iterable[Package], url: str, installed: Callable[[Package], None]
) -> None:
    """Make `node_modules` consist of these packages.

    Args:
        folder: The folder of node_modules.
        packages: The packages, in the order in which they are fetched.
        url: The address of the registry.
        installed: Called with each package once it is there, from any thread.

    Raises:
        Unusual: npm has to install them.
        OSError: The registry or the disk fails.
        HTTPException: As in `Registry.fetch`.
        TarError: A file isn't an archive.
    """
    modules = folder / "node_modules"
    if modules.exists():
        shutil.rmtree(modules)
    registry, failed, wanted = Registry(url), threading.Event(), list(packages)

    def add(package: Package) -> None:
        if failed.is_set():
            return
        try:
            _unpack(registry.fetch(package), folder / package.path)
        except BaseException:
            failed.set()
            raise
        installed(package)

    try:
        with ThreadPoolExecutor(CONNECTIONS) as threads:
            list(threads.map(add, wanted))
    finally:
        registry.close()
    for package in wanted:
        _link(folder, package)


def _unpack(file: bytes, folder: Path) -> None:
    """Write the files of a package without the archive's own top folder. Links are left out, as npm does."""
    content = gzip.decompress(file)
    made: set[str] = set()
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for member in archive:
            parts = member.name.split("/")[1:]
            if not member.isfile() or not parts:
                continue
            if {"..", ""} & set(parts) or "\\" in member.name or ":" in member.name:
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
