"""The token usage of requests to language models."""

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """The usage of requests in tokens. `input` includes `cached`.

    Attributes:
        cost: In US dollars, if the model knows it.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float | None = None

    @property
    def total(self) -> int:
        """Input and output tokens."""
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            cost=self.cost if other.cost is None else (self.cost or 0.0) + other.cost,
        )
