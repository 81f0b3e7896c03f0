"""Files of Linux in /project after a kill: a repository is sound whose `git commit` ends in the middle."""

from __future__ import annotations

import base64
import io
import subprocess
import tarfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.plugin import ServeSurface
from gemini_testing.pool import CRASHED
from tests.web.kills import kill_browser
from tests.web.linux_page import require_disk

pytestmark = pytest.mark.extended(together="linux")
# Operations of a commit, in their order. The last one moves the branch to the new commit.
STOPS = ("rename .*/tmp_obj", "open .*/index.lock", "write .*/main.lock", "rename .*/main.lock")
REPOSITORY = "/project/killed"
CALL_S = 100
# Calls `each(number, what)` after each change of files in the folder, and returns a function that ends that.
WATCH = """
(FS, root, each) => {
  let number = 0;
  let busy = false;
  const originals = {};
  const changed = (what, path) => {
    if (busy || !path.startsWith(root)) return;
    busy = true;
    each(++number, `${what} ${path.slice(root.length)}`);
    busy = false;
  };
  for (const name of ["open", "write", "rename", "unlink", "rmdir", "mkdir", "symlink"]) {
    originals[name] = FS[name];
    FS[name] = (...given) => {
      const path = name === "write" ? given[0].path : String(given[name === "symlink" ? 1 : 0]);
      const creates = name === "open" && (given[1] & 0o100) !== 0 && !FS.analyzePath(path).exists;
      const result = originals[name].apply(FS, given);
      if (name !== "open" || creates) changed(name, path);
      return result;
    };
  }
  return () => Object.assign(FS, originals);
}
"""
# Saves what there is at the moment, says so, and stays there until the kill.
STOP_AT = """
(pattern, commit) => (_, what) => {
  if (!new RegExp(pattern).test(what)) return;
  commit();
  new BroadcastChannel("stops").postMessage(what);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
"""
# Calls `each` before each flush of the browser's storage.
FLUSHES = """
(each) => {
  const { prototype } = FileSystemSyncAccessHandle;
  const original = prototype.flush;
  prototype.flush = function () { each(); return original.call(this); };
  return () => { prototype.flush = original; };
}
"""
HELPERS = f"""
import asyncio, base64, io, os, shutil, tarfile
import gemini_host, pyodide_js
from pyodide.code import run_js
from pyodide.ffi import create_proxy
def watch(each):
    return run_js({WATCH!r})(pyodide_js.FS, {REPOSITORY!r}, each)
def packed(folder):
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode='w:gz') as archive:
        archive.add(folder, '.')
    return base64.b64encode(written.getvalue()).decode()
"""
CREATE = f"""
git config --global user.name A; git config --global user.email a@example.org
mkdir {REPOSITORY}; cd {REPOSITORY}; git init -q -b main; rm -r .git/hooks
mkdir deep; echo 0 >deep/one; seq 500 >two; git add .; git commit -q -m 'number 0'
"""


@pytest.fixture(autouse=True, scope="module")
def image(surface_dist: Path) -> None:
    require_disk(surface_dist)


def commit(number: int) -> str:
    """Return a script that changes files, and commits them."""
    return (
        f"cd {REPOSITORY}; echo {number} >deep/one; seq {number} 900 >two; echo {number} >new-{number}\n"
        f"git add -A; git commit -q -m 'number {number}'"
    )


def run(surface: Surface, terminal: str, command: str) -> None:
    done = surface.call("terminal_execute", terminal_id=terminal, command=command, timeout_s=CALL_S)
    assert (done["exit_code"], done["output"]) == (0, "")


def unpack(text: str, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(text))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """Run this computer's git, which must succeed."""
    settings = ("-c", "safe.directory=*", "-c", "user.name=B", "-c", "user.email=b@example.org")
    command = ["git", "-C", str(folder), *settings, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=CALL_S, check=False)
    assert done.returncode == 0, (folder.name, arguments, done.stdout, done.stderr)
    return done.stdout


def require_sound(folder: Path, number: int, what: str) -> str:
    """Check a repository of which a commit was interrupted; return the subject of its last commit."""
    assert git(folder, "fsck", "--strict", "--no-dangling") == "", what
    subject = git(folder, "log", "-1", "--format=%s").strip()
    assert subject in (f"number {number - 1}", f"number {number}"), what
    assert (folder / "deep/one").read_text() == f"{number}\n", what
    assert (folder / f"new-{number}").read_text() == f"{number}\n", what
    # Git asks the user to delete a lock of a git that has ended.
    for lock in (folder / ".git").rglob("*.lock"):
        lock.unlink()
    git(folder, "add", "-A")
    assert bool(git(folder, "status", "--short")) == (subject != f"number {number}"), what
    git(folder, "commit", "-q", "--allow-empty", "-m", "after")
    assert git(folder, "fsck", "--strict", "--no-dangling") == "", what
    return subject


def test_a_repository_is_sound_after_each_operation_of_a_commit(surface: Surface, tmp_path: Path) -> None:
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
    run(surface, terminal, CREATE)
    surface.python(
        f"{HELPERS}\nseen = []\n"
        "def each(number, what):\n"
        f"    seen.append(what)\n    shutil.copytree({REPOSITORY!r}, f'/tmp/moments/{{number}}')\n"
        "os.mkdir('/tmp/moments')\nend = watch(create_proxy(each))\nNone"
    )
    run(surface, terminal, commit(1))
    seen, moments = surface.python("end()\nseen, packed('/tmp/moments')")
    surface.python(f"shutil.rmtree('/tmp/moments')\nshutil.rmtree({REPOSITORY!r})")
    surface.call("terminal_close", terminal_id=terminal)
    unpack(moments, tmp_path)
    first_add = next(number for number, what in enumerate(seen) if "tmp_obj" in what)
    subjects = [
        require_sound(tmp_path / str(number + 1), 1, what)
        for number, what in enumerate(seen)
        # Before it, the shell still writes the files.
        if number >= first_add
    ]
    assert {"number 0", "number 1"} == set(subjects)


@pytest.mark.parametrize("operation", STOPS)
def test_a_browser_that_is_killed_leaves_a_sound_repository(
    serve_surface: ServeSurface, tmp_path: Path, operation: str
) -> None:
    url, profile = serve_surface(), tmp_path / "profile"
    with opened(url, profile) as surface:
        terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
        run(surface, terminal, CREATE)
        stop_at(surface, terminal, operation, commit(1))
        kill_browser(profile)
    with opened(url, profile) as surface:
        surface.python(HELPERS)
        packed = surface.python(f"packed({REPOSITORY!r})")
    subject = require_sound(unpack(packed, tmp_path / "killed"), 1, operation)
    assert subject == ("number 1" if operation == STOPS[-1] else "number 0")


def test_a_program_s_flush_saves_its_file(surface: Surface) -> None:
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]
    surface.python(
        f"{HELPERS}\nseen = []\nend = watch(create_proxy(lambda _, what: seen.append(what)))\n"
        f"end_flushes = run_js({FLUSHES!r})(create_proxy(lambda: seen.append('flush')))\nNone"
    )
    write = "import os\nout = os.open('flushed', os.O_WRONLY | os.O_CREAT)\n"
    write += "for number in range(9):\n    os.write(out, b'line')\n    os.fsync(out)\n"
    run(surface, terminal, f'mkdir {REPOSITORY}; cd {REPOSITORY}; python3 -c "{write}"; rm -r {REPOSITORY}')
    seen = surface.python("end(), end_flushes()\nseen")
    writes = [at for at, what in enumerate(seen) if what == "write /flushed"]
    assert len(writes) == 9
    assert all(seen[at + 1] == "flush" for at in writes), seen


@contextmanager
def opened(url: str, profile: Path) -> Generator[Surface]:
    """Open the page in a browser whose profile stays."""
    driver = launch(profile=profile)
    try:
        surface = Surface(driver, url)
        surface.load()
        yield surface
    finally:
        with suppress(*CRASHED):
            driver.quit()


def stop_at(surface: Surface, terminal: str, operation: str, script: str) -> None:
    """Run a script until an operation, at which the kernel waits forever."""
    driver = surface.driver
    driver.switch_to.frame(driver.find_element("css selector", ".kernel-frame"))
    driver.execute_script(
        "window.stops = new Promise((go) => { new BroadcastChannel('stops').onmessage = go; })"
    )
    driver.switch_to.default_content()
    surface.python(
        f"{HELPERS}\nend = watch(run_js({STOP_AT!r})({operation!r}, gemini_host.commit))\n"
        f"task = asyncio.ensure_future(gemini.terminals[{terminal!r}].execute({script!r}))\nNone"
    )
    driver.switch_to.frame(driver.find_element("css selector", ".kernel-frame"))
    driver.execute_async_script("const done = arguments[0]; window.stops.then(() => done());")
