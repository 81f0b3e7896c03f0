"""What the person at the page agreed to, told to the companion by another way than the page's code.

Code of the page calls the methods of `HostTerminals` as it likes. Whatever runs something asks here first.
"""

from collections import Counter
from typing import Literal, Protocol

from gemini.errors import Refused

Kind = Literal["open", "execute", "type"]


class Consent(Protocol):
    """Answers whether something was agreed to."""

    def require(self, kind: Kind, command: str, working_dir: str) -> None:
        """Return where it was; consent for a single command is used up by that.

        Args:
            kind: A shell that is started, a command that is run, or keys that are typed.
            command: The shell, the command or the keys.
            working_dir: Where.

        Raises:
            Refused: nobody agreed.
        """
        ...


class SessionConsent:
    """Consent in memory, for one page."""

    def __init__(self) -> None:
        self._session = False
        self._once: Counter[str] = Counter()

    def allow_session(self) -> None:
        """Agree to all that the page does until `revoke`."""
        self._session = True

    @property
    def is_of_session(self) -> bool:
        return self._session

    def allow_once(self, command: str) -> None:
        """Agree to exactly this command, shell or keys, for one time."""
        self._once[command] += 1

    def revoke(self) -> None:
        """Take back everything."""
        self._session = False
        self._once.clear()

    def require(self, kind: Kind, command: str, working_dir: str) -> None:
        if self._session:
            return
        if self._once[command] > 0:
            self._once[command] -= 1
            return
        what = "typing into a host terminal" if kind == "type" else f"{command!r} in {working_dir}"
        raise Refused(
            f"the person has not agreed to {what} on this machine",
            hint="They can agree in the page, to one command or for its session.",
        )
