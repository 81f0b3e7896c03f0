"""Complete tasks of an agent, with tool calls only, while a user answers the page's questions."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from gemini_testing.pool import BrowserPool
from tests.git.server import git_server
from tests.web.packages import PYTEST, World, world_of
from tests.wheels import copied

MODULE = "def mean(numbers):\n    return sum(numbers) / (len(numbers) - 1)\n"
TEST = "from stats import mean\n\n\ndef test_mean():\n    assert mean([2, 4]) == 3\n"
IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


@pytest.fixture
def server(tmp_path: Path) -> Generator[str]:
    with git_server(tmp_path) as url:
        yield url


@pytest.fixture
def world(surface_dist: Path, browsers: BrowserPool, server: str) -> Generator[World]:
    with world_of(surface_dist, browsers, int(server.rpartition(":")[2])) as world:
        yield world


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Create a bare repository with a module, and a test of it that fails."""
    work = tmp_path / "work"
    work.mkdir()
    (work / "stats.py").write_text(MODULE)
    (work / "test_stats.py").write_text(TEST)
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
        subprocess.run(["git", *command], cwd=work, check=True, env=IDENTITY | {"HOME": str(tmp_path)})
    bare = tmp_path / "public.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(work), str(bare)], check=True)
    return bare


@pytest.mark.extended
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git for the server")
def test_an_agent_clones_fixes_a_test_commits_and_pushes(world: World, server: str, repository: Path) -> None:
    cloned = world.allowed(f"git clone {server}/public.git mended && cd mended")
    assert cloned["exit_code"] == 0, cloned
    assert world.allowed(f"{world.offer(*map(copied, PYTEST))} pip install pytest")["exit_code"] == 0
    failing = world.allowed("pytest -q")
    assert failing["exit_code"] == 1 and "assert 6.0 == 3" in failing["stdout"], failing
    world.call("file_edit", path="/project/mended/stats.py", old="(len(numbers) - 1)", new="len(numbers)")
    passing = world.allowed("pytest -q")
    assert passing["exit_code"] == 0 and "1 passed" in passing["stdout"], passing
    assert world.allowed("git status --short -uno")["stdout"] == " M stats.py\n"
    world.allowed("git config user.name Ada && git config user.email ada@example.org")
    pushed = world.allowed("git commit -qam 'Divide by the number of numbers' && git push")
    assert pushed["exit_code"] == 0, pushed
    shown = ["git", "show", "--format=%an: %s", "--shortstat", "main"]
    log = subprocess.run(shown, cwd=repository, capture_output=True, text=True, check=True).stdout
    assert log.splitlines()[0] == "Ada: Divide by the number of numbers"
    assert "1 file changed, 1 insertion(+), 1 deletion(-)" in log


CSV = "city,year,people\nOslo,2000,504\nOslo,2020,693\nBergen,2000,229\nBergen,2020,283\n"
REPORT = """
import html, sqlite3
from pathlib import Path

rows = sqlite3.connect("cities.db").execute(
    "SELECT city, max(people) - min(people) AS growth FROM cities GROUP BY city ORDER BY growth DESC"
).fetchall()
bars = "".join(
    f'<rect x="0" y="{20 * n}" width="{growth}" height="15" fill="teal"><title>{city}</title></rect>'
    for n, (city, growth) in enumerate(rows)
)
lines = "".join(f"<tr><td>{html.escape(city)}</td><td>{growth}</td></tr>" for city, growth in rows)
Path("report.html").write_text(
    f"<!doctype html><title>Growth</title><h1>Growth of cities</h1><table>{lines}</table>"
    f'<svg role="img" aria-label="Growth" width="200" height="40">{bars}</svg>'
)
"""
APPLICATION = """
from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Route

app = Starlette(routes=[Route("/", lambda request: FileResponse("report.html"))])
"""


@pytest.mark.extended
def test_an_agent_serves_a_report_of_data_that_it_downloaded(world: World) -> None:
    surface = world.surface
    world.outside.pages["/cities.csv"] = ("text/csv", CSV.encode())
    downloaded = world.allowed(
        f"mkdir -p report && cd report && curl -sSO {world.outside.named}/cities.csv && wc -l < cities.csv"
    )
    assert (downloaded["exit_code"], downloaded["stdout"].strip()) == (0, "5"), downloaded
    assert world.run("sqlite3 cities.db '.mode csv' '.import cities.csv cities'")["exit_code"] == 0
    index = world.offer(*map(copied, ("starlette", "anyio", "idna")))
    assert world.allowed(f"{index} pip install starlette")["exit_code"] == 0
    for name, text in (("report.py", REPORT), ("app.py", APPLICATION)):
        surface.call("file_write", path=f"/project/report/{name}", content=text)
    served = world.run("python report.py && { serve app:app --port 8310 & } && sleep 0.1")
    assert served["exit_code"] == 0, served
    opened = surface.call("browser_navigate", url="http://localhost:8310/")
    assert opened["title"] == "Growth"
    assert "# Growth of cities" in surface.call("browser_snapshot")
    surface.call("browser_wait_for", text="Oslo")
    surface.call("browser_wait_for", text="189")
    saved = surface.call("browser_screenshot")
    picture = surface.python(f"open({saved['path']!r}, 'rb').read()[:8].hex()")
    assert picture == "89504e470d0a1a0a"
    assert world.outside.requests[0] == "GET /cities.csv"
