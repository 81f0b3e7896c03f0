"""The context of a tool's own code: the page can interrupt it, and the files that it changes have its caller's name."""

from gemini.core.interrupts import stoppable
from gemini.tools.calls import Call
from gemini.tools.declaration import Effect
from gemini.tools.writers import Writers, writing

# SPEND isn't here: starting an agent changes no file; its calls do.
WRITE_EFFECTS = (Effect.WRITE, Effect.OUTSIDE)


def acting(call: Call, writers: Writers) -> stoppable:
    """Return a context manager for the code of the tool that a call runs."""
    if call.effect in WRITE_EFFECTS:
        return _stoppable_writing(call.caller, writers)
    return stoppable(own=call.effect == Effect.READ)


class _stoppable_writing(stoppable):  # noqa: N801 - used like a function
    __slots__ = ("_writing",)

    def __init__(self, caller: str, writers: Writers) -> None:
        super().__init__(own=False)
        self._writing = writing(writers, caller)

    def __enter__(self) -> None:
        super().__enter__()
        self._writing.__enter__()

    def __exit__(self, *_: object) -> None:
        self._writing.__exit__()
        super().__exit__()
