"""What requests to language models took."""

from pydantic import BaseModel, ConfigDict


class Usage(BaseModel):
    """What requests took, in tokens. `input` has those of `cached`, too.

    Attributes:
        cost: In US dollars, where the model knows it.
    """

    model_config = ConfigDict(frozen=True)

    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float | None = None

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            cost=self.cost if other.cost is None else (self.cost or 0.0) + other.cost,
        )
