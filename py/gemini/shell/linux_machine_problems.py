"""The errors of machines of the Linux."""

from collections.abc import Generator
from contextlib import contextmanager
from errno import ENOSPC

from gemini.errors import InvalidArguments, MachinePaused, MachineProblem, StorageFull
from gemini.shell.linux import MAIN, NAME


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


def backend_of(name: str) -> str:
    """Return the name of the backend of a machine's terminals."""
    return "linux" if name == MAIN else f"linux:{name}"


def require_name(name: str) -> None:
    """Raise InvalidArguments if no machine can have the name."""
    if not NAME.fullmatch(name):
        raise InvalidArguments(
            f"{name!r} can't be the name of a machine",
            hint="Use up to 31 lower-case letters, digits and hyphens, and begin with a letter.",
        )
