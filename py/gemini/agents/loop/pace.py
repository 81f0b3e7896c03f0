"""The pace of a model's answers: when the first word came, and how fast the others did."""

from gemini.models.interface.model import CallDelta, HeldText, ModelEvent, Retried, TextDelta, ThoughtDelta


class Pace:
    """Measures the requests of one step.

    Attributes:
        first_s: The seconds from the first request to the first piece of its answer; None before that.
    """

    def __init__(self) -> None:
        self.first_s: float | None = None
        self._sent = self._began = self._last = 0.0
        self._pieces = 0
        self._tokens, self._seconds = 0, 0.0

    def begin(self, now: float) -> None:
        """Begin a request at a time of the clock in seconds."""
        self._sent, self._pieces = now, 0

    def note(self, event: ModelEvent, now: float) -> None:
        """Note an event of the request's stream."""
        match event:
            case TextDelta() | ThoughtDelta() | HeldText() | CallDelta():
                if self._pieces == 0:
                    self._began = now
                    if self.first_s is None:
                        self.first_s = round(now - self._sent, 3)
                self._pieces += 1
                self._last = now
            case Retried(wait_s=wait_s):
                self.begin(now + wait_s)
            case _:
                pass

    def end(self, tokens: int) -> None:
        """End a request.

        Args:
            tokens: The tokens of its answer, or 0 if the provider doesn't say.
        """
        if self._pieces > 1:
            # The first token isn't measured: reading the prompt is in its time.
            self._tokens += max(tokens, self._pieces) - 1
            self._seconds += self._last - self._began
        self._pieces = 0

    @property
    def speed(self) -> float | None:
        """The tokens a second after the first; None if there are none to measure."""
        return round(self._tokens / self._seconds, 1) if self._seconds > 0 else None
