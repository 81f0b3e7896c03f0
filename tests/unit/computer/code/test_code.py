"""Questions of the editor about Python code, and renaming."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.code.panel_tools import CodeTools
from gemini.computer.code.questions import answer
from gemini.core.encoding import encode
from gemini.errors import CodeProblem
from gemini.tools import Registry
from gemini.tools.registry import PERSON

Ask = Callable[..., Awaitable[Any]]

SHAPES = '''\
class Circle:
    """A round shape."""

    def __init__(self, radius: float, *, unit: str = "mm") -> None:
        self.radius = radius

    def area(self, digits: int = 2) -> float:
        """Return the area."""
        return round(3.14 * self.radius**2, digits)
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a module `shapes`."""
    folder = tmp_path / "project"
    (folder / "deep").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("")
    (folder / "shapes.py").write_text(SHAPES)
    return folder


@pytest.fixture
def ask(project: Path) -> Ask:
    """Ask about the position of `|` in a text."""

    async def ask(about: str, marked: str, name: str = "main.py") -> Any:
        before, _, after = marked.partition("|")
        line = before.rpartition("\n")[2]
        return await answer(
            {
                "about": about,
                "path": str(project / name),
                "text": before + after,
                "line": before.count("\n") + 1,
                "column": len(line),
            }
        )

    return ask


async def test_members_of_the_projects_classes_are_completed(ask: Ask) -> None:
    found = await ask("complete", "from shapes import Circle\né = 'é'; Circle(2).a|")
    [area] = found.candidates
    assert (area.text, area.kind, area.signature) == ("area", "function", "(digits)")
    assert found.start == len("é = 'é'; Circle(2).")
    assert [each.text for each in (await ask("complete", "import shapes\nshapes.Circle(ra|")).candidates][
        :1
    ] == ["radius="]


async def test_private_names_are_listed_after_an_underscore(ask: Ask) -> None:
    source = "from shapes import Circle\nCircle(2)."
    assert [each.text for each in (await ask("complete", f"{source}|")).candidates] == ["area", "radius"]
    assert "__init__" in [each.text for each in (await ask("complete", f"{source}_|")).candidates]


async def test_a_call_has_its_signature(ask: Ask) -> None:
    found = await ask("signature", "from shapes import Circle\nCircle(2, |)")
    assert found == {"signature": 'Circle(radius: float, *, unit: str="mm")'}
    assert await ask("signature", "x = 1|") == {"signature": None}


async def test_a_name_is_described(ask: Ask) -> None:
    found = await ask("describe", "from shapes import Circle\nCircle(2).ar|ea()")
    assert found["help"].title == "area(digits: int=2) -> float"
    assert found["help"].text == "Return the area."
    assert await ask("describe", "  |  ") == {"help": None}
    assert await ask("describe", "fo|r x in y: pass") == {"help": None}


async def test_a_definition_is_found_in_another_file(ask: Ask, project: Path) -> None:
    found = await ask("define", "import shapes\nshapes.Circle(1).ar|ea()", "deep/below.py")
    assert (found["place"].path, found["place"].line) == (str(project / "shapes.py"), 7)
    assert (await ask("define", "le|n([])"))["place"].path is None
    assert await ask("define", "|") == {"place": None}


async def test_incomplete_code_has_answers(ask: Ask) -> None:
    for about in ("complete", "signature", "describe", "define"):
        encode(await ask(about, "def f(:\n  x = (((\nclass |"))


# --- Renaming ---


@pytest.fixture
def changes() -> list[str]:
    """The changes that were reported."""
    return []


@pytest.fixture
def rename(project: Path, changes: list[str]) -> Ask:
    registry = Registry()
    registry.add_room(CodeTools(lambda path: str(project / path), lambda: changes.append("changed")))

    async def rename(path: str, line: int, column: int, name: str) -> Any:
        return await registry.call(
            "panel_rename_name", {"path": path, "line": line, "column": column, "name": name}, caller=PERSON
        )

    return rename


async def test_a_name_is_renamed_in_all_files(project: Path, rename: Ask, changes: list[str]) -> None:
    (project / "main.py").write_bytes(b"\xef\xbb\xbffrom shapes import Circle\r\n\r\nCircle(1).area()\r\n")
    (project / "deep/other.py").write_text("area = 1  # another name\n")
    done = await rename("shapes.py", 7, 9, "surface")
    assert done == {"paths": [str(project / "main.py"), str(project / "shapes.py")]}
    assert (project / "main.py").read_bytes() == (
        b"\xef\xbb\xbffrom shapes import Circle\r\n\r\nCircle(1).surface()\r\n"
    )
    assert (project / "shapes.py").read_text() == SHAPES.replace("def area", "def surface")
    assert (project / "deep/other.py").read_text() == "area = 1  # another name\n"
    assert changes == ["changed"]


@pytest.mark.parametrize(
    ("place", "name", "problem"),
    [
        ((1, 6), "two words", "'two words' is not a name"),
        ((1, 6), "class", "'class' is not a name"),
        ((3, 0), "other", "no name"),
        ((9, 16), "other", "round is defined outside"),
    ],
)
async def test_what_can_not_be_renamed_stays(
    project: Path, rename: Ask, place: tuple[int, int], name: str, problem: str
) -> None:
    with pytest.raises(CodeProblem, match=problem):
        await rename("shapes.py", *place, name)
    assert (project / "shapes.py").read_text() == SHAPES


async def test_a_module_is_not_renamed_without_its_file(project: Path, rename: Ask) -> None:
    (project / "main.py").write_text("import shapes\n")
    with pytest.raises(CodeProblem, match="named by its file"):
        await rename("main.py", 1, 8, "forms")


async def test_agents_can_not_rename(project: Path) -> None:
    registry = Registry()
    registry.add_room(CodeTools(str, lambda: None))
    assert "UnknownTool" in await registry.call_json("panel_rename_name", {}, caller="webmcp")
