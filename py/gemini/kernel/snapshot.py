"""Preparing Python for a memory snapshot, and renewing state after it is restored (web/kernel/snapshot.ts)."""

import gc
import importlib
import random

from gemini.computer.terminal import saved
from gemini.core import ffi

# The start needs the store and the terminal emulator, which are otherwise loaded on first use.
PRELOADED = (
    "gemini.kernel.kernel",
    "pydantic.json_schema",
    "gemini.storage.store",
    "gemini.computer.terminal.emulator",
)


def prepare() -> None:
    """Import the modules that the start and the first calls need, before the snapshot is taken.

    Nothing of the surface runs yet, because terminals, streams and files belong to one page.
    """
    for name in PRELOADED:
        importlib.import_module(name)
    # Creates the validator of saved terminals.
    saved.read({})
    gc.collect()


def resume() -> None:
    """Renew state that the snapshot froze.

    Functions that ask the system each time (secrets, uuid4, os.urandom) need nothing.
    """
    random.seed()
    # The packages in site-packages arrived after the snapshot was taken.
    importlib.invalidate_caches()
    ffi.refresh_loaded_packages()
