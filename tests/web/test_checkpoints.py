"""Changes by agents in the page can be reverted, whatever made them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gemini_testing import Surface
from tests.tiers import sampled
from tests.web.person import Person

pytestmark = pytest.mark.fortnightly

READ = """
import hashlib, os, stat
def read_tree(top):
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
    """A separate caller, so that its changes are one checkpoint."""

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
def read_tree(surface: Surface, folder: str) -> Callable[[], dict[str, Any]]:
    surface.python(READ + TREE.format(folder=folder))
    return lambda: surface.python(f"read_tree({folder!r})")


def checkpoint(surface: Surface, caller: str) -> str:
    rows = surface.python("gemini.files.history(limit=1000)")
    return next(row["checkpoint"] for row in rows if caller in row["caller"].split(", "))


def reverts(surface: Surface, read_tree: Callable[[], Any], before: Any, caller: str) -> None:
    """Check that the checkpoint is reverted, that the revert is reverted, and that both can be repeated."""
    after = read_tree()
    assert after != before
    id = checkpoint(surface, caller)
    reverted = surface.python(f"gemini.files.restore({id!r})")
    assert reverted["failed"] == []
    assert read_tree() == before
    again = surface.python(f"gemini.files.restore({reverted['undo']!r})")
    assert again["failed"] == []
    assert read_tree() == after
    surface.python(f"gemini.files.restore({again['undo']!r})")
    assert read_tree() == before


@pytest.mark.parametrize("action", sampled(SHELL, every=3))
def test_changes_by_the_shell_are_reverted(
    surface: Surface,
    folder: str,
    agent: Agent,
    read_tree: Callable[[], Any],
    action: str,
    request: pytest.FixtureRequest,
) -> None:
    before = read_tree()
    agent.call("terminal_execute", command=f"cd {folder} && {SHELL[action]}")
    reverts(surface, read_tree, before, f"mcp:{request.node.name}")


@pytest.mark.parametrize("action", sampled(PYTHON, every=3))
def test_changes_by_python_are_reverted(
    surface: Surface,
    folder: str,
    agent: Agent,
    read_tree: Callable[[], Any],
    action: str,
    request: pytest.FixtureRequest,
) -> None:
    before = read_tree()
    agent.call("python_run", code=f"import os; os.chdir({folder!r})\n{PYTHON[action]}\nos.chdir('/project')")
    reverts(surface, read_tree, before, f"mcp:{request.node.name}")


def test_a_file_that_changed_again_is_reported_and_saved(
    surface: Surface, folder: str, agent: Agent, read_tree: Callable[[], Any]
) -> None:
    path = f"{folder}/text"
    agent.call("file_write", path=path, content="agent's")
    surface.python(f"open({path!r}, 'w').write('mine')")
    reverted = agent.call("file_restore", id=checkpoint(surface, agent.caller))
    assert reverted["changed_since"] == [path]
    assert surface.python(f"open({path!r}).read()") == "first\nsecond\nthird\n"
    surface.python(f"gemini.files.restore({reverted['undo']!r})")
    assert surface.python(f"open({path!r}).read()") == "mine"


@pytest.mark.extended
@pytest.mark.parametrize("waits", sampled([True, False]))
def test_a_dying_kernel_loses_neither_the_change_nor_the_previous_state(
    surface: Surface, folder: str, agent: Agent, read_tree: Callable[[], Any], waits: bool
) -> None:
    before = read_tree()
    agent.call(
        "terminal_execute", command=f"cd {folder} && rm -rf tree && echo more >> large && mv text other"
    )
    after = read_tree()
    if waits:
        # By then the database has the change.
        surface.python("len(gemini.files.history())")
    surface.call("file_write", path=f"{folder}-done", content="")
    surface.reload()
    surface.python(READ)
    assert surface.python(f"read_tree({folder!r})") == after
    surface.python(f"gemini.files.restore({checkpoint(surface, agent.caller)!r})")
    assert surface.python(f"read_tree({folder!r})") == before


PLACES = """
return [...document.querySelectorAll(".changes-file > button")].map(
  (each) => Math.round(each.getBoundingClientRect().top));
"""


@pytest.mark.extended
def test_a_user_sees_the_changes_and_reverts_them(
    surface: Surface, folder: str, agent: Agent, read_tree: Callable[[], Any], person: Person
) -> None:
    before = read_tree()
    agent.call(
        "terminal_execute", command=f"cd {folder} && sed -i s/second/2nd/ text && rm other && echo x > fresh"
    )
    person.open_panel("activity")
    person.click('region "Activity" .changes > summary')
    id = checkpoint(surface, agent.caller)
    person.click(f".changes-checkpoint[data-checkpoint={id}]")
    person.click(f".changes-file[data-path='{folder}/text'] summary")
    surface.wait_for("document.querySelector('.changes-difference .cm-content')?.textContent.includes('2nd')")
    assert "second" in surface.javascript("return document.querySelector('.cm-deletedChunk').textContent")
    places = surface.javascript(PLACES)
    assert len(places) == 3
    person.click(f".changes-file[data-path='{folder}/fresh'] > button")
    person.sees(f".changes-file[data-path='{folder}/fresh'][data-same=true]")
    person.sees(".changes-outcome", "1 file reverted")
    # What was under the pointer is still there.
    assert surface.javascript(PLACES) == places
    person.click(f".changes-file[data-path='{folder}/text'] > button")
    person.sees(f".changes-file[data-path='{folder}/text'][data-same=true]")
    person.sees(f".changes-file[data-path='{folder}/text'] .changes-facts", "unchanged")
    assert "2nd" not in surface.python(f"open('{folder}/text').read()")
    person.click(".changes-all")
    surface.wait_for("document.querySelector('.changes-all').disabled")
    assert read_tree() == before
    person.click(".changes-undo")
    surface.wait_for("!document.querySelector('.changes-all').disabled")
    assert surface.python(f"import os; os.path.exists('{folder}/other')") is False
