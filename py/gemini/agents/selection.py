"""Which model is asked: the one that is given; else what a script has set; else one that the person has set up."""

from collections.abc import Callable

from gemini.agents.model import Model
from gemini.errors import ModelMissing

Find = Callable[[str | None, str], Model | None]
"""Gives the model of an id, else that of an agent by name, else the default one."""


class ModelSelection:
    """Finds models.

    Attributes:
        find: Finds one of the person's.
        instructions: The person's own words to every model.
    """

    def __init__(self) -> None:
        self.find: Find = lambda wanted, agent: None
        self.instructions: Callable[[], str] = str
        self._script_model: Model | None = None
        self._listeners: list[Callable[[Model | None], None]] = []

    @property
    def model(self) -> Model | None:
        """What a script has set."""
        return self._script_model

    @model.setter
    def model(self, model: Model | None) -> None:
        self._script_model = model
        for listener in self._listeners:
            listener(model)

    def on_set(self, listener: Callable[[Model | None], None]) -> None:
        """Call `listener` whenever a script sets another one from now on."""
        self._listeners.append(listener)

    def require(self, agent: str, given: Model | str | None = None) -> Model:
        """The model that an agent asks.

        Args:
            agent: Its name.
            given: A model, or the id of one of the person's.

        Raises:
            ModelMissing: there is none.
        """
        if given is not None and not isinstance(given, str):
            return given
        selected = (None if given else self._script_model) or self.find(given, agent)
        if selected is None:
            raise ModelMissing(
                "no language model is set up",
                hint="Add one in the settings, at Language models; or give one, as in "
                "gemini.agents.run(task, model=…), or set gemini.agents.current().model.",
            )
        return selected
