"""What a memory snapshot of Python holds, and what has to be made new after it is restored (web/kernel/snapshot.js)."""

import gc
import importlib
import random

from gemini.core import ffi
from gemini.terminal import saved

# What a start draws comes from the store, and its terminals from an emulator; both load when they are first needed.
NEEDED = ("gemini.server.kernel", "pydantic.json_schema", "gemini.storage.store", "gemini.terminal.emulator")


def prepare() -> None:
    """Import what a start and the first calls need, in the Python that a snapshot is made of.

    Nothing of the surface runs yet: terminals, streams and files belong to one page.
    """
    for name in NEEDED:
        importlib.import_module(name)
    # Makes what validates the terminals that come back.
    saved.read({})
    gc.collect()


def resume() -> None:
    """Make new what would otherwise be as it was when the snapshot was made.

    What asks the system each time (secrets, uuid4, os.urandom) needs nothing.
    """
    random.seed()
    # What is in site-packages was put there after Python had looked.
    importlib.invalidate_caches()
    ffi.list_loaded_packages()
