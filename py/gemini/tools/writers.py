"""Whose a change of a file is: the checkpoints of those who call tools.

A checkpoint is what one agent's run changes, or what another caller changes until it pauses. A change belongs to the
checkpoints of all calls that are under way. Where none is, it belongs to the one that was under way last: what a call
leaves running in the background is its caller's until somebody else acts.
"""

import secrets
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

# A caller that comes back after so long begins another checkpoint.
PAUSE_S = 600.0
PERSON = "person"
SCRIPT = "script"

current_run: ContextVar[str | None] = ContextVar("gemini_run", default=None)
"""The agent's run that the running code belongs to."""


@dataclass(frozen=True)
class Checkpoint:
    """One group of changes.

    Attributes:
        id: A run's own, where it is one.
        caller: Who made them, as calls name it.
        run: The agent's run.
        about: The checkpoint or change that was taken back by these changes.
    """

    id: str
    caller: str
    run: str | None = None
    about: str | None = None


_writing: ContextVar[Checkpoint | None] = ContextVar("gemini_writing", default=None)


class Writers:
    """Who changes files now.

    Attributes:
        on_turn: Called when that is somebody else; nobody is followed without it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.on_turn: Callable[[Sequence[Checkpoint]], None] | None = None
        self._clock = clock
        self._active: list[Checkpoint] = []
        self._now: tuple[Checkpoint, ...] = ()
        self._sessions: dict[str, tuple[Checkpoint, float]] = {}

    def begin(self, caller: str) -> Checkpoint | None:
        """A call that may change files begins; `end` takes what this returns."""
        if self.on_turn is None:
            return None
        checkpoint = self._of(caller)
        self._enter(checkpoint)
        return checkpoint

    def end(self, checkpoint: Checkpoint | None) -> None:
        """The call has ended, and its changes are committed."""
        if checkpoint is None:
            return
        self._active.remove(checkpoint)
        if self._active:
            self._turn()

    def person_acts(self) -> None:
        """What changes from now on is the person's, unless a call is under way."""
        self.end(self.begin(PERSON))

    @contextmanager
    def taking_back(self, about: str) -> Generator[Checkpoint]:
        """Give what changes within a checkpoint of its own, beside the running call's; nothing within may wait."""
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
                self._turn()

    @contextmanager
    def unfollowed(self) -> Generator[None]:
        """What changes within is nobody's; nothing within may wait."""
        before, self._now = self._now, ()
        if self.on_turn is not None:
            self.on_turn(())
        try:
            yield
        finally:
            self._now = before
            if self.on_turn is not None:
                self.on_turn(before)

    def _enter(self, checkpoint: Checkpoint) -> None:
        self._active.append(checkpoint)
        self._turn()

    def _turn(self) -> None:
        active = self._active
        now = (active[0],) if len(active) == 1 else tuple(dict.fromkeys(active))
        if now != self._now:
            self._now = now
            if self.on_turn is not None:
                self.on_turn(now)

    def _of(self, caller: str) -> Checkpoint:
        if caller == SCRIPT:
            # A script that a call runs is that call's.
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
        self._sessions[key] = (checkpoint, now)
        return checkpoint


class writing:  # noqa: N801 - used as a function is
    """Follow what the call of a tool changes; None as its caller follows nothing.

    A class, for the same reason as `calls.serving`.
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
