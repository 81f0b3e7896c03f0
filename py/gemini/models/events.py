"""The events of models."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class ModelsChanged(Event):
    """The available models or their settings changed.

    The row has `chosen`, the id of the default model, or the name of one that a script has set; if it is None, `why`
    says what to do. `default` is the user's choice, ready or not; `agents` has the choices for agents by name.
    `choices` are `{id, label, provider, model, base_url, ready, why}`, `providers` those of the companion,
    `{name, api, path, local, ready, why}`. `builtin` is the availability of the browser's built-in model, `prompt` the
    custom instructions, and `loading` is `{done, total}` while packages load.
    """

    type: ClassVar[str] = "models_changed"
    models: Row
