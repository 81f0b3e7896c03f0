"""`pip install` in the page: an index, Pyodide's distribution, commands of packages, and pytest."""

from __future__ import annotations

import base64
import functools
import json
import re
import threading
from collections.abc import Generator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing.pool import BrowserPool
from tests.web.console import LOADED, enter, show_console
from tests.web.packages import PYTEST, World, world_of
from tests.web.person import TERMINALS, Background, erase
from tests.web.test_settings_panel import open_settings
from tests.wheels import built, copied, renamed

pytestmark = pytest.mark.fortnightly

TESTS = """
import os, sys

def test_passes(tmp_path):
    (tmp_path / "file").write_text("text")
    assert (tmp_path / "file").read_text() == "text"

def test_fails():
    print("to standard output")
    print("to standard error", file=sys.stderr)
    assert [1, 2] == [1, 3]

def test_captures(capsys):
    print("line")
    assert capsys.readouterr().out == "line\\n"

def test_captures_descriptors(capfd):
    os.write(1, b"bytes")
    assert capfd.readouterr().out == "bytes"
"""
PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "project-of-mine"
version = "0.1"
scripts = { mine = "mine:main" }
"""
# A backend of the project's own.
BACKEND = """
import os, zipfile

def build_editable(folder, settings=None, metadata=None):
    name = "project_of_mine-0.1-py3-none-any.whl"
    about = "project_of_mine-0.1.dist-info/"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("project_of_mine.pth", os.path.abspath("src") + "\\n")
        wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: project-of-mine\\nVersion: 0.1\\n")
        wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(about + "entry_points.txt", "[console_scripts]\\nmine = mine:main\\n")
        wheel.writestr(about + "RECORD", about + "RECORD,,\\n")
    return name
"""
REPORT = """\
collected 4 items

test_all.py .F..                                                         [100%]

=================================== FAILURES ===================================
__________________________________ test_fails __________________________________

    def test_fails():
        print("to standard output")
        print("to standard error", file=sys.stderr)
>       assert [1, 2] == [1, 3]
E       assert [1, 2] == [1, 3]
E
E         At index 1 diff: 2 != 3
E         Use -v to get more diff

test_all.py:11: AssertionError
----------------------------- Captured stdout call -----------------------------
to standard output
----------------------------- Captured stderr call -----------------------------
to standard error
=========================== short test summary info ============================
FAILED test_all.py::test_fails - assert [1, 2] == [1, 3]
"""
AIOHTTP = """
import asyncio, sys, aiohttp

async def main(outside, local):
    async with aiohttp.ClientSession(headers={"X-Session": "yes"}) as session:
        async with session.get(f"{outside}/data.json", params={"q": "ä b"}) as answer:
            print(answer.status, answer.reason, answer.content_type, await answer.json(), answer.url.raw_path_qs)
        async with session.post(f"{outside}/echo", json={"a": [1]}) as answer:
            print(answer.ok, await answer.text())
        async with session.get(f"{outside}/redirect?to=/data.json") as answer:
            print([one.status for one in answer.history], answer.url.path, await answer.json())
        async with session.head(f"{outside}/data.json") as answer:
            print(answer.status, answer.headers["Content-Length"], await answer.read())
        pages = [session.get(f"{outside}/page/{number}") for number in range(6)]
        print([(await page.read()).decode() for page in await asyncio.gather(*pages)])
        async with session.get(f"{local}/one") as answer:
            print(answer.status, await answer.text())
        async with session.get(f"{local}/lines") as answer:
            print([line async for line in answer.content])
        for bad in (f"{outside}/missing", "http://nowhere.test/", f"{outside}/ws"):
            try:
                if bad.endswith("/ws"):
                    await session.ws_connect(bad)
                async with session.get(bad, raise_for_status=True) as answer:
                    print(answer.status)
            except aiohttp.ClientError as error:
                named = [word for word in ("404", "nowhere.test", "WebSockets") if word in str(error)]
                print(type(error).__name__, *named)
        try:
            await session.get(f"{local}/slow", timeout=aiohttp.ClientTimeout(total=0.2))
        except TimeoutError as error:
            print(type(error).__name__)

asyncio.run(main(*sys.argv[1:]))
"""
STARLETTE = """
from starlette.applications import Starlette
import asyncio
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

async def one(request):
    return PlainTextResponse("later one")

def two(request):
    return PlainTextResponse("now two")

async def lines(request):
    return StreamingResponse(iter(["first\\n", "second\\n"]))

async def slow(request):
    await asyncio.Event().wait()

routes = {"/one": one, "/two": two, "/lines": lines, "/slow": slow}
app = Starlette(routes=[Route(path, endpoint) for path, endpoint in routes.items()])
"""


@pytest.fixture(scope="module")
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with world_of(surface_dist, browsers) as world:
        yield world


def test_pytest_installs_and_runs_as_on_a_laptop(world: World) -> None:
    index = world.offer(*map(copied, PYTEST))
    installed = world.allowed(f"{index} pip install pytest")
    assert (installed["exit_code"], installed["stderr"]) == (0, ""), installed
    assert re.search(r"^Successfully installed .*pytest-", installed["stdout"], re.MULTILINE)

    world.surface.call("file_write", path="/project/tested/test_all.py", content=TESTS)
    ran = world.run("cd /project/tested && pytest")
    lines = [line.rstrip() for line in ran["stdout"].splitlines()]
    assert ran["exit_code"] == 1 and REPORT in "\n".join(lines), ran
    assert re.search(r"^=+ 1 failed, 3 passed in [0-9.]+s =+$", ran["stdout"], re.MULTILINE)
    assert "emscripten" in ran["stdout"] and ran["stderr"] == ""
    assert world.run("pytest -q -k passes")["stdout"].splitlines()[-1].startswith("1 passed, 3 deselected")
    assert world.run("python -m pytest -x -q")["exit_code"] == 1
    assert world.run("pytest -k nothing")["exit_code"] == 5
    assert world.run("pytest --no-such-option")["exit_code"] == 4
    # A changed test is read again.
    changed = world.run("sed -i 's/1, 3/1, 2/' test_all.py && pytest -q")
    assert changed["exit_code"] == 0 and "4 passed" in changed["stdout"], changed


@pytest.mark.extended
def test_uvicorn_serves_a_starlette_application(world: World) -> None:
    index = world.offer(*map(copied, ("starlette", "uvicorn", "h11", "click", "anyio", "idna")))
    installed = world.allowed(f"{index} pip install starlette uvicorn")
    assert installed["exit_code"] == 0, installed
    world.surface.call("file_write", path="/project/web/app.py", content=STARLETTE)
    terminal = world.surface.call("terminal_create", working_dir="/project/web")["terminal_id"]
    command = "cd /project/web && (uvicorn app:app --port 8301 & serve app:app --port 8302 &) >log 2>&1 && "
    fetch = "curl -s --retry 50 --retry-connrefused --retry-delay 0.1 localhost"
    ran = world.surface.call(
        "terminal_execute",
        terminal_id=terminal,
        command=f"{command}{fetch}:8301/one; {fetch}:8302/two",
        timeout_s=60,
    )
    assert ran["output"] == "later onenow two", ran
    fetched_by_aiohttp(world, "http://localhost:8302")
    world.surface.call("terminal_close", terminal_id=terminal)


def test_a_server_outlives_the_installation_of_a_package(world: World) -> None:
    terminal = world.surface.call("terminal_create")["terminal_id"]
    call = functools.partial(world.surface.call, "terminal_execute", terminal_id=terminal, timeout_s=30)
    fetch = "curl -s --retry 50 --retry-connrefused --retry-delay 0.1 localhost:8303/greeting"
    begun = call(command=f"echo hello > greeting; (python -m http.server 8303 &) >log 2>&1; {fetch}")
    assert begun["output"].strip() == "hello", begun
    index = world.offer(built("greeter", {"greeter.py": "value = 42\n"}))
    assert world.allowed(f"{index} pip install greeter")["exit_code"] == 0
    # The next program sees the package; modules that the surface has loaded for the server stay.
    again = call(command=f"python -c 'import greeter; print(greeter.value)'; {fetch}")
    assert again["output"].split() == ["42", "hello"], again
    world.surface.call("terminal_close", terminal_id=terminal)


def test_an_index_gets_the_login_of_its_address_in_a_header(world: World) -> None:
    index = world.offer(built("guarded", {"guarded.py": "value = 42\n"})).replace("://", "://me:pa%40ss@")
    world.outside.reset()
    installed = world.allowed(f"{index} pip install guarded")
    assert installed["exit_code"] == 0, installed
    logins = {row.get("authorization") for row in world.outside.headers}
    assert logins == {f"Basic {base64.b64encode(b'me:pa@ss').decode()}"}


def fetched_by_aiohttp(world: World, local: str) -> None:
    """Check that aiohttp's client reaches other origins, with consent, and a server in the page."""
    needs = "aiohttp aiohappyeyeballs aiosignal attrs frozenlist idna multidict propcache yarl"
    installed = world.allowed(f"{world.offer(*map(copied, needs.split()))} pip install aiohttp")
    assert installed["exit_code"] == 0, installed
    world.outside.reset()
    world.outside.pages["/data.json"] = ("application/json", b'{"a": 1}')
    world.outside.pages["/echo"] = ("text/plain", b"received")
    world.outside.pages |= {f"/page/{n}": ("text/plain", str(n).encode()) for n in range(6)}
    world.surface.call("file_write", path="/project/web/fetch.py", content=AIOHTTP)
    ran = world.allowed(f"python /project/web/fetch.py {world.outside.named} {local}")
    assert ran["stdout"].splitlines() == [
        "200 OK application/json {'a': 1} /data.json?q=%C3%A4+b",
        "True received",
        "[302] /data.json {'a': 1}",
        "200 8 b''",
        "['0', '1', '2', '3', '4', '5']",
        "200 later one",
        "[b'first\\n', b'second\\n']",
        "ClientResponseError 404",
        "ClientConnectionError nowhere.test",
        "ClientConnectionError WebSockets",
        "TimeoutError",
    ], ran
    assert b'{"a": [1]}' in world.outside.bodies
    assert world.outside.headers[0]["x-session"] == "yes"
    assert world.outside.headers[0]["user-agent"].startswith("Python/3")
    refused = Background(
        world.surface,
        "terminal_execute",
        {"command": f"python /project/web/fetch.py {world.outside.second} {local}"},
    )
    world.person.answer_questions(refused, "refuse")
    assert "ClientConnectionError: GET http://second.test" in refused.result()["output"]


@pytest.mark.extended
def test_packages_come_from_the_distribution_first(world: World, surface_dist: Path) -> None:
    [native] = surface_dist.glob("*/packages/jiter-*.whl")
    wheels = [renamed(native, "quickparse"), built("thing", {"thing.py": "value = 42\n"})]
    world.offer(built("thing", {"thing.py": "value = 0\n"}, version="2.0"))
    lock = json.loads(next(surface_dist.glob("*/packages/pyodide-distribution.json")).read_text())
    entry = {"depends": [], "imports": [], "install_dir": "site", "package_type": "package"}
    lock["packages"] = {
        wheel.package: entry
        | {"name": wheel.package, "version": wheel.version, "file_name": wheel.name, "sha256": wheel.digest}
        for wheel in wheels
    }
    lock["packages"]["quickparse"]["depends"] = ["thing"]
    world.outside.pages["/full/pyodide-lock.json"] = ("application/json", json.dumps(lock).encode())
    for wheel in wheels:
        world.outside.pages[f"/full/{wheel.name}"] = ("application/zip", wheel.content)
    setting = f"PIP_PYODIDE_LOCK={world.outside.named}/full/pyodide-lock.json"
    installed = world.allowed(f"{setting} pip install quickparse")
    assert installed["exit_code"] == 0, installed
    assert "Successfully installed quickparse-1.0 thing-1.0" in installed["stdout"]
    parse = "python -c 'import jiter, thing; print(jiter.from_json(b\"[1]\"), thing.value)'"
    assert world.run(parse)["stdout"] == "[1] 42\n"

    world.outside.reset()
    world.surface.reload()
    assert world.run(parse)["stdout"] == "[1] 42\n"
    assert world.outside.seen() == (0, [])


@pytest.mark.extended
def test_the_settings_name_the_lock_file(world: World, surface_dist: Path) -> None:
    wheel = built("numpy", {"numpy.py": "value = 'mirrored'\n"}, tag=platform(surface_dist))
    lock = json.loads(next(surface_dist.glob("*/packages/pyodide-distribution.json")).read_text())
    entry = {"depends": [], "imports": ["numpy"], "install_dir": "site", "package_type": "package"}
    about = {"name": "numpy", "version": wheel.version, "file_name": wheel.name, "sha256": wheel.digest}
    lock["packages"] = {"numpy": entry | about}
    world.outside.pages["/mirror/pyodide-lock.json"] = ("application/json", json.dumps(lock).encode())
    world.outside.pages[f"/mirror/{wheel.name}"] = ("application/zip", wheel.content)
    person = world.person
    open_settings(person)
    field = person.find('region "Python packages" textbox "Lock file"')
    field.send_keys("mirror", Keys.ENTER)
    assert "can't be at 'mirror'." in person.sees('region "Python packages" [role=status]', "https://")
    erase(field)
    field.send_keys(f"{world.outside.named}/mirror/pyodide-lock.json", Keys.ENTER)
    person.sees('region "Python packages" [role=status]', "Saved")

    world.surface.reload()
    command = {
        "command": "pip install numpy && python -c 'import numpy; print(numpy.value)'",
        "timeout_s": 60,
    }
    call = Background(world.surface, "terminal_execute", command)
    questions = person.answer_questions(call, "run")
    assert call.result()["output"].endswith("Successfully installed numpy-1.0\nmirrored\n"), call.result()
    assert questions and all(world.outside.named in question for question in questions), questions
    open_settings(person)
    erase(person.find('region "Python packages" textbox "Lock file"'))
    person.find('region "Python packages" textbox "Lock file"').send_keys(Keys.ENTER)
    person.sees('region "Python packages" [role=status]', "pip install uses Pyodide’s own")


@pytest.mark.extended
def test_a_wheel_for_this_platform_comes_before_a_pure_one(world: World, surface_dist: Path) -> None:
    wheels = [
        built("tagged", {"tagged.py": "value = 'pure'\n"}),
        built("tagged", {"tagged.py": "value = 'platform'\n"}, tag=platform(surface_dist)),
        built("tagged", {"tagged.py": "value = 'foreign'\n"}, tag="cp314-cp314-manylinux_2_17_x86_64"),
    ]
    index = world.offer(*wheels)
    urls = [f"{world.outside.named}/files/{wheel.name}" for wheel in wheels]
    about = [json.loads(wheel.metadata(url)) for wheel, url in zip(wheels, urls, strict=True)]
    files = [file for one in about for file in one["releases"]["1.0"]]
    page = json.dumps(about[0] | {"releases": {"1.0": files}}).encode()
    world.outside.pages["/simple/tagged/json"] = ("application/json", page)
    installed = world.allowed(f"{index} pip install tagged")
    assert installed["exit_code"] == 0, installed
    assert world.run("python -c 'import tagged; print(tagged.value)'")["stdout"] == "platform\n"


def platform(surface_dist: Path) -> str:
    """Return the tag of wheels for this Pyodide."""
    [native] = surface_dist.glob("*/packages/jiter-*.whl")
    return native.stem.split("-", 2)[2]


@pytest.mark.extended
def test_a_damaged_package_of_the_distribution_is_refused(world: World, surface_dist: Path) -> None:
    lock = json.loads(next(surface_dist.glob("*/packages/pyodide-distribution.json")).read_text())
    wheel = built("spoilt", {"spoilt.py": ""})
    lock["packages"] = {
        "spoilt": {
            **{
                "name": "spoilt",
                "version": "1.0",
                "file_name": wheel.name,
                "sha256": "0" * 64,
                "depends": [],
            },
            **{"imports": [], "install_dir": "site", "package_type": "package"},
        }
    }
    world.outside.pages["/other/pyodide-lock.json"] = ("application/json", json.dumps(lock).encode())
    world.outside.pages[f"/other/{wheel.name}"] = ("application/zip", wheel.content)
    done = world.allowed(f"PIP_PYODIDE_LOCK={world.outside.named}/other/pyodide-lock.json pip install spoilt")
    assert done["exit_code"] == 1 and "could not load spoilt" in done["stderr"], done

    lock["info"]["abi_version"] = "2020_0"
    world.outside.pages["/old/pyodide-lock.json"] = ("application/json", json.dumps(lock).encode())
    done = world.allowed(f"PIP_PYODIDE_LOCK={world.outside.named}/old/pyodide-lock.json pip install spoilt")
    assert done["exit_code"] == 1 and "it is for abi_version 2020_0, not" in done["stderr"], done


@pytest.mark.extended
def test_an_incomplete_installation_fails_and_leaves_nothing(world: World) -> None:
    lacking = "Requires-Dist: markupsafe>=3\nRequires-Dist: colours; extra == 'loud'\n"
    # Pyodide's list has markupsafe, whose address nobody answers here.
    index = world.offer(built("halfway", {"halfway.py": ""}, more=lacking))
    for _ in range(2):
        done = world.allowed(f"{index} pip install halfway")
        assert done["exit_code"] == 1, done
        assert "could not load markupsafe (required by halfway)" in done["stderr"], done
    assert world.run("python -c 'import halfway'")["exit_code"] == 1
    assert world.allowed(f"{index} pip install --no-deps halfway")["exit_code"] == 0


@pytest.mark.extended
def test_entry_points_are_commands_that_outlive_the_page(world: World) -> None:
    wheel = built(
        "greeting",
        {
            "greeting/__init__.py": "",
            "greeting/__main__.py": "from greeting.cli import main\nmain()\n",
            "greeting/cli.py": "import sys\n\ndef main():\n    print('hello', *sys.argv[1:])\n    return 3\n",
            "greeting-1.0.data/scripts/greet-all": "#!python\nprint('hello all')\n",
            "*.dist-info/entry_points.txt": "[console_scripts]\ngreet = greeting.cli:main\n",
        },
        more="Provides-Extra: loud\nRequires-Dist: shouting; extra == 'loud'\n",
    )
    index = world.offer(wheel, built("shouting", {"shouting.py": ""}))
    installed = world.allowed(f"{index} pip install 'greeting[loud]'")
    assert "Successfully installed greeting-1.0 shouting-1.0" in installed["stdout"], installed
    world.surface.reload()
    greeted = world.run("greet you; echo $?; greet-all; python -m greeting; which greet")
    assert greeted["stdout"] == "hello you\n3\nhello all\nhello\n/home/user/.local/bin/greet\n", greeted
    assert "  ../../../bin/greet\n" in world.run("pip show -f greeting")["stdout"]
    assert "greeting==1.0" in world.run("pip freeze")["stdout"].splitlines()

    removed = world.run("pip uninstall -y greeting; greet")
    assert removed["exit_code"] == 127 and "Successfully uninstalled greeting-1.0" in removed["stdout"], (
        removed
    )
    assert world.run("ls ~/.local/bin/greet-all; python -c 'import greeting'")["stdout"] == ""


@pytest.mark.extended
def test_a_project_installs_in_its_directory_with_its_own_backend(world: World) -> None:
    world.surface.call("file_write", path="/project/mine/pyproject.toml", content=PROJECT)
    world.surface.call("file_write", path="/project/mine/backend.py", content=BACKEND)
    module = "def main():\n    print('first')\n"
    world.surface.call("file_write", path="/project/mine/src/mine/__init__.py", content=module)
    installed = world.run("cd /project/mine && pip install -e .")
    assert installed["exit_code"] == 0, installed
    assert "Successfully installed project-of-mine-0.1" in installed["stdout"], installed
    assert world.run("cd /; mine")["stdout"] == "first\n"
    assert (
        world.run("sed -i s/first/second/ /project/mine/src/mine/__init__.py; mine")["stdout"] == "second\n"
    )
    world.surface.reload()
    assert world.run("mine; pip show project-of-mine | head -2")["stdout"] == (
        "second\nName: project-of-mine\nVersion: 0.1\n"
    )


def test_virtual_environments_say_what_to_do_instead(world: World) -> None:
    for command in ("python -m venv .venv", "virtualenv .venv"):
        done = world.run(command)
        assert done["exit_code"] == 1 and "use python and pip without activating one" in done["stderr"], done


def test_the_console_installs_what_an_import_lacks(world: World) -> None:
    index = world.offer(built("jollygood", {"jollygood.py": "value = 42\n"})).partition("=")[2]
    world.surface.call("python_run", code=f"%env PIP_INDEX_URL={index}")
    person = world.person
    show_console(person)
    enter(person, "from jollygood import value; value")
    served = world.outside.gates["/simple/jollygood/json"] = threading.Event()
    person.click(".console-entry:last-of-type .console-install")
    person.asked("outside.test")
    person.answer_until(LOADED)
    # Input entered meanwhile runs afterwards. The index is still silent, so that no question takes the focus.
    world.surface.driver.execute_cdp_cmd("Input.insertText", {"text": "value + 1"})
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    served.set()
    person.answer_until(
        "document.querySelector('#console-log').innerText.includes('Successfully installed jollygood-1.0')"
    )
    assert person.sees(".console-entry:last-of-type .console-result", "43") == "43"
    assert person.sees(".console-entry:nth-last-of-type(2) .console-result") == "42"


@pytest.mark.extended
def test_after_a_question_the_console_takes_what_is_typed(world: World) -> None:
    world.outside.pages["/text"] = ("text/plain", b"hello")
    person = world.person
    show_console(person)
    code = f"import urllib.request; urllib.request.urlopen('{world.outside.named}/text').read()"
    enter(person, code)
    person.click('button "Allow once"')
    person.sees(".console-entry:last-of-type .console-result", "hello")
    enter(person, "6 * 7")
    assert person.sees(".console-entry:last-of-type .console-result", "42") == "42"


@pytest.mark.extended
def test_a_progress_bar_of_rich_is_drawn_in_the_console(world: World) -> None:
    index = world.offer(*map(copied, ("rich", "markdown-it-py", "mdurl", "pygments")))
    installed = world.allowed(f"{index} pip install rich")
    assert installed["exit_code"] == 0, installed
    person = world.person
    show_console(person)
    code = "from rich.progress import track; print(sum(track(range(50), 'Summing')), 'in all')"
    enter(person, code)
    shown = person.sees(".console-entry:last-of-type .console-stdout", "in all")
    assert shown.count("Summing") == 1 and "100%" in shown and "1225 in all" in shown


OFFER = "[data-front] .terminal-install"


@pytest.mark.fortnightly
def test_a_terminal_installs_what_a_typed_command_lacks(world: World, folder: str) -> None:
    index = world.offer(built("jollyterm", {"jollyterm.py": "value = 42\n"})).partition("=")[2]
    surface, person = world.surface, world.person
    surface.call(
        "file_write", path=f"{folder}/main.py", content="from jollyterm import value\nprint('got', value)\n"
    )
    person.open_panel(TERMINALS)
    made = surface.call("terminal_create")["terminal_id"]
    agents = surface.call("terminal_execute", terminal_id=made, command=f"cd {folder}; python main.py")
    assert "pip install jollyterm" in agents["output"] and "Ctrl+Enter" not in agents["output"]
    assert surface.javascript(f"return document.querySelector('{OFFER}')") is None
    person.sees(f"[data-tab-panel-id={made}][aria-selected=true]")
    person.enter_terminal()
    person.type(f"export PIP_INDEX_URL={index}; clear\n")
    person.type("python main.py\n")
    assert "Install jollyterm and run again" in person.sees(OFFER)
    person.press(Keys.ENTER, holding=Keys.CONTROL)
    person.answer_until("document.querySelector('[data-front] .xterm-rows').innerText.includes('got 42')")
    assert surface.javascript(f"return document.querySelector('{OFFER}')") is None
    surface.call("terminal_close", terminal_id=made)
