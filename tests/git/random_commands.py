"""Random sequences of git commands and changes of files, for a comparison of two gits."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

PATHS = ["a", "b.txt", "d/x", "d/y.txt", "e/f/z", "link"]
TEXTS = [
    "one\n",
    "one\ntwo\n",
    "two\nthree\n",
    "a\r\nb\r\n",
    "mixed\r\nends\n",
    "",
    "no end",
    "one\ntwo\nthree\nfour\n",
]
TARGETS = ["a", "d", "nowhere", "../outside"]
ATTRIBUTES = ["* text=auto\n", "*.txt text eol=crlf\n", "*.txt -text\n", "* text\n*.txt binary\n"]
BRANCHES = ["main", "side", "other"]


@dataclass(frozen=True)
class Step:
    """A change of a file, or a git command.

    Args:
        op: `git`, `write`, `link`, `remove` or `chmod`.
        request: Its arguments; paths are relative to the repository.
    """

    op: str
    request: dict[str, Any]


def _change(chance: random.Random) -> Step:
    path = chance.choice(PATHS)
    match chance.randrange(10):
        case 0:
            return Step("link", {"path": "link", "target": chance.choice(TARGETS)})
        case 1:
            return Step("remove", {"path": path})
        case 2:
            return Step("chmod", {"path": path, "mode": chance.choice([0o755, 0o644])})
        case 3:
            return Step("write", {"path": ".gitattributes", "text": chance.choice(ATTRIBUTES)})
        case _:
            return Step("write", {"path": path, "text": chance.choice(TEXTS)})


def _command(chance: random.Random, number: int) -> Step:
    path, branch = chance.choice(PATHS), chance.choice(BRANCHES)
    commands = [
        ["add", "-A"],
        ["add", "-A"],
        ["add", path],
        ["commit", "-q", "-m", f"change {number}"],
        ["commit", "-q", "-m", f"change {number}"],
        ["commit", "-q", "-a", "-m", f"all {number}"],
        ["checkout", "-q", branch],
        ["checkout", "-q", "-b", branch],
        ["checkout", "-q", "--", path],
        ["reset", "-q", "--hard"],
        ["reset", "-q", "--hard", "HEAD~1"],
        ["reset", "-q", "--", path],
        ["stash", "-q"],
        ["stash", "pop", "-q"],
        ["merge", "-q", "--no-edit", branch],
        ["merge", "--abort"],
        ["rm", "-q", "-f", path],
        ["mv", path, chance.choice(PATHS)],
        ["config", "core.autocrlf", chance.choice(["true", "false", "input"])],
        ["add", "--renormalize", "."],
        ["cherry-pick", branch],
        ["cherry-pick", "--abort"],
        ["revert", "--no-edit", "HEAD"],
        ["rebase", "-q", branch],
        ["rebase", "--abort"],
        ["restore", "--staged", path],
        ["tag", f"t{number}"],
        ["clean", "-f", "-q", "-d"],
    ]
    return Step("git", {"args": chance.choice(commands)})


def _wide_command(chance: random.Random, number: int) -> Step:
    path, other, branch = chance.choice(PATHS), chance.choice(PATHS), chance.choice(BRANCHES)
    before = f"HEAD~{chance.choice([1, 1, 2])}"
    commands = [
        ["reset", "-q", chance.choice(["--soft", "--mixed", "--keep", "--merge"]), before],
        ["reset", "-q", "--merge"],
        ["restore", f"--source={before}", "--", path],
        ["restore", "--staged", "--worktree", "--", path],
        ["rm", "-q", "--cached", path],
        ["rm", "-q", "-r", path.split("/")[0]],
        ["mv", "-f", path, other],
        ["stash", "push", "-q", "-u"],
        ["stash", "push", "-q", "--keep-index"],
        ["stash", "push", "-q", "--", path],
        ["stash", "apply", "-q"],
        ["stash", "drop", "-q"],
        ["merge", "-q", "--no-ff", "-m", f"merge {number}", branch],
        ["merge", "-q", "--squash", branch],
        ["merge", "-q", "--ff-only", branch],
        ["commit", "-q", "--amend", "-m", f"amended {number}"],
        ["commit", "-q", "-m", f"only {number}", "--", path],
        ["commit", "-q", "--allow-empty", "-m", f"empty {number}"],
        ["cherry-pick", before],
        ["cherry-pick", "--skip"],
        ["cherry-pick", "--continue", "--no-edit"],
        ["revert", "--no-edit", before],
        ["revert", "--abort"],
        ["revert", "-n", "HEAD"],
        ["rebase", "--continue"],
        ["rebase", "--skip"],
        ["rebase", "-q", "--onto", branch, before],
        ["branch", "-D", branch],
        ["branch", "-m", f"b{number}"],
        ["checkout", "-q", "--detach"],
        ["checkout", "-q", "-f", branch],
        ["checkout", "-q", "-B", branch],
        ["checkout", "-q", chance.choice(["--ours", "--theirs"]), "--", path],
        ["checkout", "-q", before, "--", path],
        ["switch", "-q", "-c", f"s{number}"],
        ["tag", "-a", f"a{number}", "-m", "noted"],
        ["clean", "-f", "-q", "-d", "-x"],
        ["gc", "-q"],
        ["add", "-u"],
        ["add", "-f", path],
        ["rebase", "-i", before],
        ["rebase", "-i", before],
    ]
    args = chance.choice(commands)
    todo = chance.choice(
        ["1s/pick/drop/", "2s/pick/squash/", "2s/pick/fixup/", "1h;1d;$G", "1s/pick/edit/", ""]
    )
    env = {"GIT_EDITOR": "true", "GIT_SEQUENCE_EDITOR": f"sed -i '/^pick/!d;{todo}'"}
    return Step("git", {"args": args, "env": env if args[0] == "rebase" else {"GIT_EDITOR": "true"}})


def sequence(seed: int, length: int, *, is_wide: bool = False) -> list[Step]:
    """Return the steps of a seed, of which the first make a commit. Wide ones have rarer commands, too."""
    chance = random.Random(seed)
    start = [
        Step("git", {"args": ["init", "-q", "-b", "main"]}),
        Step("write", {"path": "a", "text": "one\n"}),
        Step("write", {"path": "d/x", "text": "one\ntwo\nthree\n"}),
        Step("git", {"args": ["add", "-A"]}),
        Step("git", {"args": ["commit", "-q", "-m", "first"]}),
    ]
    steps: list[Step] = []
    for number in range(length):
        if chance.random() < 0.45:
            steps.append(_change(chance))
        elif is_wide and chance.random() < 0.5:
            steps.append(_wide_command(chance, number))
        else:
            steps.append(_command(chance, number))
    return start + steps
