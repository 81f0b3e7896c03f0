"""The names of `import gemini`, and the cost of importing it."""

import inspect
import os
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import gemini
from gemini import errors
from gemini.errors import UsageProblem

EXPECTED = {
    "active_terminal", "agents", "browser", "create_terminal", "export_all", "file_browser", "find_file", "import_all",
    "list_files", "resources", "run_command", "start", "terminal_manager", "terminals", "tool",
}  # fmt: skip


def python(code: str, folder: Path) -> str:
    """Return the output of `code` in a new interpreter; asyncio and Path are imported."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"import asyncio\nfrom pathlib import Path\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )
    assert result.stderr == ""
    return result.stdout


def test_the_namespace_has_the_expected_names() -> None:
    assert set(gemini.__all__) >= EXPECTED
    assert gemini.__all__[0] == "terminals"
    assert set(dir(gemini)) >= EXPECTED


@pytest.mark.parametrize(
    "name",
    sorted(
        set(gemini.__all__)
        - {"terminal_manager", "terminals", "active_terminal", "file_browser", "browser", "linux"}
    ),
)
def test_each_name_can_be_loaded(name: str) -> None:
    assert getattr(gemini, name) is not None


@pytest.mark.parametrize("name", ["terminal_manager", "active_terminal", "file_browser", "browser"])
def test_attributes_of_the_surface_raise_before_the_start(name: str) -> None:
    with pytest.raises(UsageProblem) as problem:
        getattr(gemini, name)
    assert problem.value.hint == "Run `await gemini.start()` first."


async def test_functions_raise_before_the_start() -> None:
    with pytest.raises(UsageProblem):
        gemini.list_files("/")
    with pytest.raises(UsageProblem):
        gemini.create_terminal()
    with pytest.raises(UsageProblem):
        await gemini.run_command("ls")


def test_the_module_can_be_inspected_before_the_start() -> None:
    assert not hasattr(gemini, "browser")
    assert {"run_command", "GeminiError", "tool"} <= {name for name, _ in inspect.getmembers(gemini)}
    assert "run_command" in pydoc.render_doc(gemini)


def test_every_error_is_a_gemini_error_and_exported() -> None:
    defined = {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, BaseException)
    }
    assert all(issubclass(kind, gemini.GeminiError) for kind in defined.values())
    assert {name: getattr(gemini, name) for name in defined} == defined
    assert set(defined) <= set(dir(gemini)) and not set(defined) & set(gemini.__all__)


def test_help_begins_with_what_one_uses() -> None:
    text = pydoc.plain(pydoc.render_doc(gemini))
    places = [
        text.index(f"gemini.{name} ") for name in ("terminals", "file_browser", "browser", "agents", "tool")
    ]
    assert places == sorted(places) and places[-1] < text.index("GeminiError")
    assert "TaskRefused" not in text and "run_command" in text


def test_a_module_can_be_imported_while_the_surface_runs(tmp_path: Path) -> None:
    code = """
import gemini

async def main():
    global gemini
    await gemini.start(home="project")
    import gemini.computer.terminal.manager
    import gemini.agents.runs.runs
    print(type(gemini.terminals).__name__, gemini.computer.terminal.manager.TerminalManager.__name__)

asyncio.run(main())
"""
    assert python(code, tmp_path) == "dict TerminalManager\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'gemini' has no attribute 'nothing'"):
        _ = gemini.nothing  # pyright: ignore


def test_importing_loads_nothing_heavy(tmp_path: Path) -> None:
    heavy = {
        "pydantic",
        "pyte",
        "docstring_parser",
        "asyncio",
        "gemini.kernel",
        "gemini.computer.terminal",
        "gemini.tools",
    }
    code = (
        f"import sys\nbefore = set(sys.modules)\nimport gemini\nprint({heavy} & (set(sys.modules) - before))"
    )
    assert python(code, tmp_path) == "set()\n"


def test_a_script_can_use_the_started_surface(tmp_path: Path) -> None:
    code = """
import gemini

async def main():
    surface = await gemini.start(home="project")
    assert await gemini.start() is surface
    assert surface.terminals is gemini.terminal_manager and surface.browser is gemini.browser
    assert (await surface.tools.call("terminal_list")) == []
    assert list(surface.agents) == [] and surface.chats.rows() == []
    assert surface.models.row()["choices"] == [] and surface.files is gemini.file_browser
    terminal = gemini.create_terminal(x=5, y=7)
    assert gemini.terminals == {terminal.term_id: terminal}
    assert gemini.active_terminal is terminal
    assert gemini.terminal_manager.get() is terminal
    print(terminal.x, terminal.y, Path(terminal.working_dir).name)
    Path("project/notes").mkdir()
    Path("project/notes/b.md").write_text("text")
    print([file.name for file in gemini.list_files("notes")])
    print([Path(file.path).name for file in gemini.find_file("*.md", "notes")])
    gemini.file_browser.navigate("notes")
    print(await gemini.file_browser.read_file("notes/b.md"))
    print(len(gemini.registry.rows()))

asyncio.run(main())
"""
    assert python(code, tmp_path).splitlines() == ["5 7 project", "['b.md']", "['b.md']", "text", "41"]


def test_a_tool_can_be_declared_without_the_surface(tmp_path: Path) -> None:
    code = """
import gemini

@gemini.tool
def add(a: int, b: int) -> int:
    "Add."
    return a + b

print(asyncio.run(gemini.registry.call_json("add", {"a": 1, "b": 2}, caller="script")))
"""
    assert python(code, tmp_path) == "3\n"
