"""Seeded work on files and terminals with repeated kernel deaths, compared with the same work in a real bash.

The bash and its directory are the model: both must end in the same state. Kernels die inside a storage operation or at
a random time. The call that dies with its kernel must be saved completely or not at all.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from gemini_testing import Surface, SurfaceError, ToolCallFailed

Tree = dict[str, list[Any]]
NAMES = ("one", "two", "a b", "žluť")
FOLDERS = ("d", "e", "d/deep", "e/čas")
# One command causes few storage operations; the database has its own.
MAX_OPERATIONS = 60
MAX_DELAY_MS = 1_000

READ_TREE = """
import os, pathlib, stat
def read_tree(root):
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                entry = ['link', os.readlink(path)]
            else:
                entry = [oct(mode), pathlib.Path(path).read_text() if stat.S_ISREG(mode) else None]
            found[os.path.relpath(path, root)] = entry
    return found
"""
# From the nth operation on, nothing reaches the storage or leaves the worker, and the worker ends.
DIE_AT = """
(operations, milliseconds) => {
  let left = operations;
  let dead = false;
  const die = () => { dead = true; self.close(); };
  const { prototype } = FileSystemSyncAccessHandle;
  for (const name of ["write", "flush", "truncate"]) {
    const original = prototype[name];
    prototype[name] = function (...given) {
      if (!dead && left-- === 0) die();
      return dead ? (given[0]?.byteLength ?? 0) : original.apply(this, given);
    };
  }
  const send = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (...given) { if (!dead) send.apply(this, given); };
  if (milliseconds !== null) setTimeout(die, milliseconds);
}
"""


@dataclass(frozen=True)
class Step:
    """A tool call and the equivalent bash script. Both use the directory $ROOT."""

    tool: str
    arguments: dict[str, Any]
    script: str


@dataclass(frozen=True)
class Model:
    """The expected state: a directory in which bash repeated the work, and that bash's directory and variable."""

    folder: Path
    cwd: str = "/project"
    variable: str = ""

    def after(self, step: Step) -> Model:
        """Return a new model with one more step."""
        folder = self.folder.with_name(str(int(self.folder.name) + 1))
        shutil.copytree(self.folder, folder, symlinks=True)
        state = folder.with_name("state")
        script = f'umask 022\n{step.script}\nprintf "%s\\0%s" "$PWD" "$V" >"{state}"'
        environment = {**os.environ, "ROOT": str(folder), "V": self.variable}
        cwd = f"{folder}{self.cwd.removeprefix('/project')}"
        subprocess.run(
            ["bash", "-c", script],
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=20,
            check=False,
        )
        cwd, variable = state.read_text(encoding="utf-8").split("\0")
        return Model(folder, f"/project{cwd.removeprefix(str(folder))}", variable)

    @property
    def tree(self) -> Tree:
        space: dict[str, Any] = {}
        exec(READ_TREE, space)  # noqa: S102 - the same text runs in the page
        return space["read_tree"](str(self.folder))

    @property
    def shell(self) -> tuple[str, str]:
        return self.cwd, self.variable


def random_step(rng: random.Random) -> Step:
    """Return a random piece of work, as by an agent or a user."""
    folder, other = (rng.choice(FOLDERS) for _ in range(2))
    name, number = rng.choice(NAMES), rng.randrange(1000)
    if rng.random() < 0.25:
        text = f"{number}\n" * rng.choice((1, 100, 20_000))
        path = f"w{rng.randrange(5)}.txt"
        script = f'yes {number} | head -{text.count(chr(10))} > "$ROOT/{path}"'
        return Step("file_write", {"path": f"/project/{path}", "content": text}, script)
    script = rng.choice(
        [
            f'mkdir -p "$ROOT/{folder}"; echo {number} > "$ROOT/{folder}/{name}"',
            f'mkdir -p "$ROOT/{folder}"; for i in $(seq 30); do echo $i {number} > "$ROOT/{folder}/n$i"; done',
            f'echo {number} >> "$ROOT/{folder}/{name}"',
            f'mv -f "$ROOT/{folder}/{name}" "$ROOT/{other}/moved"',
            f'cp "$ROOT/{folder}/{name}" "$ROOT/{other}/copied"',
            f'rm -rf "$ROOT/{folder}"',
            f'mkdir -p "$ROOT/{folder}"; ln -sfn "{name}" "$ROOT/{folder}/link"',
            f'chmod {rng.choice(("644", "600", "755"))} "$ROOT/{folder}/{name}"',
            f'mkdir -p "$ROOT/c{number % 3}"; cd "$ROOT/c{number % 3}"',
            f'V=$((V + {number})); echo $V > "$ROOT/v$((V % 5))"',
        ]
    )
    return Step("terminal_execute", {"command": f"ROOT=/project; {script}"}, script)


def survive(surface: Surface, seed: int, kills: int, folder: Path, *, least: int = 0) -> int:
    """Work until the kernel has died `kills` times, and compare after each death.

    Args:
        surface: A new surface.
        seed: The seed of the work and of the deaths.
        kills: The number of deaths.
        folder: An empty directory for the model.
        least: The minimum number of acknowledged calls. A slow machine finishes fewer calls before a timed death, so
            more kernels die there.

    Returns:
        The number of acknowledged calls.

    Raises:
        AssertionError: An acknowledged change is lost, or a change is incomplete.
    """
    rng = random.Random(seed)
    model = Model(folder / "0")
    model.folder.mkdir()
    # The snapshot makes all starts but the first twice as fast.
    surface.wait_for("document.documentElement.dataset.snapshot")
    surface.call("terminal_execute", command="rm -rf /project/*; unset V; cd /project")
    acknowledged = 0
    for death in count():
        if death >= kills and acknowledged >= least:
            break
        surface.python(READ_TREE)
        schedule_death(surface, rng)
        work = None
        while will_die(surface):
            work = random_step(rng)
            done = model.after(work)
            try:
                surface.call(work.tool, **work.arguments)
            except ToolCallFailed as failed:
                assert failed.type == "KernelDied", failed
                model = saved_model(surface, model, done, f"seed {seed}, death {death} in {work.script}")
                break
            shutil.rmtree(model.folder)
            model = done
            acknowledged += 1
        else:
            check(surface, f"seed {seed}, death {death} after {work and work.script}", model)
    return acknowledged


def schedule_death(surface: Surface, rng: random.Random) -> None:
    """Make the kernel die inside a storage operation, or at a random time."""
    operations, milliseconds = rng.randrange(MAX_OPERATIONS), rng.randrange(MAX_DELAY_MS)
    when = f"(Infinity, {milliseconds})" if rng.random() < 0.5 else f"({operations}, null)"
    with death_allowed():
        surface.python(f"from pyodide.code import run_js; doomed = True; run_js({(f'({DIE_AT}){when}')!r})")


def will_die(surface: Surface) -> bool:
    """Return whether the scheduled death is still to come. The kernel may also die between two calls."""
    with death_allowed():
        return surface.python("'doomed' in globals()")
    return False


@contextlib.contextmanager
def death_allowed() -> Generator[None]:
    """Ignore a death of the kernel in the block."""
    try:
        yield
    except SurfaceError as failed:
        if failed.type != "KernelDied":
            raise


def saved_model(surface: Surface, before: Model, after: Model, what: str) -> Model:
    """Return the saved state, which must be one of the two. Files and shell are saved separately."""
    files, shell = check(surface, what, before, after)
    saved, other = (before, after) if files == 0 else (after, before)
    shutil.rmtree(other.folder)
    return Model(saved.folder, *(before, after)[shell].shell)


def check(surface: Surface, what: str, *models: Model) -> tuple[int, int]:
    """Return the index of the model with the surface's files, and of the one with its shell's state."""
    tree = surface.python(f"{READ_TREE}\nread_tree('/project')")
    trees = [model.tree for model in models]
    assert tree in trees, f"{what}: {difference(tree, *trees)}"
    output = surface.call("terminal_execute", command='printf "%s\\0%s" "$PWD" "$V"')["output"]
    shell, shells = tuple(output.split("\0")), [model.shell for model in models]
    assert shell in shells, f"{what}: {shell}, not {shells}"
    return trees.index(tree), shells.index(shell)


def difference(found: Tree, *expected: Tree) -> str:
    """Describe the differences from the most similar expected tree: actual and expected entries."""

    def differing(tree: Tree) -> dict[str, tuple[str, str]]:
        paths = sorted(path for path in found.keys() | tree.keys() if found.get(path) != tree.get(path))
        return {path: (f"{found.get(path)!r:.80}", f"{tree.get(path)!r:.80}") for path in paths}

    least = min(map(differing, expected), key=len)
    return f"differs in {len(least)} places: {dict(list(least.items())[:10])}"
