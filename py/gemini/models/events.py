"""Events of the models."""

from dataclasses import dataclass
from typing import ClassVar

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class ModelsChanged(Event):
    """What is known of language models, and which one is asked where a run or a chat names none.

    `chosen` is that one's id, or the name of one that a script has set; where it is None, `why` says what to do.
    `default` is what the person chose, ready or not; `agents` has other choices by agents' names. A choice is `{id,
    label, provider, model, base_url, ready, why}`. `providers` are those of the companion, `{name, api, path, local,
    ready, why}`, `builtin` says whether the browser's own model can be asked, `prompt` what the person tells every
    model, and `loading` `{done, total}` while packages load.
    """

    type: ClassVar[str] = "models_changed"
    models: Row
