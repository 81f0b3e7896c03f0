"""Colors of git on a terminal: the expected output is Debian's git 2.39's (`colors.json`)."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.git import cases
from tests.git.random_commands import Step
from tests.git.test_random import PEOPLE, Ours

EXPECTED: dict[str, str] = json.loads(Path(__file__).with_name("colors.json").read_text(encoding="utf-8"))
START = {
    "f": "one\n\ntwo\n",
    "gone": "x\n",
    "p.py": "def a():\n  1\n  2\n  3\n  4\n  5\n",
}
CHANGED = {
    "f": "one\n\n\ttabbed\n \tsp tab\ncr\r\n   \n\n  end",
    "p.py": "def a():\n  1\n  2\n  3\n  4\n  6\n",
}
# A repository with a remote's branch, a tag, a branch with a subject that begins like names, and changes of each kind.
STEPS = [
    Step("git", {"args": ["init", "-q", "-b", "main"]}),
    *(Step("write", {"path": path, "text": text}) for path, text in START.items()),
    *(
        Step("git", {"args": line.split(" ")})
        for line in (
            "add .",
            "commit -q -m first",
            "tag v1",
            "branch side",
            "update-ref refs/remotes/origin/main HEAD",
            "config remote.origin.url x",
            "config remote.origin.fetch +refs/heads/*:refs/remotes/origin/*",
            "branch -q -u origin/main",
            "checkout -q -b feature/x",
            "commit -q --allow-empty -m (side)",
            "checkout -q main",
        )
    ),
    Step("write", {"path": "p.py", "text": CHANGED["p.py"]}),
    Step("git", {"args": ["add", "p.py"]}),
    Step("write", {"path": "f", "text": CHANGED["f"]}),
    Step("write", {"path": "new", "text": "n\n"}),
    Step("remove", {"path": "gone"}),
]


class Terminal:
    """A user's terminal in a repository of the page's git."""

    def __init__(self, ours: Ours, folder: Path) -> None:
        self._ours = ours
        self._folder = folder
        self._env = {
            **cases.ENVIRONMENT,
            **PEOPLE,
            "HOME": str(folder),
            "TZ": "UTC",
            "TERM": "xterm-256color",
        }

    def run(self, step: Step) -> str:
        """Return what a step prints."""
        done = self._ours.run(step, self._folder, self._env)
        return f"{done.get('crash', '')}{done.get('stdout', '')}{done.get('stderr', '')}"

    def git(self, line: str, *, terminal: bool = True, **env: str) -> str:
        """Return what a line prints."""
        return self.run(Step("git", {"args": shlex.split(line)[1:], "isTerminal": terminal, "env": env}))


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    work = tmp_path_factory.mktemp("colors")
    (work / "ours").mkdir()
    ours = Ours(work, work / "ours")
    terminal = Terminal(ours, work / "ours")
    for step in STEPS:
        terminal.run(step)
    yield terminal
    ours.close()


@pytest.mark.parametrize("line", EXPECTED)
def test_a_line_has_git_s_colors(terminal: Terminal, line: str) -> None:
    assert terminal.git(line) == EXPECTED[line]


@pytest.mark.parametrize("line", ["git status", "git diff", "git log --oneline", "git branch", "git show v1"])
def test_pipes_files_and_agents_get_no_colors(terminal: Terminal, line: str) -> None:
    printed = terminal.git(line, terminal=False)
    assert "\x1b" not in printed and "HEAD ->" not in printed
    assert "\x1b" not in terminal.git(line, TERM="dumb")


def test_a_pipe_has_colors_that_are_asked_for(terminal: Terminal) -> None:
    assert terminal.git("git log --color=always --no-decorate --oneline -1", terminal=False).startswith(
        "\x1b[33m"
    )
    assert "\x1b[31m" in terminal.git("git -c color.ui=always diff f", terminal=False)


def test_a_new_repository_begins_with_the_page_s_branch(terminal: Terminal) -> None:
    step = Step("git", {"args": ["init", "made"], "firstBranch": "main"})
    printed = terminal.run(step)
    assert printed.startswith("Initialized empty Git repository in ") and "hint" not in printed
    assert terminal.git("git -C made status -sb", terminal=False) == "## No commits yet on main\n"
