"""Calls that wait for the user's answer, whose callers learn that they wait."""

from typing import Any, cast

from gemini.tools.calls import Call, CallLog

LONGEST = 300
MOST = 50


class WaitingCalls:
    """The calls for which the page shows a question.

    Args:
        log: Has the calls that run.
    """

    def __init__(self, log: CallLog) -> None:
        self._log = log
        self._waiting: dict[int, str] = {}

    def report(self, given: Any) -> None:
        """Report to the callers from the page's list of questions, `[{call, text}]`. Invalid entries are ignored.

        A caller that accepts progress gets a message when its call begins to wait, and when the answer is there.
        """
        rows = cast("list[Any]", given) if isinstance(given, list) else []
        now = dict(each for each in map(_question, rows[:MOST]) if each is not None)
        before, self._waiting = self._waiting, now
        running = {call.id: call for call in self._log if call.ok is None}
        for number, text in now.items():
            if before.get(number) != text and number in running:
                _tell(running[number], f"Waiting for the user's answer: {text}")
        for number in before.keys() - now.keys():
            if number in running:
                _tell(running[number], "The user's answer is there")


def _question(row: Any) -> tuple[int, str] | None:
    if not isinstance(row, dict):
        return None
    named = cast("dict[str, Any]", row)
    call, text = named.get("call"), named.get("text")
    return (call, text[:LONGEST]) if isinstance(call, int) and isinstance(text, str) and text else None


def _tell(call: Call, message: str) -> None:
    """Send a message to the caller of a call, or of the call whose code made it."""
    listener: Call | None = call
    while listener is not None and listener.progress is None:
        listener = listener.outer
    if listener is not None and listener.progress is not None:
        listener.progress(0, None, message)
