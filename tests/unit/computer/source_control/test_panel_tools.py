"""The panel's actions on a repository of the system's git; tests/web/test_source_control.py has the surface's own."""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.source_control.git import Printed
from gemini.computer.source_control.panel_tools import SourceControlTools
from gemini.computer.source_control.source_control import SourceControl
from gemini.core.events import Event
from gemini.tools import Registry
from gemini.tools.registry import PERSON

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")

Act = Callable[..., Coroutine[Any, Any, Any]]


class SystemGit:
    """The system's git."""

    def __init__(self, home: Path) -> None:
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}

    async def run(self, directory: str, arguments: Sequence[str]) -> Printed:
        done = await asyncio.to_thread(
            subprocess.run,
            ["git", *arguments],
            cwd=directory,
            env=self.environment,
            capture_output=True,
            check=False,
        )
        return Printed(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def git(tmp_path: Path) -> SystemGit:
    return SystemGit(tmp_path)


@pytest.fixture
def registry() -> Registry:
    return Registry()


@pytest.fixture
def control(registry: Registry, git: SystemGit, project: Path, tmp_path: Path) -> SourceControl:
    control = SourceControl(git, registry.events, lambda: str(project), lambda: str(project), str(tmp_path))

    def trash(paths: Sequence[str]) -> None:
        for path in paths:
            os.rename(path, tmp_path / f"trashed-{os.path.basename(path)}")

    registry.add_room(SourceControlTools(control, git, trash, lambda: None))
    return control


@pytest.fixture
def act(registry: Registry, control: SourceControl, project: Path) -> Act:
    async def act(action: str, **given: Any) -> Any:
        arguments = {"root": str(project), **given}
        return json.loads(await registry.call_json(f"panel_{action}", arguments, caller=PERSON))

    return act


async def start(git: SystemGit, project: Path, act: Act) -> None:
    """Create a repository with a commit of `a` and `b`."""
    await git.run(str(project), ["init", "-q", "-b", "main"])
    for name in ("a", "b"):
        (project / name).write_text(f"{name}\n")
    await act("set_identity", name="Ada", email="ada@example.org")
    assert "commit" in await act("commit_changes", message="first", stage_all=True)


async def status(git: SystemGit, project: Path) -> str:
    return (await git.run(str(project), ["status", "-s"])).stdout.decode()


async def test_changes_are_staged_unstaged_and_discarded(
    git: SystemGit, project: Path, act: Act, tmp_path: Path
) -> None:
    await start(git, project, act)
    (project / "a").write_text("changed\n")
    (project / "b").unlink()
    (project / "*").write_text("new\n")
    (project / ":c").write_text("new\n")
    assert await act("stage_changes", paths=["*", "b", "gone"]) == {"paths": ["*", "b"]}
    assert await status(git, project) == "A  *\n M a\nD  b\n?? :c\n"
    assert await act("unstage_changes", paths=["*"]) == {"paths": ["*"]}
    assert await act("discard_changes", paths=["*", "a"]) == {"paths": ["a", "*"]}
    assert await status(git, project) == "D  b\n?? :c\n"
    assert (tmp_path / "trashed-*").read_text() == "new\n"
    assert await act("unstage_changes") == {"paths": ["b"]}
    assert await act("discard_changes") == {"paths": ["b", ":c"]}
    assert await status(git, project) == ""


async def test_a_change_is_compared_with_the_index_and_head(git: SystemGit, project: Path, act: Act) -> None:
    await start(git, project, act)
    (project / "a").write_text("staged\n")
    await act("stage_changes")
    (project / "a").write_bytes(b"\0binary")
    (project / "new").write_text("new\n")
    assert await act("compare_change", path="a", staged=True) == {"before": "a\n", "now": "staged\n"}
    assert await act("compare_change", path="a", staged=False) == {"before": "staged\n", "now": None}
    assert await act("compare_change", path="new", staged=False) == {"before": "", "now": "new\n"}
    (project / "b").unlink()
    assert await act("compare_change", path="b", staged=False) == {"before": "b\n", "now": ""}


async def test_a_commit_needs_an_author_and_staged_changes(git: SystemGit, project: Path, act: Act) -> None:
    await git.run(str(project), ["init", "-q"])
    (project / "a").write_text("a\n")
    failed = await act("commit_changes", message="first")
    assert (failed["error"]["type"], failed["error"]["data"]) == (
        "IdentityMissing",
        {"missing": ["user.name", "user.email"]},
    )
    await act("set_identity", name="Ada", email="ada@example.org")
    assert (await act("commit_changes", message="first"))["error"]["type"] == "NothingStaged"
    assert (await act("commit_changes", message=" \n"))["error"]["type"] == "InvalidArguments"
    await act("stage_changes")
    await act("commit_changes", message="first")
    logged = await git.run(str(project), ["log", "--format=%s %an %ae"])
    assert logged.stdout == b"first Ada ada@example.org\n"


async def test_only_repositories_that_are_offered_are_changed(
    git: SystemGit, project: Path, act: Act, tmp_path: Path
) -> None:
    hidden = tmp_path / "deep" / "er" / "hidden"
    hidden.mkdir(parents=True)
    await git.run(str(hidden), ["init", "-q"])
    failed = await act("stage_changes", root=str(hidden))
    assert failed["error"]["type"] == "RepositoryMissing"
    failed = await act("stage_changes")
    assert failed["error"]["type"] == "RepositoryMissing"


async def test_events_have_the_state(
    git: SystemGit, project: Path, act: Act, control: SourceControl, registry: Registry
) -> None:
    seen: list[Event] = []
    registry.events.subscribe(lambda _, event: seen.append(event))
    await control.refresh()
    assert control.view.root is None
    await start(git, project, act)
    origin = project.parent / "origin.git"
    await git.run(str(project), ["clone", "-q", "--bare", ".", str(origin)])
    await git.run(str(project), ["remote", "add", "origin", str(origin)])
    await git.run(str(project), ["fetch", "-q", "origin"])
    await git.run(str(project), ["branch", "-q", "-u", "origin/main"])
    (project / "a").write_text("more\n")
    await act("commit_changes", message="second", stage_all=True)
    (project / "a").write_text("again\n")
    await control.refresh()
    [*_, last] = [event.row()["source_control"] for event in seen if event.type == "source_control_changed"]
    assert last["head"] == {"branch": "main", "upstream": "origin/main", "ahead": 1, "behind": 0}
    assert (last["root"], last["staged"]) == (str(project), [])
    assert last["changes"] == [{"path": "a", "letter": "M"}]

    await git.run(str(project), ["checkout", "-q", "-f", "--detach", "origin/main"])
    await control.refresh()
    assert control.view.head["branch"] is None
    head = await git.run(str(project), ["rev-parse", "--short", "HEAD"])
    assert control.view.commit == head.stdout.decode().strip()


async def test_a_conflict_is_a_change_that_cannot_be_discarded(
    git: SystemGit, project: Path, act: Act, control: SourceControl
) -> None:
    await start(git, project, act)
    for line in ("switch -q -c topic", "switch -q main"):
        await git.run(str(project), line.split())
        (project / "a").write_text(f"{line}\n")
        await act("commit_changes", message=line, stage_all=True)
    await git.run(str(project), ["merge", "topic"])
    await control.refresh()
    assert control.view.changes == [{"path": "a", "letter": "!"}]
    assert await act("discard_changes") == {"paths": []}
    (project / "a").write_text("merged\n")
    await act("stage_changes")
    assert "commit" in await act("commit_changes", message="merge")
    assert await status(git, project) == ""
