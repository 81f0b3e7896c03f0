"""What agents change in the page can be taken back, whichever way they change it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.person import Person

LOOK = """
import hashlib, os, stat
def look(top):
    found = {}
    for folder, folders, files in os.walk(top):
        for name in [*folders, *files]:
            path = os.path.join(folder, name)
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                what = os.readlink(path)
            elif stat.S_ISDIR(status.st_mode):
                what = "directory"
            else:
                what = hashlib.sha256(open(path, "rb").read()).hexdigest()
            found[path] = [oct(status.st_mode), what]
    return found
"""
TREE = """
import os
os.chdir({folder!r})
os.makedirs("tree/deep/er")
os.mkdir("tree/empty")
for number in range(20):
    open(f"tree/deep/{{number}}", "w").write(f"{{number}}\\n" * 50)
open("text", "w").write("first\\nsecond\\nthird\\n")
open("other", "w").write("other\\n")
open("tool.sh", "w").write("echo hello\\n")
os.chmod("tool.sh", 0o755)
open("large", "wb").write(os.urandom(300_000))
open("empty", "w").close()
os.symlink("text", "link")
os.symlink("nowhere", "broken")
os.chdir("/project")
"""
SHELL = {
    "rm": "rm -rf tree text link broken",
    "overwrite": "echo new > text",
    "append": "echo more >> text && echo more >> empty && echo x >> large",
    "sed": "sed -i s/second/2nd/ text",
    "mv": "mv text renamed && mv tree/deep elsewhere && mv other tree/",
    "mv-over": "mv text other",
    "mv-out-and-away": "mv tree /tmp/gone-$$ && rm -rf /tmp/gone-$$",
    "mv-in": "mkdir -p /tmp/in/side && echo x > /tmp/in/side/f && mv /tmp/in came",
    "cp-over": "cp other text && cp -r tree copy",
    "many": "mkdir new && cd new && for i in $(seq 100); do echo $i > $i; done && cat * > ../text && rm [1-4]*",
    "chmod": "chmod 600 text && chmod -x tool.sh && chmod 700 tree",
    "links": "ln -sf other link && rm broken && ln -s text made && mkdir broken && rm text && ln -s other text",
    "truncate": "truncate -s 7 text; truncate -s 250000 large; truncate -s 400000 large; : > tool.sh",
    "tar": "tar cf all.tar tree && rm -rf tree && tar xf all.tar && rm all.tar && rm -r tree/deep",
    "replace-by-directory": "rm text && mkdir text && echo a > text/a && rm -rf tree && echo b > tree",
    "moved-then-changed": "mv tree trunk && echo changed > trunk/deep/3 && rm trunk/deep/4"
    " && mkdir tree && echo n > tree/n",
    "swap": "mv text a && mv other text && mv a other && echo more >> other",
}
PYTHON = {
    "open-w": "open('text', 'w').write('new')",
    "replace": "open('fresh', 'w').write('x' * 9); os.replace('fresh', 'text')",
    "rmtree": "import shutil; shutil.rmtree('tree')",
    "inside": "f = open('large', 'r+b'); f.seek(150_000); f.write(b'y' * 40_000); f.seek(299_999)\n"
    "f.write(b'zz'); f.close()",
    "inside-then-gone": "f = open('large', 'r+b'); f.seek(20_000); f.write(b'y'); f.close(); os.remove('large')",
    "inside-then-cut": "f = open('large', 'r+b'); f.write(b'y'); f.truncate(10); f.write(b'y' * 99); f.close()",
    "written-after-removal": "f = open('text', 'r+'); os.remove('text'); f.write('late'); f.flush(); f.close()",
    "mmap": "import mmap; f = open('large', 'r+b'); m = mmap.mmap(f.fileno(), 0)\n"
    "m[70_000:70_003] = b'abc'; m.flush(); m.close(); f.close()",
    "renames": "os.renames('tree/deep/1', 'a/b/c'); os.rename('tree', 'a/tree'); open('a/tree/deep/2', 'w').write('')",
    "javascript": "from pyodide_js import FS; FS.writeFile(os.path.abspath('text'), 'js')\n"
    "FS.unlink(os.path.abspath('other'))",
    "made-and-gone": "open('temp', 'w').write('x'); os.remove('temp'); open('text', 'a').write('!')",
}


class Agent:
    """A caller of its own, so that its changes are one checkpoint."""

    def __init__(self, surface: Surface, caller: str) -> None:
        self._surface = surface
        self.caller = caller

    def call(self, tool: str, **arguments: Any) -> Any:
        text = json.dumps(arguments)
        return self._surface.python(
            f"import json, gemini; await gemini.registry.call({tool!r}, json.loads({text!r}), caller={self.caller!r})"
        )


@pytest.fixture
def agent(surface: Surface, request: pytest.FixtureRequest) -> Agent:
    return Agent(surface, f"mcp:{request.node.name}")


@pytest.fixture
def look(surface: Surface, folder: str) -> Callable[[], dict[str, Any]]:
    surface.python(LOOK + TREE.format(folder=folder))
    return lambda: surface.python(f"look({folder!r})")


def checkpoint(surface: Surface, caller: str) -> str:
    rows = surface.python("gemini.files.history(limit=1000)")
    return next(row["checkpoint"] for row in rows if caller in row["caller"].split(", "))


def takes_back(surface: Surface, look: Callable[[], Any], before: Any, caller: str) -> None:
    """All of it, the take-back itself, and all of it once more."""
    after = look()
    assert after != before
    id = checkpoint(surface, caller)
    taken = surface.python(f"gemini.files.restore({id!r})")
    assert taken["failed"] == []
    assert look() == before
    again = surface.python(f"gemini.files.restore({taken['undo']!r})")
    assert again["failed"] == []
    assert look() == after
    surface.python(f"gemini.files.restore({again['undo']!r})")
    assert look() == before


@pytest.mark.parametrize("action", SHELL)
def test_what_the_shell_does(
    surface: Surface,
    folder: str,
    agent: Agent,
    look: Callable[[], Any],
    action: str,
    request: pytest.FixtureRequest,
) -> None:
    before = look()
    agent.call("terminal_execute", command=f"cd {folder} && {SHELL[action]}")
    takes_back(surface, look, before, f"mcp:{request.node.name}")


@pytest.mark.parametrize("action", PYTHON)
def test_what_python_does(
    surface: Surface,
    folder: str,
    agent: Agent,
    look: Callable[[], Any],
    action: str,
    request: pytest.FixtureRequest,
) -> None:
    before = look()
    agent.call("python_run", code=f"import os; os.chdir({folder!r})\n{PYTHON[action]}\nos.chdir('/project')")
    takes_back(surface, look, before, f"mcp:{request.node.name}")


def test_what_has_changed_again_is_said_and_kept(
    surface: Surface, folder: str, agent: Agent, look: Callable[[], Any]
) -> None:
    path = f"{folder}/text"
    agent.call("file_write", path=path, content="agent's")
    surface.python(f"open({path!r}, 'w').write('mine')")
    taken = agent.call("file_restore", id=checkpoint(surface, agent.caller))
    assert taken["changed_since"] == [path]
    assert surface.python(f"open({path!r}).read()") == "first\nsecond\nthird\n"
    surface.python(f"gemini.files.restore({taken['undo']!r})")
    assert surface.python(f"open({path!r}).read()") == "mine"


@pytest.mark.parametrize("waits", [True, False])
def test_a_kernel_that_dies_loses_neither_the_change_nor_what_was_there(
    surface: Surface, folder: str, agent: Agent, look: Callable[[], Any], waits: bool
) -> None:
    before = look()
    agent.call(
        "terminal_execute", command=f"cd {folder} && rm -rf tree && echo more >> large && mv text other"
    )
    after = look()
    if waits:
        # The database has it by then.
        surface.python("len(gemini.files.history())")
    surface.call("file_write", path=f"{folder}-done", content="")
    surface.reload()
    surface.python(LOOK)
    assert surface.python(f"look({folder!r})") == after
    surface.python(f"gemini.files.restore({checkpoint(surface, agent.caller)!r})")
    assert surface.python(f"look({folder!r})") == before


def test_a_person_sees_the_changes_and_takes_them_back(
    surface: Surface, folder: str, agent: Agent, look: Callable[[], Any], person: Person
) -> None:
    before = look()
    agent.call(
        "terminal_execute", command=f"cd {folder} && sed -i s/second/2nd/ text && rm other && echo x > fresh"
    )
    if not surface.javascript("return document.querySelector('#activity').checkVisibility()"):
        person.click("[data-tab-panel-id=activity]")
    person.click("#activity-changes > summary")
    id = checkpoint(surface, agent.caller)
    person.click(f".changes-checkpoint[data-checkpoint={id}]")
    person.click(f".changes-file[data-path='{folder}/text'] summary")
    surface.wait_for("document.querySelector('.changes-difference .cm-content')?.textContent.includes('2nd')")
    assert "second" in surface.javascript("return document.querySelector('.cm-deletedChunk').textContent")
    person.click(f".changes-file[data-path='{folder}/text'] > button")
    person.sees(f".changes-file[data-path='{folder}/text'][data-same=true]")
    assert "2nd" not in surface.python(f"open('{folder}/text').read()")
    person.click(".changes-all")
    surface.wait_for("document.querySelector('.changes-all').disabled")
    assert look() == before
    person.click(".changes-undo")
    surface.wait_for("!document.querySelector('.changes-all').disabled")
    assert surface.python(f"import os; os.path.exists('{folder}/other')") is False
