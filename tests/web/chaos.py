"""Seeded work on files and terminals whose kernel dies again and again, beside the same work in a real bash.

The bash and its directory are the model: what both have done has to look the same. Kernels die inside of an operation
on the storage or at any time. The call that dies with its kernel may have been done or not, but not by halves.
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
# Operations on the storage that one command makes are few; the database has its own.
MOST_OPERATIONS = 60
LATEST_MS = 1_000

LOOK = """
import os, pathlib, stat
def look(root):
    found = {}
    for folder, folders, files in os.walk(root):
        for name in folders + files:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                told = ['link', os.readlink(path)]
            else:
                told = [oct(mode), pathlib.Path(path).read_text() if stat.S_ISREG(mode) else None]
            found[os.path.relpath(path, root)] = told
    return found
"""
# From the nth operation on, nothing reaches the storage or leaves the worker any more, and it ends.
DOOMED = """
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
    """A call of a tool, and the bash that does the same; both find the directory in $ROOT."""

    tool: str
    arguments: dict[str, Any]
    script: str


@dataclass(frozen=True)
class Model:
    """A directory in which bash has done what the surface did in /project, and what is left of that bash."""

    folder: Path
    cwd: str = "/project"
    variable: str = ""

    def after(self, step: Step) -> Model:
        """A model beside this one in which a step more is done."""
        folder = self.folder.with_name(str(int(self.folder.name) + 1))
        shutil.copytree(self.folder, folder, symlinks=True)
        told = folder.with_name("told")
        script = f'umask 022\n{step.script}\nprintf "%s\\0%s" "$PWD" "$V" >"{told}"'
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
        cwd, variable = told.read_text(encoding="utf-8").split("\0")
        return Model(folder, f"/project{cwd.removeprefix(str(folder))}", variable)

    @property
    def tree(self) -> Tree:
        space: dict[str, Any] = {}
        exec(LOOK, space)  # noqa: S102 - the same text runs in the page
        return space["look"](str(self.folder))

    @property
    def shell(self) -> tuple[str, str]:
        return self.cwd, self.variable


def step(chance: random.Random) -> Step:
    """Some work that an agent or a person might do."""
    folder, other = (chance.choice(FOLDERS) for _ in range(2))
    name, number = chance.choice(NAMES), chance.randrange(1000)
    if chance.random() < 0.25:
        text = f"{number}\n" * chance.choice((1, 100, 20_000))
        path = f"w{chance.randrange(5)}.txt"
        script = f'yes {number} | head -{text.count(chr(10))} > "$ROOT/{path}"'
        return Step("file_write", {"path": f"/project/{path}", "content": text}, script)
    script = chance.choice(
        [
            f'mkdir -p "$ROOT/{folder}"; echo {number} > "$ROOT/{folder}/{name}"',
            f'mkdir -p "$ROOT/{folder}"; for i in $(seq 30); do echo $i {number} > "$ROOT/{folder}/n$i"; done',
            f'echo {number} >> "$ROOT/{folder}/{name}"',
            f'mv -f "$ROOT/{folder}/{name}" "$ROOT/{other}/moved"',
            f'cp "$ROOT/{folder}/{name}" "$ROOT/{other}/copied"',
            f'rm -rf "$ROOT/{folder}"',
            f'mkdir -p "$ROOT/{folder}"; ln -sfn "{name}" "$ROOT/{folder}/link"',
            f'chmod {chance.choice(("644", "600", "755"))} "$ROOT/{folder}/{name}"',
            f'mkdir -p "$ROOT/c{number % 3}"; cd "$ROOT/c{number % 3}"',
            f'V=$((V + {number})); echo $V > "$ROOT/v$((V % 5))"',
        ]
    )
    return Step("terminal_execute", {"command": f"ROOT=/project; {script}"}, script)


def survive(surface: Surface, seed: int, kills: int, folder: Path, *, least: int = 0) -> int:
    """Work until the kernel has died `kills` times, and compare after each death.

    Args:
        surface: A fresh one.
        seed: Of the work and of the deaths.
        kills: How many.
        folder: An empty directory for the model.
        least: How many calls are to be acknowledged. Some kernels die at a time, by which a slow machine has done
            less: there more of them die.

    Returns:
        How many calls were acknowledged.

    Raises:
        AssertionError: something that was acknowledged is lost, or something is there by halves.
    """
    chance = random.Random(seed)
    model = Model(folder / "0")
    model.folder.mkdir()
    # From it, all starts but the first are twice as fast.
    surface.wait_for("document.documentElement.dataset.snapshot")
    surface.call("terminal_execute", command="rm -rf /project/*; unset V; cd /project")
    acknowledged = 0
    for death in count():
        if death >= kills and acknowledged >= least:
            break
        surface.python(LOOK)
        doom(surface, chance)
        work = None
        while is_doomed(surface):
            work = step(chance)
            done = model.after(work)
            try:
                surface.call(work.tool, **work.arguments)
            except ToolCallFailed as failed:
                assert failed.type == "KernelDied", failed
                model = whichever(surface, model, done, f"seed {seed}, death {death} in {work.script}")
                break
            shutil.rmtree(model.folder)
            model = done
            acknowledged += 1
        else:
            check(surface, f"seed {seed}, death {death} after {work and work.script}", model)
    return acknowledged


def doom(surface: Surface, chance: random.Random) -> None:
    """Have the kernel die inside of an operation on the storage, or at some time."""
    operations, milliseconds = chance.randrange(MOST_OPERATIONS), chance.randrange(LATEST_MS)
    when = f"(Infinity, {milliseconds})" if chance.random() < 0.5 else f"({operations}, null)"
    with maybe_its_last():
        surface.python(f"from pyodide.code import run_js; doomed = True; run_js({(f'({DOOMED}){when}')!r})")


def is_doomed(surface: Surface) -> bool:
    """Whether the kernel still has to die; it may do so between two calls, too."""
    with maybe_its_last():
        return surface.python("'doomed' in globals()")
    return False


@contextlib.contextmanager
def maybe_its_last() -> Generator[None]:
    """Take it calmly if the kernel dies meanwhile."""
    try:
        yield
    except SurfaceError as failed:
        if failed.type != "KernelDied":
            raise


def whichever(surface: Surface, before: Model, after: Model, what: str) -> Model:
    """What is there, which has to be one of the two; files and shell are saved one after the other."""
    files, shell = check(surface, what, before, after)
    kept, other = (before, after) if files == 0 else (after, before)
    shutil.rmtree(other.folder)
    return Model(kept.folder, *(before, after)[shell].shell)


def check(surface: Surface, what: str, *models: Model) -> tuple[int, int]:
    """Which of the models has the surface's files, and which its shell."""
    tree = surface.python(f"{LOOK}\nlook('/project')")
    trees = [model.tree for model in models]
    assert tree in trees, f"{what}: {difference(tree, *trees)}"
    told = surface.call("terminal_execute", command='printf "%s\\0%s" "$PWD" "$V"')["stdout"]
    shell, shells = tuple(told.split("\0")), [model.shell for model in models]
    assert shell in shells, f"{what}: {shell}, not {shells}"
    return trees.index(tree), shells.index(shell)


def difference(found: Tree, *expected: Tree) -> str:
    """Where a tree isn't like the one that it is most like: what is there, and what should be."""

    def differing(tree: Tree) -> dict[str, tuple[str, str]]:
        paths = sorted(path for path in found.keys() | tree.keys() if found.get(path) != tree.get(path))
        return {path: (f"{found.get(path)!r:.80}", f"{tree.get(path)!r:.80}") for path in paths}

    least = min(map(differing, expected), key=len)
    return f"differs in {len(least)} places: {dict(list(least.items())[:10])}"
