"""Source Control: the panel, the item in the status line, and their agreement with git in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.person import Person
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended

CHANGES, STAGED, STATUS = 'region "Changes"', 'region "Staged changes"', "#status-branch"
MESSAGE = 'region "Source Control" textbox "Commit message"'
AUTHOR = "git config --global user.name Ada; git config --global user.email ada@example.org"


def run(surface: Surface, command: str, terminal: str = "term-1") -> str:
    done: dict[str, Any] = surface.call(
        "terminal_execute", terminal_id=terminal, command=command, streams=True
    )
    return str(done["stdout"])


def row(group: str, path: str, part: str = "") -> str:
    return f"{group} [data-path='{path}'] {part}"


def shows(surface: Surface, label: str) -> None:
    """Wait until the status line shows the state after a command; until then rows move."""
    surface.wait_for("document.querySelector(arguments[0])?.innerText === arguments[1]", STATUS, label)


@pytest.fixture
def repository(surface: Surface, folder: str, terminal: str) -> Iterator[str]:
    """Create a repository with a commit and show it; the terminal is in it."""
    run(surface, f"{AUTHOR}; cd {folder}; git init -q -b main; seq 30 > numbers; echo one > 'a b'", terminal)
    run(surface, "mkdir sub; echo deep > sub/deep; git add -A; git commit -q -m first", terminal)
    shows(surface, "main")
    yield folder
    run(surface, f"cd /project; rm -rf {folder} ~/.gitconfig", terminal)


def test_a_journey_from_no_repository_to_a_commit(
    surface: Surface, person: Person, folder: str, terminal: str
) -> None:
    run(surface, f"cd {folder}; printf 'one\\ntwo\\n' > notes.txt", terminal)
    surface.call("file_navigate", path=folder)
    person.no_longer_sees(STATUS)
    person.open_panel("source-control")
    assert folder in person.sees('region "Source Control" .empty', "isn't in a git repository")
    person.click('button "Initialize repository"')
    shows(surface, "main, 1 change")
    assert "U" in person.sees(row(CHANGES, "notes.txt"), "notes.txt")

    person.click(row(CHANGES, "notes.txt", ".source-control-file"))
    person.sees(row(CHANGES, "notes.txt", ".cm-content"), "two")
    person.click(row(CHANGES, "notes.txt", "[data-do=stage]"))
    assert "A" in person.sees(row(STAGED, "notes.txt"))
    person.no_longer_sees(CHANGES)
    assert run(surface, "git status -s", terminal) == "A  notes.txt\n"

    person.click(MESSAGE)
    person.type("First notes")
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees('region "Source Control" [role=alert]', "user.name and user.email are not set")
    surface.wait_for("document.activeElement.id === 'source-control-user-name'")
    person.type(f"Ada{Keys.TAB}ada@example.org{Keys.ENTER}")
    surface.wait_for("document.activeElement.id === 'source-control-message'")
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees('region "Source Control"', "No changes.")
    shows(surface, "main")
    assert run(surface, "git log --format='%s %an %ae'", terminal) == "First notes Ada ada@example.org\n"
    assert person.find(MESSAGE).get_property("value") == ""
    run(surface, f"cd /project; rm -rf {folder} ~/.gitconfig", terminal)


def test_it_follows_commands_tools_and_the_terminals_directory(
    surface: Surface, person: Person, repository: str, terminal: str
) -> None:
    person.click(STATUS)
    surface.wait_for(f"{FOUND}(arguments[0])[0]?.contains(document.activeElement)", 'region "Source Control"')
    run(surface, "echo two >> 'a b'; git mv numbers figures; echo 31 >> figures", terminal)
    shows(surface, "main, 4 changes")
    assert "M" in person.sees(row(CHANGES, "a b"))
    assert "D" in person.sees(row(STAGED, "numbers"))
    assert "A" in person.sees(row(STAGED, "figures"))

    person.click(row(CHANGES, "a b", ".source-control-file"))
    person.sees(row(CHANGES, "a b", ".cm-content"), "two")
    surface.call("file_write", path=f"{repository}/a b", content="one\nthree\n")
    person.sees(row(CHANGES, "a b", ".cm-content"), "three")

    run(surface, "git commit -q -a -m second; git switch -q -c topic", terminal)
    shows(surface, "topic")
    person.sees('region "Source Control" strong', "topic")
    run(surface, "git checkout -q HEAD~1", terminal)
    person.sees(STATUS, "(detached)")


def test_staging_and_unstaging_take_exactly_the_named_file(
    surface: Surface, person: Person, repository: str, terminal: str
) -> None:
    person.click(STATUS)
    run(surface, "echo x > '*'; echo y > -n; rm numbers; echo z >> sub/deep", terminal)
    shows(surface, "main, 4 changes")
    for path in ("*", "-n", "numbers"):
        person.click(row(CHANGES, path, "[data-do=stage]"))
        person.sees(row(STAGED, path))
    person.sees(row(CHANGES, "sub/deep"))
    assert set(run(surface, "git status -s", terminal).splitlines()) == {
        "A  *",
        "A  -n",
        "D  numbers",
        " M sub/deep",
    }
    person.click(row(STAGED, "*", "[data-do=unstage]"))
    person.sees(row(CHANGES, "*"))
    assert "A  -n" in run(surface, "git status -s", terminal)
    person.click('button "Unstage all"')
    person.no_longer_sees(STAGED)
    person.click('button "Stage all"')
    person.no_longer_sees(CHANGES)
    assert run(surface, "git status -s | grep -v '^[AMD] '", terminal) == ""


def test_discarding_asks_and_spares_what_is_staged(
    surface: Surface, person: Person, repository: str, terminal: str
) -> None:
    person.click(STATUS)
    run(surface, "echo staged >> 'a b'; git add 'a b'; echo lost >> 'a b'; echo new > new", terminal)
    shows(surface, "main, 3 changes")
    person.click(row(CHANGES, "a b", "[data-do=discard]"))
    person.sees("dialog.question", "Discard the changes of a b?")
    assert violations(surface, "dialog.question") == []
    person.press(Keys.ESCAPE)
    assert run(surface, "tail -n 1 'a b'", terminal) == "lost\n"
    person.click(row(CHANGES, "a b", "[data-do=discard]"))
    person.click("dialog.question [value=discard]")
    person.no_longer_sees(row(CHANGES, "a b"))
    assert run(surface, "cat 'a b'", terminal) == "one\nstaged\n"

    person.click(row(CHANGES, "new", "[data-do=discard]"))
    person.sees("dialog.question", "Delete new?")
    person.click("dialog.question [value=discard]")
    person.no_longer_sees(row(CHANGES, "new"))
    trash = "cat $(ls -td ~/.local/share/Trash/files/new* | head -n 1)"
    assert run(surface, f"ls new; {trash}", terminal) == "new\n"


def test_commit_by_keyboard_offers_to_stage_all(
    surface: Surface, person: Person, repository: str, terminal: str
) -> None:
    person.click(STATUS)
    run(surface, "echo two > 'a b'; echo x > x", terminal)
    shows(surface, "main, 2 changes")
    person.click(MESSAGE)
    person.type("Title")
    person.press(Keys.ENTER, times=2)
    person.type("# of the body")
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.sees("dialog.question", "Stage all changes and commit them?")
    person.press(Keys.TAB)
    person.press(Keys.ENTER)
    person.sees('region "Source Control"', "No changes.")
    assert run(surface, "git log -1 --format=%B; git status -s", terminal).strip() == "Title\n\n# of the body"


def test_an_alias_cannot_replace_what_a_button_runs(
    surface: Surface, person: Person, repository: str, terminal: str
) -> None:
    person.click(STATUS)
    run(surface, "git config alias.add '!touch /tmp/ran'; echo x > x", terminal)
    shows(surface, "main, 1 change")
    person.click(row(CHANGES, "x", "[data-do=stage]"))
    person.sees(row(STAGED, "x"))
    assert run(surface, "ls /tmp/ran", terminal) == ""


def test_another_repository_can_be_selected(
    surface: Surface, person: Person, repository: str, terminal: str
) -> None:
    run(surface, "git init -q -b other /project/other; cd /project", terminal)
    person.click(STATUS)
    person.choose('region "Source Control" combobox "Repository"', "/project/other")
    person.sees('region "Source Control" strong', "other")
    person.sees(STATUS, "other")
    surface.python("import shutil; shutil.rmtree('/project/other')")
    run(surface, "true", terminal)
    person.sees('region "Source Control" strong', "main")
