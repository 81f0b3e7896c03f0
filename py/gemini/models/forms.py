"""How tools are told to a model: endpoints that take less are found out once, and remembered."""

from collections.abc import Callable
from typing import Literal, cast, get_args

Form = Literal["forced", "offered", "prompted"]
"""Calls can be demanded; they can only be offered; or tools stand in the prompt, and calls in the text."""


class Forms:
    """What was found out, by endpoint and model.

    Args:
        known: What is known from before.
        keep: Takes all that is known whenever that is more.
    """

    def __init__(
        self, known: dict[str, str] | None = None, save: Callable[[dict[str, str]], None] | None = None
    ) -> None:
        forms = get_args(Form)
        self._known: dict[str, Form] = {
            name: cast(Form, form) for name, form in (known or {}).items() if form in forms
        }
        self._save = save

    def find(self, base_url: str, model: str) -> Form:
        """The form to try."""
        known = self._known.get(_name(base_url, model))
        return "forced" if known is None else known

    def step_down(self, base_url: str, model: str, refused: Form) -> Form | None:
        """Note that a form was refused, and give the next one; None where there is none left."""
        forms: tuple[Form, ...] = get_args(Form)
        after = forms.index(refused) + 1
        if after == len(forms):
            return None
        self._known[_name(base_url, model)] = forms[after]
        if self._save is not None:
            self._save(dict(self._known))
        return forms[after]


def _name(base_url: str, model: str) -> str:
    return f"{base_url.rstrip('/')} {model}"
