"""Commands of git whose results were wrong without a word; what is expected is what Debian's git prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.git import cases
from tests.git.random_commands import Step
from tests.git.test_random import PEOPLE, Ours


class Repository:
    """A repository of the page's git.

    Args:
        ours: Runs the steps.
        folder: Its root.
    """

    def __init__(self, ours: Ours, folder: Path) -> None:
        self._ours = ours
        self.folder = folder
        self._env = {**cases.ENVIRONMENT, **PEOPLE, "HOME": str(folder), "TZ": "UTC"}

    def git(self, *args: str) -> str:
        """Return what a call prints on both streams."""
        done = self._ours.run(Step("git", {"args": list(args)}), self.folder, self._env)
        return str(done.get("crash", "")) + done["stdout"] + done["stderr"]

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file with permissions, and commit it."""
        self._ours.run(Step("write", {"path": path, "text": text}), self.folder, self._env)
        self._ours.run(Step("chmod", {"path": path, "mode": mode}), self.folder, self._env)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"change {path}")


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ours]:
    work = tmp_path_factory.mktemp("git")
    (work / "ours").mkdir()
    runner = Ours(work, work / "ours")
    yield runner
    runner.close()


@pytest.fixture
def repository(ours: Ours, request: pytest.FixtureRequest) -> Repository:
    folder = ours.root / request.node.name
    folder.mkdir()
    repository = Repository(ours, folder)
    repository.git("init", "-q", "-b", "main")
    repository.write("a", "one\n")
    repository.write("d/b", "two\n")
    return repository


def test_a_log_has_every_format(repository: Repository) -> None:
    assert repository.git("log", "--format=%al|%f|%<(10,trunc)%s|%C(red)%x41") == (
        "ada|change-d-b|change d/b|A\nada|change-a|change a  |A\n"
    )
    assert repository.git("log", "--format=reference", "-1").endswith("(change d/b, 2024-03-01)\n")
    assert repository.git("log", "--no-merges", "--author=Ada", "--format=%s", "--", "a") == "change a\n"
    assert "has no %w(30)" in repository.git("log", "--format=%w(30)%b")


def test_revisions_are_named_by_reflogs_and_messages(repository: Repository) -> None:
    first, second = repository.git("rev-list", "--reverse", "HEAD").split()
    assert (
        repository.git("rev-parse", "main@{1}", ":/change a", "HEAD^!")
        == f"{first}\n{first}\n{second}\n^{first}\n"
    )
    assert repository.git("rev-list", "--max-parents=0", "HEAD") == f"{first}\n"
    assert repository.git("show", "-s", "--format=%s", "HEAD^{/change a}") == "change a\n"


def test_permissions_are_moved_merged_picked_and_reverted(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "side")
    repository.write("a", "one\n", 0o755)
    repository.git("checkout", "-q", "main")
    assert repository.git("status", "-s") == ""
    repository.write("c", "three\n")
    repository.git("merge", "-q", "-m", "merged", "side")
    assert repository.git("ls-files", "-s", "a").startswith("100755 ")
    assert " mode change 100755 => 100644 a\n" in repository.git("revert", "--no-edit", "side")
    assert repository.git("ls-files", "-s", "a").startswith("100644 ")
    assert " mode change 100644 => 100755 a\n" in repository.git("cherry-pick", "side")
    assert repository.git("status", "-s") == ""


def test_a_relative_remote_is_found_from_the_root(repository: Repository) -> None:
    name = repository.folder.name
    repository.git("init", "-q", "--bare", "-b", "main", f"../{name}-origin")
    repository.git("remote", "add", "origin", f"../{name}-origin")
    repository.git("push", "-q", "-u", "origin", "main")
    assert repository.git("status", "-sb") == "## main...origin/main\n"


def test_an_amended_author_and_a_fixup_count(repository: Repository) -> None:
    repository.git("commit", "-q", "--amend", "--no-edit", "--author=Eve <eve@example.org>")
    assert repository.git("log", "-1", "--format=%an <%ae> %s") == "Eve <eve@example.org> change d/b\n"
    repository.git("commit", "-q", "--allow-empty", "--fixup", "HEAD~1")
    assert repository.git("log", "-1", "--format=%s %an") == "fixup! change a Ada\n"


def test_what_is_unknown_is_refused(repository: Repository) -> None:
    assert repository.git("commit", "-m", "x", "--", "nosuch").startswith(
        "error: pathspec 'nosuch' did not match"
    )
    assert "has no pathspec :!d here" in repository.git("log", "--", ":!d")
    assert "has no --textconv here" in repository.git("cat-file", "--textconv", "HEAD:a")


def test_clean_refuses_patterns_that_it_would_not_follow(repository: Repository) -> None:
    for name in ("debug.log", "junk", "notes.txt"):
        (repository.folder / name).write_text("x")
    assert ".git/info/exclude" in repository.git("clean", "-f", "-e", "*.log", "--exclude=notes.txt")
    assert (repository.folder / "debug.log").exists()
    assert repository.git("clean", "-f", "-e", "*.log") == "Removing junk\nRemoving notes.txt\n"
    (repository.folder / "junk").write_text("x")
    (repository.folder / ".git/info").mkdir(exist_ok=True)
    (repository.folder / ".git/info/exclude").write_text("*.log\n")
    assert repository.git("clean", "-f") == "Removing junk\n"
    assert (repository.folder / "debug.log").exists()
