"""The owners of terminals: an agent or another client runs its commands in its own terminal."""

from dataclasses import dataclass

from gemini.tools.calls import GIT_PROGRAM, acting_call
from gemini.tools.writers import PERSON, SCRIPT


@dataclass(frozen=True)
class Owner:
    """An agent or another client.

    Attributes:
        caller: The caller, as in the log of calls.
        run: The id of the agent's run; None for other clients.
    """

    caller: str
    run: str | None = None


def owner_now() -> Owner | None:
    """Return the agent or client that the running code works for; None for the user and their scripts."""
    call = acting_call()
    if call is None or call.caller in (PERSON, SCRIPT, GIT_PROGRAM):
        return None
    return Owner(call.caller, call.run)
