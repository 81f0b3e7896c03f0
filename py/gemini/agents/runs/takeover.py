"""The times in which the user works instead of the agent."""

from collections.abc import Callable

from gemini.errors import UsageProblem

EndWatch = Callable[[], list[str]]
"""Stops recording, and returns what the user did, one line for each action."""
Watch = Callable[[], EndWatch]
"""Starts recording what the user does."""


class Takeovers:
    """The takeovers of one run, and the user's actions in them."""

    def __init__(self) -> None:
        self._end_watch: EndWatch | None = None
        self._unreported: list[list[str]] = []

    @property
    def lasts(self) -> bool:
        """True while the user has taken over."""
        return self._end_watch is not None

    def begin(self, watch: Watch) -> None:
        """Start recording. It must not have begun already."""
        self._end_watch = watch()

    def end(self) -> None:
        """Stop recording, and save the user's actions for the next report.

        Raises:
            UsageProblem: The user hasn't taken over.
        """
        if self._end_watch is None:
            raise UsageProblem("this run isn't taken over", hint="Take over first.")
        self._unreported.append(self._end_watch())
        self._end_watch = None

    def forget(self) -> None:
        """End without a report, because the run has ended."""
        self._end_watch = None

    def report(self) -> list[list[str]]:
        """Return the user's actions in each takeover since the last report."""
        actions, self._unreported = self._unreported, []
        return actions
