"""The errors of Linux machines."""

from collections.abc import Generator
from contextlib import contextmanager
from errno import ENOSPC

from gemini.errors import MachinePaused, MachineProblem, StorageFull


@contextmanager
def problems(action: str) -> Generator[None]:
    """Turn an OSError of an action into an error that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno == ENOSPC:
            raise full(action) from error
        raise MachineProblem(
            f"the page can't {action}: {error.strerror}",
            hint="Close other tabs of this page and try again.",
        ) from error


def full(action: str) -> StorageFull:
    """Return the error of an action for which the storage has no space."""
    return StorageFull(
        f"the page can't {action}, because the browser's storage is full",
        hint="Delete files, or machines that aren't needed: `await gemini.linux.throw_away(name)`.",
    )


def paused(name: str) -> MachinePaused:
    """Return the error of a program for a paused machine."""
    return MachinePaused(
        f"the machine {name!r} is paused",
        hint=f"`await gemini.linux.resume({name!r})` or the panel Machines resumes it.",
        data={"machine": name},
    )
