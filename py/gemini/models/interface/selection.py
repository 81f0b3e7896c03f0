"""Selecting the model for a request: the given one, else the one that a script has set, else one of the settings."""

from collections.abc import Callable

from gemini.errors import ModelMissing
from gemini.models.interface.model import Model

Find = Callable[[str | None, str], Model | None]
"""Returns the model with an id; without an id, the agent's own model, else the default; None if there is none."""


class ModelSelection:
    """Selects the model that an agent uses.

    Attributes:
        find: Finds a model of the settings.
        instructions: Returns the user's custom instructions for every model.
    """

    def __init__(self) -> None:
        self.find: Find = lambda wanted, agent: None
        self.instructions: Callable[[], str] = str
        self._script_model: Model | None = None
        self._listeners: list[Callable[[Model | None], None]] = []

    @property
    def model(self) -> Model | None:
        """The model that a script has set; None if it hasn't."""
        return self._script_model

    @model.setter
    def model(self, model: Model | None) -> None:
        self._script_model = model
        for listener in self._listeners:
            listener(model)

    def on_set(self, listener: Callable[[Model | None], None]) -> None:
        """Call `listener` whenever a script sets or removes its model."""
        self._listeners.append(listener)

    def require(self, agent: str, model: Model | str | None = None) -> Model:
        """Return the model for an agent.

        Args:
            agent: The agent's name.
            model: A model, or the id of one of the settings.

        Raises:
            ModelMissing: There is no such model, or none is configured.
        """
        if model is not None and not isinstance(model, str):
            return model
        selected = (None if model else self._script_model) or self.find(model, agent)
        if selected is None:
            raise ModelMissing(
                "no language model is set up",
                hint="Connect one: the palette has Connect a language model. Or pass one to "
                "gemini.agents.run(task, model=…), or set gemini.agents.current().model.",
            )
        return selected
