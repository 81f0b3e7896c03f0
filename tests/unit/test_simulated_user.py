"""The user of the end-to-end tests waits for what a busy page draws late."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from gemini_testing import Surface
from tests.web.person import Person


class _AtALatePage(Person):
    """A user at a page that names an element only after a number of looks."""

    def __init__(self, looks: int) -> None:
        super().__init__(cast(Surface, SimpleNamespace(driver=None)))
        self.looks = looks
        self.element: Any = object()

    def look_for(self, selector: str) -> None:
        pass

    def find_now(self, selector: str) -> Any:
        self.looks -= 1
        return None if self.looks else self.element


def test_an_element_is_found_however_often_its_name_was_another() -> None:
    user = _AtALatePage(1_000)
    assert user.find('button "Play"') is user.element
