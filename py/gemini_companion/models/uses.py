"""Lists the use of models in scheduled runs, by minute. Python can neither change nor hide it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from gemini_companion.errors import FolderUnusable
from gemini_companion.models.amounts import Amount
from gemini_companion.storage.private_json import PrivateRows

FILE = "model-uses.json"
# More minutes than the days' ceilings leave room for in a week of ordinary runs.
MAX_ROWS = 500

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Use:
    """The use of a model in a minute, `at` in ISO 8601."""

    at: str
    provider: str
    model: str
    amount: Amount


_ROWS = TypeAdapter(dict[str, Use])


class Uses:
    """A file with the latest uses.

    Args:
        path: The file, with mode 0600.
        now: Returns the present time.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._rows = PrivateRows(path, _ROWS)
        self._now = now

    def add(self, provider: str, model: str, used: Amount) -> None:
        """Save what a request has used; one that can't be saved is only in the day's sum."""
        at = self._now().isoformat(timespec="minutes")
        key = f"{at} {provider} {model}"
        rows = self._rows.read()
        before = rows.get(key, Use(at, provider, model, Amount()))
        rows[key] = replace(before, amount=before.amount.plus(used))
        try:
            self._rows.replace(dict(list(rows.items())[-MAX_ROWS:]))
        except FolderUnusable as problem:
            logger.warning("A use of %s isn't in the list: %s", model, problem.message)

    def rows(self) -> list[dict[str, Any]]:
        """Return `{at, provider, model, requests, tokens, dollars}` of each, the latest first."""
        found = reversed(self._rows.read().values())
        return [
            {"at": use.at, "provider": use.provider, "model": use.model, **asdict(use.amount)}
            for use in found
        ]
