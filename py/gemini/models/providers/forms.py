"""The ways to pass tools and pictures to a model. An endpoint that refuses one is asked in another from then on."""

from collections.abc import Callable
from typing import Literal, cast, get_args

Form = Literal["forced", "offered", "prompted"]
"""`forced`: calls can be required; `offered`: they are optional; `prompted`: tools are in the prompt, calls in text."""


# The key's end of a model that takes no pictures; the form that is saved there doesn't matter.
NO_PICTURES = " without pictures"


class Forms:
    """The known forms, by endpoint and model.

    Args:
        known: The forms known from earlier.
        save: Called with all known forms when they change.
    """

    def __init__(
        self, known: dict[str, str] | None = None, save: Callable[[dict[str, str]], None] | None = None
    ) -> None:
        forms = get_args(Form)
        self._known: dict[str, str] = {name: form for name, form in (known or {}).items() if form in forms}
        self._save = save

    def find(self, base_url: str, model: str) -> Form:
        """Return the form to try."""
        return cast(Form, self._known.get(_name(base_url, model), "forced"))

    def takes_pictures(self, base_url: str, model: str) -> bool:
        """Return whether to send pictures."""
        return _name(base_url, model) + NO_PICTURES not in self._known

    def leave_out_pictures(self, base_url: str, model: str) -> None:
        """Record that pictures were refused."""
        self._record(_name(base_url, model) + NO_PICTURES, "prompted")

    def step_down(self, base_url: str, model: str, refused: Form) -> Form | None:
        """Record that a form was refused, and return the next one; None if there is none."""
        forms: tuple[Form, ...] = get_args(Form)
        after = forms.index(refused) + 1
        if after == len(forms):
            return None
        self._record(_name(base_url, model), forms[after])
        return forms[after]

    def _record(self, name: str, form: Form) -> None:
        self._known[name] = form
        if self._save is not None:
            self._save(dict(self._known))


def _name(base_url: str, model: str) -> str:
    return f"{base_url.rstrip('/')} {model}"
