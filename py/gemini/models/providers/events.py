"""The events of models."""

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import TypedDict

from gemini.core.events import Event
from gemini.models.providers.endpoint import Api


class SamplingRow(TypedDict):
    """The settings of a model's requests; None leaves one to the provider."""

    temperature: float | None
    top_p: float | None
    max_tokens: int | None
    effort: str | None


class ModelChoiceRow(TypedDict):
    """A model that the user has added; if it isn't ready, `why` says why. `sampling` has its usual settings."""

    id: str
    label: str
    provider: str
    model: str
    base_url: str
    ready: bool
    why: str | None
    sampling: SamplingRow


class ProviderRow(TypedDict):
    """A provider of the companion; if it isn't ready, `why` says what is missing."""

    name: str
    api: Api
    path: str
    local: bool
    ready: bool
    why: str | None


class ReadingRow(TypedDict):
    """The reading of files by the model on the device: `read` of the `passages`.

    `seconds` are left, as fast as it was so far; None if unknown. `problem` says why the reading has ended early.
    """

    read: int
    passages: int
    seconds: float | None
    paused: bool
    problem: str | None


class EmbeddingRow(TypedDict):
    """The model for embeddings; if it can't be used now, `why` says why. `reading` is None for a provider's."""

    label: str
    provider: str
    model: str
    base_url: str
    why: str | None
    reading: ReadingRow | None


class LoadingRow(TypedDict):
    """The bytes of packages that have loaded, of all."""

    done: int
    total: int


class ModelsRow(TypedDict):
    """The language models.

    `chosen` is the id of the default model, or the name of one that a script has set; if it is None, `why` says what
    to do. `default` is the user's choice, ready or not; `agents` has the choices for agents by name. `prompt` has the
    custom instructions. `builtin` is the availability of the browser's built-in model. `loading` is None unless
    packages load. `embedding` is None while no model for embeddings is chosen. `device` says
    whether the build has one for this computer.
    """

    chosen: str | None
    why: str | None
    default: str | None
    choices: list[ModelChoiceRow]
    agents: dict[str, str]
    prompt: str
    providers: list[ProviderRow]
    builtin: str
    loading: LoadingRow | None
    embedding: EmbeddingRow | None
    device: bool


@dataclass(frozen=True)
class ModelsChanged(Event):
    """The models, or what they need, have changed."""

    type: ClassVar[str] = "models_changed"
    models: ModelsRow
