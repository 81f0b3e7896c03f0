"""Random sequences of git commands leave the same repository as Debian's git, and one that its `fsck` accepts."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.git import cases
from tests.git.random_commands import Step, sequence

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "web"
ESBUILD = WEB / "node_modules" / ".bin" / "esbuild"
# A piece stays below the limit of a test's time.
PIECES = 6
IN_PIECE = 50
LENGTH = 12
WIDE_LENGTH = 16
WIDE_SEED = 10_000
LEAST_EQUAL = 0.9
PEOPLE = {
    **{f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "ada@example.org" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_DATE": "2024-03-01T10:00:00+0100" for role in ("AUTHOR", "COMMITTER")},
}


class Ours:
    """The page's git in a process of Node."""

    def __init__(self, work: Path, root: Path) -> None:
        self.root = root
        options = ["--bundle", "--format=esm", "--define:document=globalThis", "--log-level=warning"]
        for source, name in (("git/main.ts", "git_command.mjs"), ("shell/execution/files.ts", "files.mjs")):
            command = [ESBUILD, WEB / "kernel" / source, *options, f"--outfile={work / name}"]
            subprocess.run(command, check=True, cwd=WEB)
        runner = [
            find_node().node,
            HERE / "runner.mjs",
            work / "git_command.mjs",
            WEB.parent / "builder/runtime/node_modules/pyodide",
            root,
        ]
        self._process = subprocess.Popen(runner, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, step: Step, folder: Path, env: dict[str, str]) -> dict[str, Any]:
        """Run a step, and return its answer."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        request: dict[str, Any] = {"op": step.op, "cwd": str(folder), **step.request}
        request["env"] = {**env, **step.request.get("env", {})}
        if "path" in request:
            request["path"] = str(folder / request["path"])
        process.stdin.write(f"{json.dumps(request)}\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


def in_debian(step: Step, folder: Path, env: dict[str, str]) -> int:
    """Run a step with the files of this machine, and return the exit code."""
    if step.op == "git":
        env = {**env, **step.request.get("env", {})}
        command = ["git", *step.request["args"]]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False).returncode
    path = folder / step.request["path"]
    if step.op == "remove" and path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif step.op == "remove":
        path.unlink(missing_ok=True)
    elif step.op == "chmod":
        path.chmod(step.request["mode"])
    elif step.op == "link":
        path.unlink(missing_ok=True)
        path.symlink_to(step.request["target"])
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(step.request["text"].encode())
    return 0


def possible(step: Step, folder: Path) -> bool:
    """Return whether a change of a file has a place in the work tree."""
    if step.op == "git":
        return True
    path = folder / step.request["path"]
    if any(part.is_symlink() or part.is_file() for part in path.parents if folder in part.parents):
        return False
    if step.op == "chmod":
        return path.is_file() and not path.is_symlink()
    return step.op == "remove" or path.is_symlink() is (step.op == "link") or not os.path.lexists(path)


def state(folder: Path, env: dict[str, str]) -> dict[str, Any]:
    """Return what a repository has: refs, index, and the files of the work tree."""

    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], cwd=folder, env=env, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")

    files: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name.startswith(".git/") or (path.is_dir() and not path.is_symlink()):
            continue
        files[name] = (
            os.readlink(path) if path.is_symlink() else (path.read_bytes(), bool(path.stat().st_mode & 0o100))
        )
    refs = git("for-each-ref", "--format=%(refname) %(tree) %(objectname)", "refs/heads", "refs/tags")
    head = (folder / ".git" / "HEAD").read_text(encoding="utf-8")
    return {"head": head, "refs": refs, "index": git("ls-files", "-s"), "files": files}


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Ours]:
    root = tmp_path / "ours"
    root.mkdir()
    runner = Ours(tmp_path, root)
    yield runner
    runner.close()


@pytest.mark.skipif(not cases.has_git(), reason="needs git 2.39 for the comparison")
@pytest.mark.extended
@pytest.mark.parametrize("piece", range(PIECES))
@pytest.mark.parametrize("is_wide", [False, True], ids=["common", "wide"])
def test_random_commands_leave_the_same_repository(
    ours: Ours, tmp_path: Path, record_property: Any, piece: int, is_wide: bool
) -> None:
    different: dict[int, str] = {}
    unsound: dict[int, str] = {}
    first = piece * IN_PIECE + (WIDE_SEED if is_wide else 0)
    for seed in range(first, first + IN_PIECE):
        steps = sequence(seed, WIDE_LENGTH if is_wide else LENGTH, is_wide=is_wide)
        problem, broken = compare(seed, steps, ours, tmp_path)
        if problem:
            different[seed] = problem
        if broken:
            unsound[seed] = broken
    record_property("equal", IN_PIECE - len(different))
    print(f"{IN_PIECE - len(different)} of {IN_PIECE} are equal, {IN_PIECE - len(unsound)} are sound")
    assert not unsound, unsound
    assert len(different) <= (1 - LEAST_EQUAL) * IN_PIECE, different


def compare(seed: int, steps: list[Step], ours: Ours, work: Path) -> tuple[str, str]:
    """Run a sequence on both; return the first difference, and what `fsck` says of our repository."""
    folders = [work / "ours" / f"{seed}", work / "debian" / f"{seed}"]
    for folder in folders:
        folder.mkdir(parents=True)
    env = {**cases.ENVIRONMENT, **PEOPLE, "HOME": str(work), "TZ": "UTC"}
    done: list[str] = []
    for step in steps:
        if not possible(step, folders[1]):
            continue
        done.append(f"{step.op} {step.request}")
        code = in_debian(step, folders[1], env)
        answer = ours.run(step, folders[0], env)
        one, other = (state(folder, env) for folder in folders)
        if one != other or "crash" in answer:
            names = [name for name in one if one[name] != other[name]]
            what = f"{names} differ after {done[-1]} ({code}, {answer}); before: {done[5:-1]}"
            return what, fsck(folders[0], env)
    return "", fsck(folders[0], env)


def fsck(folder: Path, env: dict[str, str]) -> str:
    """Return what git finds wrong in a repository."""
    command = ["git", "fsck", "--strict", "--no-dangling"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""
