"""Allowances: how much of a model scheduled runs may use each day without a question, as the user allowed.

Python says which runs are scheduled, and nothing can check that. So an allowance is one for all that Python does: for
one model at one address, and up to a ceiling a day. Unlike other standing answers it also counts after Python has read
text from outside, which each scheduled run does: it reaches no computer but the model's, and its ceiling limits the
cost.

What a request can take is saved before it is sent. So neither a restart of the companion nor its end in the middle of a
request adds anything to a day.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from gemini_companion.errors import FolderUnusable
from gemini_companion.models.amounts import Amount, Ceiling
from gemini_companion.models.errors import CeilingReached, TicketMissing
from gemini_companion.models.providers import Provider
from gemini_companion.models.uses import FILE as USES
from gemini_companion.models.uses import Uses
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_json import PrivateRows

FILE = "model-allowances.json"
# A day has room for this many runs that reach their ceiling.
RUNS_A_DAY = 5
# Any request uses more.
LEAST = Amount(1, 1, 1e-9)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Allowed:
    """An allowance as it is saved.

    Attributes:
        base_url: The provider's address when the user allowed it. At another address it doesn't count.
        since: When the user allowed it, in ISO 8601.
        run, day: The ceilings of a run and of a day.
        spent: What was used on the date `on`, with what requests under way can use.
        on: A date of the companion's time zone, in ISO 8601.
    """

    provider: str
    base_url: str
    model: str
    since: str
    run: Ceiling
    day: Ceiling
    spent: Amount
    on: str


_ROWS = TypeAdapter(dict[str, Allowed])


class Allowances:
    """A file with the allowances.

    Args:
        path: The file, with mode 0600; by default `model-allowances.json` in the data folder.
        today: Returns the date of the companion's time zone.
    """

    def __init__(self, path: Path | None = None, today: Callable[[], date] = date.today) -> None:
        self._path = path
        self._today = today

    def allow(self, provider: Provider, model: str, run: Ceiling) -> Allowance:
        """Save an allowance with this ceiling for each run, since the user allowed it.

        Raises:
            FolderUnusable: The file can't be written.
        """
        since = datetime.now(UTC).isoformat(timespec="milliseconds")
        day = run.times(RUNS_A_DAY)
        allowed = Allowed(
            provider.name, provider.base_url, model, since, run, day, Amount(), self._today().isoformat()
        )
        self._rows.set(_key(provider.name, model), allowed)
        return Allowance(self, allowed)

    def find(self, provider: Provider, model: str) -> Allowance | None:
        """Return the allowance for a model at the provider's present address; None if there is none."""
        allowed = self.read(provider.name, model)
        return None if allowed is None or allowed.base_url != provider.base_url else Allowance(self, allowed)

    def revoke(self, provider: str, model: str) -> bool:
        """Delete an allowance; return whether there was one. Its tickets end with it.

        Raises:
            FolderUnusable: The file can't be written.
        """
        return self._rows.delete(_key(provider, model))

    def rows(self) -> list[dict[str, Any]]:
        """Return `{provider, base_url, model, since, run, day, spent, on}` of each, by provider and model."""
        found = [self._of_today(each) for _, each in sorted(self._rows.read().items())]
        return [asdict(each) for each in found]

    def read(self, provider: str, model: str) -> Allowed | None:
        """Return an allowance as it is saved, with what was used today; None if there is none."""
        found = self._rows.read().get(_key(provider, model))
        return None if found is None else self._of_today(found)

    @property
    def uses(self) -> Uses:
        """The uses under all allowances, also under those that were revoked."""
        return Uses((self._path or data_folder() / FILE).with_name(USES))

    def write(self, allowed: Allowed) -> None:
        """Save what was used of an allowance. Raises FolderUnusable."""
        self._rows.set(_key(allowed.provider, allowed.model), allowed)

    def _of_today(self, allowed: Allowed) -> Allowed:
        today = self._today().isoformat()
        # A clock that was set back adds nothing.
        return replace(allowed, spent=Amount(), on=today) if allowed.on < today else allowed

    @property
    def _rows(self) -> PrivateRows[Allowed]:
        return PrivateRows(self._path or data_folder() / FILE, _ROWS)


class Allowance:
    """One allowance, which tickets count against.

    Args:
        allowances: All allowances.
        allowed: This one as it was saved.
    """

    def __init__(self, allowances: Allowances, allowed: Allowed) -> None:
        self._allowances = allowances
        self._allowed = allowed

    @property
    def run(self) -> Ceiling:
        """The ceiling of one run."""
        return self._allowed.run

    @property
    def has_rest(self) -> bool:
        """True if something is left of today's."""
        return self._allowed.day.reached(self._allowed.spent, LEAST) is None

    def reserve(self, most: Amount) -> None:
        """Save what a request can use as used.

        Raises:
            CeilingReached: Too little is left of today's, or it can't be saved.
            TicketMissing: The user has revoked the allowance.
        """
        allowed = self._present()
        if allowed is None:
            raise TicketMissing(
                f"The permission to use {self._allowed.model} in scheduled runs was revoked.",
                hint="Request a ticket: the page asks the user.",
            )
        if (reached := allowed.day.reached(allowed.spent, most)) is not None:
            raise CeilingReached(
                f"Scheduled runs may use {reached} today, and this request can use "
                f"{most.of(reached.unit):,.6g}.",
                hint="Request a ticket: the page asks the user. Tomorrow, scheduled runs go on by themselves.",
                data={"day": allowed.day.row(), "spent": vars(allowed.spent)},
            )
        try:
            self._allowances.write(replace(allowed, spent=allowed.spent.plus(most)))
        except FolderUnusable as problem:
            raise CeilingReached(
                f"The use of {allowed.model} in scheduled runs can't be counted: {problem.message}",
                hint=problem.hint,
            ) from None

    def count(self, reserved: Amount, used: Amount) -> None:
        """Save what a request has used instead of its reservation."""
        if used.requests > 0:
            self._allowances.uses.add(self._allowed.provider, self._allowed.model, used)
        allowed = self._present()
        if allowed is None:
            return
        try:
            self._allowances.write(replace(allowed, spent=allowed.spent.plus(used).minus(reserved)))
        except FolderUnusable as problem:
            logger.warning("A request to %s counts as its most: %s", allowed.model, problem.message)

    def _present(self) -> Allowed | None:
        """Return the allowance as it is saved now; None if it was revoked, or allowed again since."""
        found = self._allowances.read(self._allowed.provider, self._allowed.model)
        return None if found is None or found.since != self._allowed.since else found


def _key(provider: str, model: str) -> str:
    return f"{provider} {model}"
