"""The port that the user has chosen in the settings, for the next start. All commands can read it without a package."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass
from typing import Any, cast

from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_files import read_private, write_private

HOST = "127.0.0.1"
FILE = "port.json"
DEFAULT_PORT = 8765
SMALLEST, LARGEST = 1, 65_535

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Retained:
    """The ports that a surface keeps when it moves to another one.

    Attributes:
        kernel: The kernel's; None for the usual one. Stored files belong to its origin.
        sites: The sites'; None for the usual one.
        former: The surface's own earlier ports, oldest first, which lead to the new one.
    """

    kernel: int | None = None
    sites: int | None = None
    former: tuple[int, ...] = ()


def save_port(port: int, retained: Retained) -> None:
    """Save the port for the next start. Raises FolderUnusable."""
    write_private(data_folder() / FILE, json.dumps({"port": port, **asdict(retained)}))


def saved_port() -> tuple[int, Retained]:
    """Return the user's chosen port, and the values retained with it; the default port if they chose none."""
    file = data_folder() / FILE
    text = read_private(file)
    if text is None:
        return DEFAULT_PORT, Retained()
    try:
        row = cast("dict[str, Any]", json.loads(text))
        ports = [int(row["port"]), int(row["kernel"]), int(row["sites"]), *map(int, row["former"])]
        valid = all(SMALLEST <= each <= LARGEST for each in ports)
    except (ValueError, KeyError, TypeError):
        ports, valid = [], False
    if not valid:
        logger.warning("%s can't be read; the port is %d.", file, DEFAULT_PORT)
        return DEFAULT_PORT, Retained()
    port, kernel, sites, *former = ports
    return port, Retained(kernel, sites, tuple(former))


def retained_at(port: int) -> Retained:
    """Return what a port has retained, if it is the one that the user has chosen."""
    chosen, retained = saved_port()
    return retained if chosen == port else Retained()
