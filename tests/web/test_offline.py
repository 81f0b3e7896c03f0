"""A second visit without the host, and with a new build."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from gemini_testing.pool import BrowserPool
from tests.tiers import sampled
from tests.web.conftest import CopyOfDist
from tests.web.console import empty_console
from tests.web.person import Person
from tests.web.test_policy import CHARTS, show_chart

pytestmark = pytest.mark.extended

SERVE = """
import pathlib, sys
from gemini_testing.server import Server
with Server(pathlib.Path(sys.argv[1]), int(sys.argv[3]), isolated=sys.argv[2] == "True") as server:
    print(server.url, flush=True)
    server.serve_forever()
"""

EMBED = """
from gemini.models.providers.on_device import DeviceEmbedder
[[*vector]], _ = await DeviceEmbedder().embed(["tea"])
len(vector)
"""
# The numbers of a vector.
VECTOR = 384


class Host:
    """A server in a separate process, whose connections all end when it stops."""

    def __init__(self, folder: Path, isolated: bool, port: int = 0) -> None:
        command = [sys.executable, "-c", SERVE, str(folder), str(isolated), str(port)]
        source = Path(__file__).parents[2] / "py"
        self._process = subprocess.Popen(
            command, env={"PYTHONPATH": str(source)}, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        self.folder = folder

    def stop(self) -> None:
        with self._process:
            self._process.terminate()


Visit = Callable[..., tuple[Surface, Host]]


@pytest.fixture
def visit(surface_dist: Path, browsers: BrowserPool) -> Iterator[Visit]:
    """Return `visit(dist, isolated=True)`, which opens the page, waits until it is saved, and returns page and host."""
    hosts: list[Host] = []
    driver = browsers.take()

    def visit(dist: Path = surface_dist, *, isolated: bool = True) -> tuple[Surface, Host]:
        hosts.append(Host(dist, isolated))
        surface = Surface(driver, hosts[-1].url)
        surface.load()
        wait_until_saved(surface)
        return surface, hosts[-1]

    yield visit
    browsers.give_back(driver)
    for host in hosts:
        host.stop()


def wait_until_saved(surface: Surface) -> None:
    assert surface.wait_for("document.documentElement.dataset.offline") == "saved"


def build_of(surface: Surface) -> str:
    return surface.javascript("return new URL(document.baseURI).pathname.split('/').at(-2)")


def change_build(dist: Path) -> str:
    """Turn the build into another one, and return its name."""
    [surface] = dist.glob("surface-*")
    name = "surface-0123456789abcdef"
    surface.rename(surface.with_name(name))
    for file in (dist / "index.html", dist / name / "files.json"):
        file.write_text(file.read_text().replace(surface.name, name))
    return name


@pytest.mark.parametrize("isolated", sampled([True, False]))
def test_the_second_visit_needs_no_host(visit: Visit, isolated: bool) -> None:
    surface, host = visit(isolated=isolated)
    surface.call("file_write", path="/project/saved.txt", content="saved")

    host.stop()
    surface.reload()

    assert surface.call("terminal_execute", command="cat /project/saved.txt")["output"] == "saved"
    assert "saved.txt" in surface.call("terminal_execute", command="ls /project")["output"]
    assert surface.call("terminal_execute", command="pip list")["exit_code"] == 0
    assert surface.javascript("return crossOriginIsolated")
    surface.driver.get(f"{surface.url}index.html?again")
    surface.wait_until_ready()


# A part has a dozen starts, and each test five minutes, on a busy machine too.
@pytest.mark.parametrize("part", range(6))
def test_thirty_reloads_without_the_host_start(visit: Visit, part: int) -> None:
    surface, host = visit(isolated=False)
    port = int(surface.url.rstrip("/").rpartition(":")[2])
    for _ in range(5):
        host.stop()
        surface.reload()
        assert surface.javascript("return crossOriginIsolated")
        host = Host(host.folder, isolated=False, port=port)
        surface.load()
    host.stop()


def test_a_registration_that_stays_pending_does_not_keep_the_page_from_starting(
    open_surface: OpenSurface,
) -> None:
    surface = open_surface(isolated=False, wait=False, path="NOTICES.txt")
    pending = "ServiceWorkerContainer.prototype.register = () => new Promise(() => {})"
    surface.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": pending})
    surface.url = surface.url.removesuffix("NOTICES.txt")
    surface.load()
    assert surface.call("python_run", code="6 * 7")["result"] == 42


def test_a_new_build_is_used_at_the_next_load_and_the_old_one_is_deleted(
    visit: Visit, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    surface, host = visit(dist)
    old = build_of(surface)
    new = change_build(dist)

    surface.load()

    assert old != new == build_of(surface)
    wait_until_saved(surface)
    names = surface.javascript("return (await caches.keys()).map((name) => name.slice(location.href.length))")
    assert sorted(names) == sorted([path.name for path in dist.glob("pyodide-*")] + [new])
    host.stop()
    surface.load()
    assert build_of(surface) == new
    assert surface.call("python_run", code="6 * 7")["result"] == 42


def test_without_a_host_the_previous_build_replaces_an_incomplete_one(
    visit: Visit, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    surface, host = visit(dist)
    old = build_of(surface)
    new = change_build(dist)
    # The start doesn't need this file. A server sends a compressed copy in its place.
    for copy in (dist / new).glob("webmcp-polyfill.js*"):
        copy.unlink()

    surface.load()
    assert build_of(surface) == new
    assert surface.wait_for("document.documentElement.dataset.offline") == "not saved"
    host.stop()
    surface.load()

    assert build_of(surface) == old
    assert surface.call("python_run", code="6 * 7")["result"] == 42


def test_a_chart_that_was_shown_once_is_shown_without_a_host(visit: Visit) -> None:
    surface, host = visit()
    person = Person(surface)

    def draw(media_type: str) -> None:
        with empty_console(person):
            show_chart(person, media_type, CHARTS[media_type])
            surface.wait_for("document.querySelector('.chart')?.dataset.height")

    for media_type in CHARTS:
        draw(media_type)
    saved = "(await Promise.all(['plotly', 'vega'].map((each) => caches.match(`chart_${each}.js`)))).every(Boolean)"
    surface.wait_for(saved)
    host.stop()
    surface.reload()
    for media_type in CHARTS:
        draw(media_type)


def test_the_model_of_search_by_meaning_that_was_used_once_needs_no_host(
    visit: Visit, surface_dist: Path
) -> None:
    if not list(surface_dist.glob("meaning-*")):
        pytest.skip("`python3 build.py meaning` makes the model")
    surface, host = visit()
    assert surface.python(EMBED) == VECTOR
    # Saving a build deletes the copies of others, but not this one.
    surface.load()
    wait_until_saved(surface)

    host.stop()
    surface.reload()

    assert surface.python(EMBED) == VECTOR


def test_the_saved_copy_has_everything_that_a_page_can_load(surface_dist: Path) -> None:
    [listed] = surface_dist.glob("surface-*/files.json")
    files: list[str] = json.loads(listed.read_text())
    assert all((surface_dist / file).is_file() for file in files)
    assert {"kernel.js", "early.js", "ui.js", "ui.css", "pyodide.asm.wasm", "pyodide-lock.json"} <= {
        Path(file).name for file in files
    }
