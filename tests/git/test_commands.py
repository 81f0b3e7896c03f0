"""Commands of git whose results were wrong without an error; the expected output is Debian's git's."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
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

    def git(self, *args: str, **variables: str) -> str:
        """Return what a call prints on both streams, with further variables of the environment."""
        done = self._ours.run(Step("git", {"args": list(args)}), self.folder, {**self._env, **variables})
        return str(done.get("crash", "")) + done["stdout"] + done["stderr"]

    def change(self, op: str, path: str, **request: object) -> None:
        """Change a file: `write` a `text`, `chmod` to a `mode`, or `remove` it."""
        self._ours.run(Step(op, {"path": path, **request}), self.folder, self._env)

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        """Write a file with permissions, and commit it."""
        self.change("write", path, text=text)
        self.change("chmod", path, mode=mode)
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


def test_clean_keeps_what_each_pattern_names(repository: Repository) -> None:
    for name in ("debug.log", "junk", "notes.txt"):
        repository.change("write", name, text="x")
    assert repository.git("clean", "-f", "-e", "*.log", "--exclude=notes.txt") == "Removing junk\n"
    assert repository.git("clean", "-fdx", "-e", "*.log") == "Removing notes.txt\n"
    (repository.folder / ".git/info").mkdir(exist_ok=True)
    repository.change("write", ".git/info/exclude", text="*.log\n")
    assert repository.git("clean", "-f") == ""
    assert repository.git("clean", "-nX") == "Would remove debug.log\n"
    assert "refusing to clean" in repository.git("clean")


def test_differences_are_those_of_git(repository: Repository) -> None:
    for case in json.loads((Path(__file__).parent / "diffs.json").read_text(encoding="utf-8")):
        for name in ("old", "new"):
            repository.change("write", name, text=case[name])
        shown = repository.git("diff", "--no-index", *case["options"], "old", "new")
        assert shown == case["printed"], case


def test_a_stash_has_permissions_and_needs_no_name(repository: Repository) -> None:
    for staged in (False, True):
        repository.change("chmod", "a", mode=0o755)
        if staged:
            repository.git("add", "a")
        repository.git("stash", "-q")
        assert repository.git("status", "-s") == ""
        assert repository.git("stash", "show", "--summary") == " mode change 100644 => 100755 a\n"
        repository.git("stash", "pop", "-q")
        assert repository.git("status", "-s") == " M a\n"
    repository.git("reset", "-q", "--hard")
    assert (repository.folder / "a").stat().st_mode & 0o111 == 0


def test_a_merge_takes_a_side_a_strategy_or_a_driver(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "side")
    repository.write("a", "theirs\n")
    repository.git("checkout", "-q", "main")
    repository.write("a", "ours\n")
    assert "Merge made by the 'ort' strategy." in repository.git("merge", "-X", "theirs", "-m", "m", "side")
    assert (repository.folder / "a").read_text() == "theirs\n"
    repository.git("reset", "-q", "--hard", "HEAD~1")
    assert repository.git("merge", "-s", "ours", "-m", "m", "side") == "Merge made by the 'ours' strategy.\n"
    assert (repository.folder / "a").read_text() == "ours\n"
    repository.git("reset", "-q", "--hard", "HEAD~1")
    (repository.folder / ".git/info").mkdir(exist_ok=True)
    repository.change("write", ".git/info/attributes", text="a merge=union\n")
    repository.git("merge", "-q", "-m", "m", "side")
    assert (repository.folder / "a").read_text() == "ours\ntheirs\n"
    assert "has no strategy octopus here" in repository.git("merge", "-s", "octopus", "side")


def test_a_merge_stops_before_its_commit(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "side")
    repository.write("c", "three\n")
    repository.git("checkout", "-q", "main")
    shown = repository.git("merge", "--no-ff", "--no-commit", "side")
    assert shown == "Automatic merge went well; stopped before committing as requested\n"
    assert repository.git("status", "-s") == "A  c\n"
    head = repository.git("rev-parse", "HEAD")
    repository.git("merge", "--abort")
    assert repository.git("rev-parse", "HEAD") == head
    assert repository.git("status", "-s") == ""
    repository.git("merge", "--no-ff", "--no-commit", "side")
    repository.git("commit", "-q", "-m", "merged")
    assert len(repository.git("log", "-1", "--format=%p").split()) == 2


def test_the_base_of_a_conflict_has_a_name(repository: Repository) -> None:
    base = repository.git("rev-parse", "--short", "HEAD").strip()
    repository.git("checkout", "-q", "-b", "side")
    repository.write("a", "theirs\n")
    repository.git("checkout", "-q", "main")
    repository.write("a", "ours\n")
    repository.git("-c", "merge.conflictStyle=diff3", "merge", "side")
    text = (repository.folder / "a").read_text()
    assert text == f"<<<<<<< HEAD\nours\n||||||| {base}\none\n=======\ntheirs\n>>>>>>> side\n"
    repository.git("merge", "--abort")
    repository.git("-c", "merge.conflictStyle=zdiff3", "cherry-pick", "side")
    side = repository.git("rev-parse", "--short", "side").strip()
    assert f"||||||| parent of {side} (change a)\n" in (repository.folder / "a").read_text()


def test_attributes_name_the_content_or_are_refused(repository: Repository) -> None:
    repository.change("write", ".gitattributes", text="a ident\nd/b filter=up\n")
    repository.write("a", "$Id$\n")
    repository.change("remove", "a")
    repository.git("checkout", "a")
    assert (repository.folder / "a").read_text() == "$Id: 055c8729cdcc372500a08db659c045e16c4409fb $\n"
    assert repository.git("status", "-s") == ""
    repository.git("config", "filter.up.clean", "tr a-z A-Z")
    repository.change("write", "d/b", text="changed\n")
    assert "git doesn't run filter.up.clean here" in repository.git("add", "d/b")


def test_binary_files_travel_in_patches(repository: Repository) -> None:
    repository.write("raw", "\0\1\2")
    repository.write("raw", "\0\3\4\5")
    patch = repository.git("format-patch", "-1", "--stdout")
    assert "GIT binary patch\nliteral 4\nLcmZQ" in patch
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.change("write", "p", text=patch)
    assert repository.git("am", "p") == "Applying: change raw\n"
    assert (repository.folder / "raw").read_bytes() == b"\0\3\4\5"
    repository.git("apply", "-R", "p")
    assert (repository.folder / "raw").read_bytes() == b"\0\1\2"
    assert "has no --reject here" in repository.git("apply", "--reject", "p")


def test_a_patch_is_applied_to_the_index_only(repository: Repository) -> None:
    repository.change("write", "a", text="uno\n")
    repository.change("write", "d/b", text="due\n")
    repository.change("write", ".git/p", text=repository.git("diff"))
    repository.git("checkout", "-q", ".")
    repository.git("apply", "--cached", "--exclude=d/*", ".git/p")
    assert repository.git("status", "-s") == "MM a\n"
    assert repository.git("show", ":a") == "uno\n"


def test_scripts_have_the_commands_of_the_index(repository: Repository) -> None:
    repository.git("update-index", "--chmod=+x", "a")
    tree = repository.git("write-tree").strip()
    assert repository.git("ls-tree", tree).startswith(
        "100755 blob 5626abf0f72e58d7a153368ba57db4c673c0e171\ta\n"
    )
    commit = repository.git("commit-tree", tree, "-p", "HEAD", "-m", "by hand").strip()
    assert repository.git("diff-tree", "-r", "--name-status", "HEAD", commit) == "M\ta\n"
    raw = ":100644 100755 5626abf0f72e58d7a153368ba57db4c673c0e171 5626abf0f72e58d7a153368ba57db4c673c0e171 M\ta\n"
    assert repository.git("diff-index", "--cached", "HEAD") == raw
    assert "git update-index can't hide them" in repository.git("update-index", "--skip-worktree", "a")


def test_check_ignore_names_the_pattern(repository: Repository) -> None:
    repository.write(".gitignore", "*.log\n!keep.log\nbuild/\n")
    shown = repository.git("check-ignore", "-v", "x.log", "keep.log", "build/o", "a")
    assert shown == (
        ".gitignore:1:*.log\tx.log\n.gitignore:2:!keep.log\tkeep.log\n.gitignore:3:build/\tbuild/o\n"
    )
    assert repository.git("check-ignore", "keep.log") == ""


def test_an_archive_is_that_of_git(repository: Repository) -> None:
    repository.git("archive", "-o", "x.tar", "--prefix=p/", "HEAD")
    with tarfile.open(repository.folder / "x.tar") as archive:
        assert archive.getnames() == ["p", "p/a", "p/d", "p/d/b"]
        assert archive.pax_headers == {"comment": repository.git("rev-parse", "HEAD").strip()}
    data = (repository.folder / "x.tar").read_bytes()
    assert len(data) == 10_240
    repository.git("archive", "-o", "x.zip", "HEAD")
    with zipfile.ZipFile(repository.folder / "x.zip") as archive:
        assert archive.read("d/b") == b"two\n"


def test_blame_counts_the_lines_of_a_group(repository: Repository) -> None:
    repository.write("a", "one\nmore\nlines\n")
    heads = [
        line for line in repository.git("blame", "-p", "a").splitlines() if re.match("[0-9a-f]{40} ", line)
    ]
    assert [head.split(" ", 1)[1] for head in heads] == ["1 1 1", "2 2 2", "3 3"]
    assert repository.git("blame", "-s", "-L", "/more/,+1", "a").endswith(" 2) more\n")


def test_a_moved_folder_takes_along_what_is_not_tracked(repository: Repository) -> None:
    repository.change("write", "d/more/u", text="2\n")
    assert repository.git("mv", "d", "e") == ""
    assert repository.git("status", "-s") == "R  d/b -> e/b\n?? e/more/\n"
    assert not (repository.folder / "d").exists()


def test_commits_have_the_dates_that_were_given(repository: Repository) -> None:
    def dates(*args: str, **variables: str) -> str:
        return repository.git("commit", "-q", "--allow-empty", "-m", "x", *args, **variables) or (
            repository.git("log", "-1", "--format=%ad|%cd", "--date=iso").strip()
        )

    given = {"GIT_AUTHOR_DATE": "@1700000000 +0100", "GIT_COMMITTER_DATE": "2021-01-02T03:04:05+05:30"}
    assert dates(**given) == "2023-11-14 23:13:20 +0100|2021-01-02 03:04:05 +0530"
    given = {"GIT_AUTHOR_DATE": "2021-01-01 00:00", "GIT_COMMITTER_DATE": "1600000000"}
    assert dates(**given) == "2021-01-01 00:00:00 +0000|2020-09-13 12:26:40 +0000"
    assert dates("--date=Mon, 3 Feb 2020 04:05:06 +0200").startswith("2020-02-03 04:05:06 +0200|")
    assert dates("--date", "3 feb 2020 5pm").startswith("2020-02-03 17:00:00 ")


@pytest.mark.parametrize("text", ["garbage", "2020-02-03"])
def test_a_variable_that_is_no_full_date_is_an_error(repository: Repository, text: str) -> None:
    commit = ("commit", "--allow-empty", "-m", "x")
    assert repository.git(*commit, GIT_AUTHOR_DATE=text) == f"fatal: invalid date format: {text}\n"
    assert repository.git(*commit, "--date=no words") == "fatal: invalid date format: no words\n"
    assert repository.git("rev-list", "--count", "HEAD") == "2\n"


def test_lists_have_paths_in_quotes(repository: Repository) -> None:
    repository.write("é f", "1\n")
    name = r'"\303\251 f"'
    assert name in repository.git("ls-files") and name in repository.git("ls-tree", "--name-only", "HEAD")
    assert repository.git("ls-files", "-s", "é f").endswith(f"\t{name}\n")
    assert repository.git("ls-files", "-t", "é f") == f"H {name}\n"
    assert repository.git("ls-files", "-z", "é f") == "é f\0"
    assert repository.git("-c", "core.quotePath=false", "ls-files", "é f") == "é f\n"


def test_other_bytes_of_a_message_are_latin_1(repository: Repository) -> None:
    warning = "Warning: commit message did not conform to UTF-8.\n"
    assert repository.git("commit", "-q", "--allow-empty", "-m", "caf\udce9 \U0001f082") == warning
    assert repository.git("log", "-1", "--format=%s") == "café \U0001f082\n"
