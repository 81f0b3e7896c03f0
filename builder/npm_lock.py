"""Reads package-lock.json: which packages belong in node_modules on this machine."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.connections import Unusual

# The edges that npm follows to packages of a lock file. A lock file has the peers that npm installs.
NEEDS = ("dependencies", "optionalDependencies", "peerDependencies")


@dataclass(frozen=True)
class Machine:
    """The machine as Node.js describes it.

    Args:
        system: The name of the system, as `process.platform`.
        processor: The kind of processor, as `process.arch`.
    """

    system: str
    processor: str

    def fits(self, package: Mapping[str, Any]) -> bool:
        """Return whether a package is for this machine."""
        libc = "glibc" if platform.libc_ver()[0] == "glibc" else "musl"
        return (
            _allows(package.get("os", []), self.system)
            and _allows(package.get("cpu", []), self.processor)
            and (self.system != "linux" or _allows(package.get("libc", []), libc))
        )


def _allows(listed: list[str], name: str) -> bool:
    refused = {each.removeprefix("!") for each in listed if each.startswith("!")}
    allowed = [each for each in listed if not each.startswith("!")]
    return name not in refused and (not allowed or name in allowed)


@dataclass(frozen=True)
class Package:
    """A package of a lock file.

    Args:
        path: Its folder, relative to that of the lock file.
        name: Its name in the registry, which may differ from that of its folder.
        version: Its version.
        integrity: The hash of its file, as Subresource Integrity.
        programs: The paths of its programs, by name.
    """

    path: str
    name: str
    version: str
    integrity: str
    programs: Mapping[str, str]


class Lock:
    """The lock file of a folder.

    Raises:
        Unusual: It wasn't made from package.json as that is, or packages have scripts that run.
    """

    def __init__(self, folder: Path) -> None:
        try:
            manifest, lock = (
                json.loads((folder / name).read_text(encoding="utf-8"))
                for name in ("package.json", "package-lock.json")
            )
            self._packages: dict[str, dict[str, Any]] = lock["packages"]
            root = self._packages[""]
        except (OSError, ValueError, KeyError) as problem:
            raise Unusual(str(problem)) from None
        if any(root.get(kind) != manifest.get(kind) for kind in ("dependencies", "devDependencies")):
            raise Unusual("package-lock.json is of another package.json")
        settings = folder / ".npmrc"
        ignored = settings.is_file() and "ignore-scripts=true" in settings.read_text().splitlines()
        if not ignored and any(each.get("hasInstallScript") for each in self._packages.values()):
            raise Unusual("a package has a script that runs when it is installed")

    def packages(self, machine: Machine, *, development: bool) -> list[Package]:
        """Return the packages to install.

        Args:
            machine: The machine; optional packages for others are left out, with what only they need.
            development: Whether to include development dependencies.

        Raises:
            Unusual: A package isn't from a registry, or a required one isn't for this machine.
        """
        kinds = ["devDependencies"] if development else []
        found = self._needed([""], (*NEEDS, *kinds), machine)
        return [self._package(path) for path in sorted(found)]

    def with_needs(self, name: str, machine: Machine) -> set[str]:
        """Return the paths of a package at the top of node_modules, if it is there, and of all that it needs."""
        path = f"node_modules/{name}"
        return {path, *self._needed([path], NEEDS, machine)} if path in self._packages else set()

    def _needed(self, paths: Iterable[str], kinds: Iterable[str], machine: Machine) -> set[str]:
        found: set[str] = set()
        unread = list(paths)
        while unread:
            path = unread.pop()
            for needed in self._needs(path, kinds):
                if needed in found:
                    continue
                package = self._packages[needed]
                if machine.fits(package):
                    found.add(needed)
                    unread.append(needed)
                elif not package.get("optional"):
                    raise Unusual(f"{needed} isn't for this machine")
        return found

    def _needs(self, path: str, kinds: Iterable[str]) -> Iterator[str]:
        package = self._packages[path]
        for name in (name for kind in kinds for name in package.get(kind, {})):
            # As Node.js finds it: below the package itself, else below one that contains it.
            within = path
            while (place := f"{within}/node_modules/{name}".lstrip("/")) not in self._packages and within:
                within = within.rpartition("node_modules/")[0].rstrip("/")
            if place in self._packages:
                yield place

    def _package(self, path: str) -> Package:
        listed = self._packages[path]
        if listed.get("link") or listed.get("inBundle") or not {"version", "integrity"} <= listed.keys():
            raise Unusual(f"{path} isn't from a registry")
        if "resolved" in listed:
            raise Unusual(f"{path} is from a named place")
        name = listed.get("name") or path.rpartition("node_modules/")[2]
        return Package(path, name, listed["version"], listed["integrity"], listed.get("bin", {}))
