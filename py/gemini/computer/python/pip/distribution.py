"""Packages of Pyodide's own distribution: numpy, pandas and others that are compiled for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

from gemini.computer.python import package_list, user_site
from gemini.computer.python.pip.errors import PipError
from gemini.core import ffi


class _Added:
    """The lock file that micropip knows: its address, "" for the page's own, and the names of its packages."""

    address: str | None = None
    names: tuple[str, ...] = ()


async def add(address: str | None) -> None:
    """Tell micropip about the packages of a distribution, so that it prefers them over an index.

    Args:
        address: The URL of the distribution's lock file. By default it is the settings' URL, or else the list that
            came with the page, whose packages are at Pyodide's own address.

    Raises:
        PipError: The lock file can't be read, or is for another Pyodide.
    """
    address = address or package_list.current.address
    if (address or "") == _Added.address:
        return
    try:
        text, base = await ffi.distribution_lock(address)
        lock = json.loads(text)
        packages = {name: _entry(entry, base) for name, entry in lock["packages"].items()}
        _Added.names = ffi.replace_in_lock_file(_Added.names, lock["info"], packages)
    except (OSError, ValueError, LookupError, TypeError) as problem:
        raise PipError(
            f"could not read the list of Pyodide's packages, {address or 'part of the page'}: {problem}"
        ) from problem
    _Added.address = address or ""


def _entry(entry: Mapping[str, Any], base: str) -> dict[str, Any]:
    """Return a lock file's entry with an absolute URL and a directory that is saved."""
    where = user_site.TARGETS.get(entry["install_dir"], entry["install_dir"])
    return {**entry, "file_name": urljoin(base, entry["file_name"]), "install_dir": where}


def imports_of(lock: Mapping[str, Any]) -> dict[str, str]:
    """Return the packages of a lock file by the modules that they have."""
    return {module: name for name, entry in lock["packages"].items() for module in entry["imports"]}
