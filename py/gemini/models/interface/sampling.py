"""The settings by which a model chooses its words."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gemini.errors import InvalidArguments

Effort = Literal["minimal", "low", "medium", "high"]


class Sampling(BaseModel):
    """The settings of requests to a model; None leaves one to the provider.

    Attributes:
        temperature: 0 to 2; Anthropic's models take at most 1.
        top_p: The share of likely words to choose from, above 0 and at most 1.
        max_tokens: The most tokens of one answer, its reasoning included.
        effort: How much a model reasons that takes such a setting.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] | None = None
    max_tokens: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    effort: Effort | None = None

    def over(self, usual: "Sampling") -> "Sampling":
        """Return these settings, and the usual ones for those that are None."""
        return Sampling(**{**usual.row(), **self.row()})

    def row(self) -> dict[str, Any]:
        """Return the settings that aren't None."""
        return self.model_dump(exclude_none=True)


USUAL = Sampling()


def sampling_of(given: Sampling | dict[str, Any] | None) -> Sampling:
    """Return the settings that a caller passes.

    Raises:
        InvalidArguments: They are invalid.
    """
    if isinstance(given, Sampling):
        return given
    try:
        return Sampling.model_validate(given or {})
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidArguments(
            f"sampling: {where}: {first['msg']}",
            hint="It has temperature, top_p, max_tokens and effort (minimal, low, medium, high).",
        ) from error
