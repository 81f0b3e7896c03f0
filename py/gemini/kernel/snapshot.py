"""Preparing Python for a memory snapshot, and renewing state after it is restored (web/kernel/snapshot.ts)."""

import gc
import importlib
import random
import sys
from collections.abc import Iterator

from gemini.agents.chats.messages import Chat
from gemini.computer.terminal import saved
from gemini.core import ffi
from gemini.models.interface.messages import MESSAGES
from gemini.tools.declaration import Declaration, declaration_of
from gemini.tools.schema import input_schema, output_schema

# Starts with saved chats and terminals need these, which are otherwise loaded on first use.
PRELOADED = (
    "gemini.kernel.kernel",
    "gemini.agents.chats.chats",
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
    # A start from scratch makes the next on first use.
    Chat.model_rebuild()
    MESSAGES.rebuild()
    for declaration in _declarations():
        _ = declaration.signature
        if not declaration.person_only:
            # With them come the models of arguments.
            input_schema(declaration)
            output_schema(declaration)
    gc.collect()


def _declarations() -> Iterator[Declaration]:
    """Yield the declarations of the surface's tools."""
    for name, module in list(sys.modules.items()):
        if not name.startswith("gemini."):
            continue
        for kind in list(vars(module).values()):
            if isinstance(kind, type) and kind.__module__ == name:
                yield from filter(None, map(declaration_of, list(vars(kind).values())))


def resume() -> None:
    """Renew state that the snapshot froze.

    Functions that ask the system each time (secrets, uuid4, os.urandom) need nothing.
    """
    random.seed()
    # The packages in site-packages arrived after the snapshot was taken.
    importlib.invalidate_caches()
    ffi.refresh_loaded_packages()
