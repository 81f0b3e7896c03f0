"""Recognizes an answer that repeats itself: small models may never find its end."""

from gemini.errors import ModelRepeats
from gemini.models.interface.model import CallDelta, HeldText, ModelEvent, Retried, TextDelta, ThoughtDelta

# An answer repeats itself if its end is this many repeats of one period.
REPEATS = 6
# So many characters at least; tables, rulers and lists of data have shorter repetitions.
MIN_CHARS = 600
# Arguments of calls may be files, which have longer ones.
MIN_ARGUMENT_CHARS = 6_000
# The longest period, in characters.
MOST_PERIOD = 400
# The text is searched again after this many more characters.
EVERY_CHARS = 200


def period_at_end(text: str, least_chars: int = MIN_CHARS) -> int | None:
    """Return the shortest period that the end of a text repeats, in characters; None if it doesn't.

    Args:
        text: The text.
        least_chars: The fewest characters of all the repeats together.
    """
    end = text[: -max(least_chars, REPEATS * MOST_PERIOD) - 1 : -1]
    matches = _prefix_matches(end)
    for period in range(1, min(MOST_PERIOD, len(end) - 1) + 1):
        if matches[period] + period >= max(least_chars, REPEATS * period):
            return period
    return None


def _prefix_matches(text: str) -> list[int]:
    """Return for each position how many characters from there equal those at the start (the Z-function).

    Gusfield, Algorithms on Strings, Trees and Sequences, 1997, section 1.4.
    """
    found = [0] * len(text)
    left = right = 0
    for at in range(1, len(text)):
        same = min(right - at, found[at - left]) if at < right else 0
        while at + same < len(text) and text[same] == text[at + same]:
            same += 1
        found[at] = same
        if at + same > right:
            left, right = at, at + same
    return found


class RepetitionGuard:
    """Watches one answer.

    Args:
        window_tokens: The size of its window. A piece of an answer has at least one token.
    """

    def __init__(self, window_tokens: int) -> None:
        self._window_tokens = window_tokens
        self.begin()

    def begin(self) -> None:
        """Begin an answer."""
        self._ends = {TextDelta: "", ThoughtDelta: "", CallDelta: "", HeldText: ""}
        self._unseen = 0
        self._pieces = 0

    def watch(self, event: ModelEvent) -> None:
        """Watch the next event.

        Raises:
            ModelRepeats: The answer repeats itself, or has outgrown the window.
        """
        match event:
            case TextDelta(text) | ThoughtDelta(text) | HeldText(text) | CallDelta(arguments=text):
                self._add(type(event), text)
            case Retried():
                self.begin()
            case _:
                pass

    def _add(self, kind: type[TextDelta | ThoughtDelta | HeldText | CallDelta], text: str) -> None:
        least = MIN_ARGUMENT_CHARS if kind in (CallDelta, HeldText) else MIN_CHARS
        most = max(least, REPEATS * MOST_PERIOD)
        self._ends[kind] = (self._ends[kind] + text)[-most:]
        self._unseen += len(text)
        self._pieces += 1
        if self._pieces > self._window_tokens:
            raise ModelRepeats(
                f"the model's answer doesn't end: it has outgrown the window of {self._window_tokens:,} tokens",
                hint=HINT,
            )
        if self._unseen < EVERY_CHARS:
            return
        self._unseen = 0
        if (period := period_at_end(self._ends[kind], least)) is not None:
            repeated = " ".join(self._ends[kind][-period:].split())[:60]
            raise ModelRepeats(f"the model repeats itself: “{repeated}”", hint=HINT)


HINT = (
    "Try again. If it happens again, set another temperature in the model's Sampling, start its server with a penalty "
    "for repetition (llama.cpp: --repeat-penalty 1.1), or use another model."
)
