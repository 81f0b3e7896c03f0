"""Attribution of file changes to the callers of tools, as checkpoints.

A checkpoint groups the changes of one agent's run, or of another caller until it pauses. A change belongs to the
checkpoints of all running calls. If no call is running, it belongs to the last one: a background process belongs to
the caller that started it until another caller acts.
"""

import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

# A caller that was idle for this long starts a new checkpoint.
PAUSE_S = 600.0
# The callers that are remembered; the oldest are forgotten first.
MOST_CALLERS = 100
PERSON = "person"
SCRIPT = "script"
# Before the name of an agent, in the caller of its calls.
AGENT = "agent:"

current_run: ContextVar[str | None] = ContextVar("gemini_run", default=None)
"""The id of the agent's run that the running code belongs to."""


@dataclass(frozen=True)
class Checkpoint:
    """A group of changes.

    Attributes:
        id: The run's id if an agent's run made the changes.
        caller: The kind of caller, as in `Call.caller`.
        run: The id of the agent's run.
        about: The checkpoint or change that these changes revert.
    """

    id: str
    caller: str
    run: str | None = None
    about: str | None = None


_writing: ContextVar[Checkpoint | None] = ContextVar("gemini_writing", default=None)


class Writers:
    """The checkpoints that file changes currently belong to.

    Attributes:
        on_change: Called when they change. Nothing is tracked while it is None.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.on_change: Callable[[Sequence[Checkpoint]], None] | None = None
        self._clock = clock
        self._active: list[Checkpoint] = []
        self._current: tuple[Checkpoint, ...] = ()
        self._sessions: dict[str, tuple[Checkpoint, float]] = {}

    def begin(self, caller: str) -> Checkpoint | None:
        """Begin a call that may change files. Pass the returned checkpoint to `end`."""
        if self.on_change is None:
            return None
        checkpoint = self._checkpoint(caller)
        self._enter(checkpoint)
        return checkpoint

    def end(self, checkpoint: Checkpoint | None) -> None:
        """End a call whose changes are committed."""
        if checkpoint is None:
            return
        self._active.remove(checkpoint)
        if self._active:
            self._update()

    def person_acts(self) -> None:
        """Attribute changes to the user from now on, unless a call is running."""
        self.end(self.begin(PERSON))

    @contextmanager
    def reverting(self, about: str) -> Generator[Checkpoint]:
        """Attribute changes to a new checkpoint and to the running call's. The block must not await."""
        running = _writing.get()
        before, self._active = self._active, [] if running is None else [running]
        caller = PERSON if running is None else running.caller
        checkpoint = Checkpoint(_new_id("back"), caller, current_run.get(), about)
        try:
            self._enter(checkpoint)
            yield checkpoint
        finally:
            self._active = before
            if before:
                self._update()

    @contextmanager
    def untracked(self) -> Generator[None]:
        """Attribute changes to no checkpoint. The block must not await."""
        before, self._current = self._current, ()
        if self.on_change is not None:
            self.on_change(())
        try:
            yield
        finally:
            self._current = before
            if self.on_change is not None:
                self.on_change(before)

    def _enter(self, checkpoint: Checkpoint) -> None:
        self._active.append(checkpoint)
        self._update()

    def _update(self) -> None:
        active = self._active
        current = (active[0],) if len(active) == 1 else tuple(dict.fromkeys(active))
        if current != self._current:
            self._current = current
            if self.on_change is not None:
                self.on_change(current)

    def _checkpoint(self, caller: str) -> Checkpoint:
        if caller == SCRIPT:
            # A script that a call runs belongs to that call.
            running = _writing.get()
            if running is not None:
                return running
            caller = PERSON
        run = current_run.get()
        now = self._clock()
        key = run or caller
        known = self._sessions.get(key)
        if known is not None and (run is not None or now - known[1] < PAUSE_S):
            checkpoint = known[0]
        else:
            checkpoint = Checkpoint(run or _new_id("changes"), caller, run)
        self._sessions.pop(key, None)
        self._sessions[key] = (checkpoint, now)
        if len(self._sessions) > MOST_CALLERS:
            del self._sessions[next(iter(self._sessions))]
        return checkpoint


class writing:  # noqa: N801 - used like a function
    """A context manager that attributes changes to the caller of a tool; None tracks nothing.

    It is a class for the same reason as `calls.serving`.
    """

    __slots__ = ("_before", "_caller", "_checkpoint", "_writers")

    def __init__(self, writers: Writers, caller: str | None) -> None:
        self._writers, self._caller = writers, caller
        self._checkpoint: Checkpoint | None = None

    def __enter__(self) -> None:
        if self._caller is None:
            return
        self._checkpoint = self._writers.begin(self._caller)
        self._before = _writing.set(self._checkpoint)

    def __exit__(self, *_: object) -> None:
        if self._caller is not None:
            _writing.reset(self._before)
            self._writers.end(self._checkpoint)


def _new_id(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(5)}"
