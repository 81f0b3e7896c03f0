"""Durable files: what survives, what doesn't, and the cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.durable.harness import Browser, BrowserError, Kernel

pytestmark = pytest.mark.fortnightly

Next = Callable[[Kernel], Kernel]


@pytest.fixture
def successor(browser: Browser, name: str) -> Next:
    """Return a function that kills a worker and opens the same journal in another one."""

    def replace(kernel: Kernel) -> Kernel:
        kernel.terminate()
        fresh = browser.kernel()
        fresh.open(name)
        return fresh

    return replace


EVERYTHING = """
import os, mmap
os.makedirs("/project/empty/er")
open("/project/nothing", "w").close()
open("/project/bytes", "wb").write(bytes(range(256)) * 12_000)
odd = ["a b", "new\\nline", "größe", "🦊", "x" * 255, "\\ufeffbom", "%00"]
for name in (*odd, "__proto__", "constructor", "toString"):
    os.mkdir(f"/project/empty/{name}")
    open(f"/project/empty/{name}/{name}", "w").write(name)
os.symlink("nowhere/at/all", "/project/broken")
os.symlink("/project/empty", "/project/to-empty")
with open("/project/hole", "wb") as file:
    file.seek(5_000_000)
    file.write(b"end")
os.truncate("/project/hole", 6_000_000)
open("/project/script", "w").write("#!/bin/sh")
os.chmod("/project/script", 0o4751)
os.chmod("/project/empty/er", 0o1700)
os.utime("/project/script", ns=(1_000_000_123, 2_000_500_000))
os.utime("/project/empty", ns=(5_000_000_000, 6_000_000_000))
os.chmod("/project", 0o2750)
"""

STATUS = """
{path: [getattr(os.lstat(path), each) for each in ("st_mode", "st_size", "st_mtime", "st_atime", "st_ctime")]
 for path in ["/project", *json.loads(read_tree("/project"))]}
"""


def test_contents_names_modes_times_links_and_empty_directories_survive(
    kernel: Kernel, name: str, successor: Next
) -> None:
    assert kernel.open(name)["fresh"]
    kernel.python(EVERYTHING)
    kernel.commit()
    contents, status = kernel.read_tree(), kernel.python(STATUS)
    fresh = successor(kernel)
    assert fresh.read_tree() == contents
    assert fresh.python(STATUS) == status
    assert len(contents) == 28


@pytest.mark.extended
def test_names_that_only_javascript_can_create_survive(kernel: Kernel, name: str, successor: Next) -> None:
    names = ["\ud800", "\udfff\ud800x", "\u0000"]
    kernel.open(name)
    kernel.javascript(
        "for (const name of eval(parameter)) FS.writeFile('/project/' + name, name);", repr(names)
    )
    kernel.commit()
    fresh = successor(kernel)
    listed = fresh.javascript(
        "const names = eval(parameter), there = FS.readdir('/project');"
        "return names.every((name) => there.includes(name)) && there.length === 5;",
        repr(names),
    )
    assert listed


@pytest.mark.extended
def test_every_kind_of_change_survives(kernel: Kernel, name: str, successor: Next) -> None:
    kernel.open(name)
    kernel.python("""
import mmap, os, shutil
for each in ("grown", "cut", "patched", "mapped", "gone", "moved", "replaced", "copied"):
    open(f"/project/{each}", "wb").write(bytes(range(250)) * 400)
os.makedirs("/project/dir/sub")
""")
    kernel.commit()
    kernel.python("""
open("/project/grown", "ab").write(b"more")
os.truncate("/project/cut", 70_001)
os.truncate("/project/cut", 90_000)
with open("/project/patched", "r+b") as file:
    file.seek(50_000)
    file.write(b"patch")
with open("/project/mapped", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
    memory[99_998] = 7
    memory.flush()
    memory[0] = 8
os.unlink("/project/gone")
os.rename("/project/moved", "/project/dir/sub/moved")
os.rename("/project/dir", "/project/renamed")
open("/project/new", "w").write("new")
os.replace("/project/new", "/project/replaced")
shutil.copy2("/project/copied", "/project/copy")
target = os.open("/project/by-descriptor", os.O_CREAT | os.O_RDWR)
os.ftruncate(target, 2000)
os.pwrite(target, b"middle", 1000)
open("/project/unlinked", "w").write("not saved")
still_open = open("/project/unlinked", "a")
os.unlink("/project/unlinked")
still_open.write("x"); still_open.flush()
""")
    kernel.commit()
    seen = kernel.read_tree()
    fresh = successor(kernel)
    assert fresh.read_tree() == seen
    assert fresh.python("open('/project/mapped', 'rb').read(1)[0], open('/project/replaced').read()") == [
        8,
        "new",
    ]
    assert fresh.python("open('/project/cut', 'rb').read()[70_000:70_005].hex()") == "0000000000"


@pytest.mark.extended
def test_files_moved_out_are_removed_and_files_moved_in_survive(
    kernel: Kernel, name: str, successor: Next
) -> None:
    kernel.open(name)
    kernel.python("""
import os
os.makedirs("/project/tree/deep")
for i in range(20): open(f"/project/tree/deep/{i}", "w").write(str(i))
os.makedirs("/tmp/foreign/deep")
open("/tmp/foreign/deep/file", "w").write("foreign")
""")
    kernel.commit()
    kernel.python("os.rename('/project/tree', '/tmp/tree'); os.rename('/tmp/foreign', '/home/foreign')")
    kernel.commit()
    kernel.python("open('/tmp/tree/deep/0', 'w').write('changed outside')")
    assert not kernel.ask("changed")
    fresh = successor(kernel)
    assert fresh.read_tree() == {}
    assert fresh.python("os.path.exists('/tmp/tree')") is False
    assert fresh.python("open('/home/foreign/deep/file').read()") == "foreign"
    fresh.python("os.rename('/home/foreign', '/tmp/foreign')")
    fresh.commit()
    fresh.python("os.mkdir('/project/a'); os.rename('/tmp/foreign', '/project/a/back')")
    fresh.commit()
    assert "/project/a/back/deep/file" in successor(fresh).read_tree()


@pytest.mark.extended
def test_nothing_outside_the_roots_is_saved_or_created(kernel: Kernel, name: str, successor: Next) -> None:
    kernel.open(name)
    kernel.commit()
    everything = (
        "os.listdir('/'), sorted((d, s, f) for top in ('/tmp', '/etc', '/mnt') for d, s, f in os.walk(top))"
    )
    before = kernel.python(everything)
    kernel.python("open('/tmp/file', 'w').write('x'); os.mkdir('/made'); open('/made/file', 'w').write('x')")
    assert kernel.commit() == {"frames": 0, "bytes": 0, "files": 0}
    assert successor(kernel).python(everything) == before


@pytest.mark.extended
def test_uncommitted_changes_are_lost(kernel: Kernel, name: str, successor: Next) -> None:
    kernel.open(name)
    kernel.python("open('/project/saved', 'w').write('1')")
    kernel.commit()
    kernel.python("open('/project/saved', 'w').write('2'); open('/project/other', 'w').write('2')")
    fresh = successor(kernel)
    assert list(fresh.read_tree()) == ["/project/saved"]
    assert fresh.python("open('/project/saved').read()") == "1"


@pytest.mark.extended
def test_existing_files_stay_and_are_saved(browser: Browser, name: str, successor: Next) -> None:
    first = browser.kernel()
    first.python("os.makedirs('/project/sub'); open('/project/sub/welcome', 'w').write('hello')")
    first.open(name)
    first.commit()
    first.python("open('/project/sub/welcome', 'w').write('mine')")
    first.commit()
    first.terminate()
    second = browser.kernel()
    second.python("os.makedirs('/project/sub/welcome'); open('/project/sub/other', 'w').write('new')")
    second.open(name)
    assert second.python("open('/project/sub/welcome').read()") == "mine"
    second.commit()
    assert set(successor(second).read_tree()) == {
        "/project/sub",
        "/project/sub/welcome",
        "/project/sub/other",
    }


@pytest.mark.extended
def test_the_roots_can_not_be_removed(kernel: Kernel, name: str) -> None:
    kernel.open(name)
    for attempt in (
        "os.rmdir('/project')",
        "os.rename('/project', '/elsewhere')",
        "os.rename('/tmp', '/project')",
    ):
        with pytest.raises(BrowserError, match="busy"):
            kernel.python(attempt)


@pytest.mark.extended
def test_a_change_is_announced_once_between_commits(kernel: Kernel, name: str) -> None:
    kernel.open(name)
    kernel.commit()
    kernel.javascript("globalThis.announced = 0; durable.onChange(() => { announced += 1; });")

    def announced(source: str) -> int:
        kernel.python(source)
        return kernel.javascript("return announced")

    assert announced("open('/tmp/outside', 'w').write('x'); os.listdir('/project')") == 0
    assert not kernel.ask("changed")
    assert announced("open('/project/a', 'w').write('x'); open('/project/b', 'w').write('x')") == 1
    assert announced("os.unlink('/project/a')") == 1
    assert kernel.ask("changed")
    kernel.commit()
    assert not kernel.ask("changed")
    assert announced("os.unlink('/project/b')") == 2


@pytest.mark.extended
def test_the_cost_follows_the_change(kernel: Kernel, name: str) -> None:
    kernel.open(name)
    kernel.python("""
import os
open("/project/big", "wb").write(os.urandom(1 << 20) * 50)
os.mkdir("/project/many")
for i in range(10_000): open(f"/project/many/{i}", "w").write("x")
""")
    assert kernel.commit()["files"] > 10_000

    def bytes_for(source: str) -> int:
        kernel.python(source)
        return kernel.commit()["bytes"]

    assert bytes_for("f = open('/project/big', 'r+b'); f.seek(25_000_000); f.write(b'!'); f.close()") < 20_000
    assert bytes_for("os.rename('/project/many', '/project/renamed')") < 300
    assert bytes_for("os.chmod('/project/big', 0o600)") < 200
    assert bytes_for("open('/project/renamed/5', 'a').write('y')") < 300
    assert bytes_for("os.truncate('/project/big', 40_000_000)") < 200
    assert bytes_for("os.truncate('/project/big', 200_000_000)") < 200
    assert bytes_for("pass") == 0


@pytest.mark.extended
def test_the_journal_s_size_is_bounded_by_the_files(
    browser: Browser, kernel: Kernel, name: str, successor: Next
) -> None:
    kernel.open(name, slack=1_000_000)
    for i in range(60):
        kernel.python(f"open('/project/file', 'wb').write(bytes([{i}]) * 300_000)")
        kernel.commit()
        assert sum(browser.ask("list", name).values()) < 2 * 300_000 + 1_000_000 + 400_000
    assert successor(kernel).python("open('/project/file', 'rb').read() == bytes([59]) * 300_000")


@pytest.mark.extended
def test_a_closed_journal_can_be_opened_again(kernel: Kernel, name: str) -> None:
    kernel.open(name)
    kernel.python("open('/project/a', 'w').write('saved')")
    kernel.commit()
    kernel.python("open('/project/b', 'w').write('not yet')")
    kernel.ask("close")
    kernel.python("open('/project/c', 'w').write('unseen')")
    kernel.open(name)
    assert kernel.ask("changed")
    kernel.commit()
    seen = kernel.read_tree()
    kernel.ask("close")
    kernel.python("import shutil; shutil.rmtree('/project', ignore_errors=True)")
    kernel.open(name)
    assert kernel.read_tree() == seen
    assert len(seen) == 3
