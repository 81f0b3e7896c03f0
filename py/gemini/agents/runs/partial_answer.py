"""The text of the answer that a model is giving, for a run that ends in the middle of it."""

from gemini.agents.record.steps import Step
from gemini.agents.runs.events import RunEvent, Streamed
from gemini.models.interface.model import Retried, TextDelta


class Saying:
    """Collects the text that a run streams in its current step, as `text`."""

    def __init__(self) -> None:
        self.text = ""

    def on_event(self, event: RunEvent) -> None:
        """Add a piece; a retry and the end of the step discard what was said."""
        match event:
            case Streamed(TextDelta(text)):
                self.text += text
            case Streamed(Retried()) | Step():
                self.text = ""
            case _:
                pass
