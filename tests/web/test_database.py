"""The database in the browser's storage: committed rows survive, and damage affects nothing else."""

from __future__ import annotations

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist, Start
from tests.web.person import Person
from tests.web.test_kernel_death import end_kernel

pytestmark = pytest.mark.extended

STORE = "from gemini.kernel.kernel import kernel; store = kernel.store\n"

# A transaction that is open when the worker ends. A large one has written most of its pages by then.
IN_A_TRANSACTION = (
    STORE
    + """
import asyncio, js
connection = store.database.connection
connection.execute("PRAGMA cache_size=10")
for number in range(50):
    store.settings.set(f"committed-{{number}}", number)
connection.execute("BEGIN IMMEDIATE")
connection.execute("DELETE FROM settings WHERE name = 'committed-7'")
for number in range({rows}):
    connection.execute("INSERT INTO settings VALUES (?, ?)", (f"torn-{{number}}", "1" * 1000))
js.close()
await asyncio.sleep(60)
"""
)


@pytest.mark.parametrize("rows", [1, 5_000])
def test_a_killed_worker_keeps_committed_rows_and_drops_an_open_transaction(
    surface: Surface, rows: int
) -> None:
    assert end_kernel(surface, IN_A_TRANSACTION.format(rows=rows)).type == "KernelDied"
    surface.wait_until_ready()

    assert surface.python(f"{STORE}[store.settings.get(f'committed-{{n}}') for n in range(50)]") == list(
        range(50)
    )
    assert surface.python("store.settings.get('torn-0')") is None
    assert surface.python("store.database.rows('PRAGMA integrity_check')") == [["ok"]]
    assert surface.javascript("return document.getElementById('missing-button').hidden")


def test_the_log_survives_a_reload(surface: Surface, person: Person) -> None:
    surface.call("terminal_execute", command="echo a call of before")
    surface.python(f"{STORE}store.history.flush()")
    last = surface.python("kernel.registry.log.rows()[-1]['id']")

    surface.reload()

    assert "terminal_execute" in person.sees('group "Calls" .call[data-status=done]', "a call of before")
    surface.call("file_list", path="/")
    assert surface.python(f"{STORE}kernel.registry.log.rows()[-1]['id']") > last


def test_a_call_that_ran_when_the_kernel_died_is_logged_as_failed(
    surface: Surface, person: Person, start: Start
) -> None:
    bystander = start("terminal_execute", command="sleep 61")
    surface.python(f"{STORE}store.history.flush()")
    end_kernel(surface, "import os; os.abort()")
    assert bystander.result()["error"]["type"] == "KernelDied"
    surface.wait_until_ready()

    person.sees('group "Calls" .call[data-status=failed]', "sleep 61")


DAMAGE = """
const root = await navigator.storage.getDirectory();
const folder = await root.getDirectoryHandle('database');
for await (const file of folder.values()) {
  const text = await (await file.getFile()).slice(0, 100).text();
  if (!text.includes('"surface.db"')) continue;
  // The worker of the page before may be about to end.
  for (;;) {
    try {
      const stream = await file.createWritable({ keepExistingData: true });
      await stream.write({ type: 'write', position: 4096, data: 'damaged'.repeat(1000) });
      await stream.close();
      return true;
    } catch (error) {
      if (error.name !== 'NoModificationAllowedError') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
return false;
"""


def test_a_damaged_database_is_set_aside_reported_and_replaced(open_surface: OpenSurface) -> None:
    surface = open_surface()
    surface.call("file_write", path="/project/saved.txt", content="saved")
    surface.python(f"{STORE}store.settings.set('theme', 'dark')")
    # The file of the database, on the kernel's origin.
    beside = surface.python("import js; js.location.href")
    # Otherwise SQLite reads the damaged pages from its log.
    surface.python("kernel.close()")
    surface.driver.get(beside)
    assert surface.javascript(DAMAGE)

    surface.load()

    person = Person(surface)
    person.click('contentinfo "Status" .warning')
    shown = person.sees('region "Missing features"', "damaged")
    assert "set aside as /var/lib/gemini/damaged-" in shown
    [aside] = surface.python("import glob; glob.glob('/var/lib/gemini/damaged-*.db')")
    assert aside in shown
    assert surface.python(f"open({aside!r}, 'rb').read(14)") == "ZGFtYWdlZGRhbWFnZWQ="
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"
    assert surface.python(f"{STORE}store.settings.get('theme')") is None
    surface.python("store.settings.set('theme', 'light')")

    surface.reload()

    assert surface.python(f"{STORE}store.settings.get('theme')") == "light"
    assert surface.python(f"import os; os.path.exists({aside!r})")
    assert surface.javascript("return document.getElementById('missing-button').hidden")


def test_many_files_are_created_renamed_and_deleted(surface: Surface) -> None:
    code = """
import errno, os, random
os.chdir("/var/lib/gemini")
chance, expected = random.Random(3), {}
for turn in range(400):
    name, other = (f"f{chance.randrange(6)}" for _ in range(2))
    act = chance.choice(["write", "append", "rename", "remove", "cut"])
    if act == "write":
        expected[name] = chance.randbytes(chance.randrange(9000))
        open(name, "wb").write(expected[name])
    elif name in expected:
        if act == "append":
            expected[name] += b"more"
            open(name, "ab").write(b"more")
        elif act == "cut":
            expected[name] = expected[name][:100]
            os.truncate(name, len(expected[name]))
        elif act == "remove":
            os.unlink(name); del expected[name]
        else:
            os.replace(name, other); expected[other] = expected.pop(name)
sound = {name: open(name, "rb").read() for name in os.listdir() if name[0] == "f"} == expected
files = [open("open", "w"), open("saved", "w")]
os.unlink("open")
failures = []
for act in (lambda: os.write(files[0].fileno(), b"x"), lambda: os.mkdir("d"), lambda: os.symlink("a", "b"),
            lambda: [open(f"more-{n}", "w").close() for n in range(30)], lambda: os.rename("saved", "/tmp/saved")):
    try:
        act()
    except OSError as error:
        failures.append(errno.errorcode[error.errno])
sound, failures, sorted(expected), os.path.getsize("saved")
"""
    sound, failures, names, size = surface.python(code)
    assert sound
    assert failures == ["EIO", "EPERM", "EPERM", "ENOSPC", "EXDEV"]
    assert size == 0

    surface.reload()

    found = surface.python(
        "import os; sorted(name for name in os.listdir('/var/lib/gemini') if name[0] == 'f')"
    )
    assert found == names


def test_without_storage_the_surface_works_in_memory_and_says_so(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    [script] = dist.glob("surface-*/kernel.js")
    script.write_text(f"delete FileSystemFileHandle.prototype.createSyncAccessHandle;\n{script.read_text()}")
    for compressed in dist.glob("surface-*/kernel.js.*"):
        compressed.unlink()

    surface = open_surface(dist=dist)

    person = Person(surface)
    person.click('contentinfo "Status" .warning')
    shown = person.sees('region "Missing features"', "Earlier calls")
    assert "Saving all files" in shown
    assert surface.python(f"{STORE}store.settings.set('a', 1); store.settings.get('a')") == 1
    assert surface.python("str(store.database.folder)") == "None"
