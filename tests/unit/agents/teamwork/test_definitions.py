"""Agents as files: which are read, which are refused and why, and which are written once."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gemini.agents.teamwork.files import AgentFiles
from gemini.errors import AgentFileBroken, AgentMissing, AlreadyExists, EditConflict, InvalidArguments

GOOD = """---
name: baker
role: Bakes.
model: local/small
tools: [files, python_run]
budgets:
  run: {steps: 5, cost: 0.5}
  day: {cost: 2}
color: "#112233"
---

You bake.

--- not a mark
"""


BOMB = "a: &a [x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghijkl")
)


class Folders:
    """A project's and a home's folder of agents."""

    def __init__(self, root: Path) -> None:
        self.project, self.home = root / "project/.agents", root / "home/.agents"
        self.provided: set[str] = set()
        self.files = AgentFiles([self.project, self.home], lambda: self.provided, self.provided.add)

    def write(self, folder: Path, name: str, text: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders(tmp_path)


async def test_a_file_is_an_agent(folders: Folders) -> None:
    folders.write(folders.home, "baker.md", GOOD)
    baker = (await folders.files.read()).get("baker")
    assert (baker.role, baker.model, baker.tools, baker.color) == (
        "Bakes.",
        "local/small",
        ["files", "python_run"],
        "#112233",
    )
    assert (baker.budgets.run.steps, baker.budgets.run.cost, baker.budgets.day.cost) == (5, 0.5, 2)
    assert baker.prompt == "You bake.\n\n--- not a mark"


async def test_the_projects_file_comes_first(folders: Folders) -> None:
    folders.write(folders.home, "baker.md", GOOD)
    folders.write(folders.project, "baker.md", "---\nrole: Bakes here.\ntools: files, dom\n---\nHere.")
    baker = (await folders.files.read()).get("baker")
    assert (baker.role, baker.prompt, baker.tools) == ("Bakes here.", "Here.", ["files", "dom"])


@pytest.mark.fortnightly
@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("You bake.", 1, "doesn't begin with front matter"),
        ("---\nrole: Bakes.\n", 2, "no second line"),
        ("---\nrole: [a\nmodel: b\n---\n", 3, "expected ','"),
        ("---\nrole: a\nrole: b\n---\n", 3, "duplicate key"),
        ("---\n- role\n---\n", 2, "isn't a list of names"),
        ("---\nrole: a\ncolour: red\n---\n", 3, "colour: Extra inputs"),
        ("---\nrole: a\nbudgets:\n  run:\n    steps: none\n---\n", 5, "budgets.run.steps"),
        ("---\nrole: a\nname: cook\n---\n", 3, "the name must be the file's"),
        ("---\nrole: a\nprompt: b\n---\n", 3, "no field of the front matter"),
        ("---\nmodel: a\n---\n", 1, "role: Field required"),
        (f"---\nrole: a\n{BOMB}---\n", 3, "a: Extra inputs"),
        ("---\nrole: a\ntools: &t [*t]\n---\n", 3, "tools"),
        (f"---\nrole: {'[' * 20_000}\n---\n", 2, "nested too deeply"),
        ("---\nrole: !!python/object/apply:os.system [ls]\n---\n", 2, "could not determine a constructor"),
    ],
)
async def test_a_broken_file_names_its_line(folders: Folders, text: str, line: int, reason: str) -> None:
    folders.write(folders.home, "baker.md", text)
    found = await folders.files.read()
    with pytest.raises(AgentFileBroken) as caught:
        found.get("baker")
    assert caught.value.data["line"] == line
    assert reason in caught.value.data["reason"] and f"baker.md, line {line}: " in caught.value.message
    assert found.get("coder").role


async def test_a_file_that_is_no_text_is_broken(folders: Folders) -> None:
    folders.home.mkdir(parents=True)
    (folders.home / "baker.md").write_bytes(b"\xff\xfe\x00")
    assert "isn't UTF-8" in (await folders.files.read()).broken["baker"].message


async def test_provided_agents_are_written_once(folders: Folders) -> None:
    names = {"orchestrator", "coder", "researcher", "writer", "analyst"}
    assert set((await folders.files.read()).agents) == names
    (folders.home / "coder.md").write_text("---\nrole: Mine.\n---\nMine.")
    (folders.home / "writer.md").unlink()
    found = await folders.files.read()
    assert set(found.agents) == names - {"writer"}
    assert found.get("coder").role == "Mine."
    with pytest.raises(AgentMissing, match="writer"):
        found.get("writer")


async def test_a_file_of_an_earlier_visit_is_not_overwritten(folders: Folders) -> None:
    folders.write(folders.home, "coder.md", "---\nrole: Mine.\n---\nMine.")
    assert (await folders.files.read()).get("coder").role == "Mine."
    assert folders.provided >= {"coder"}


async def test_a_new_agent_is_read_as_it_was_created(folders: Folders) -> None:
    created = folders.files.create(
        "baker",
        'Bakes "rolls": all kinds.\n',
        prompt="You bake.\n\n---\n\nWell.",
        tools=["files"],
        budgets={"run": {"steps": 3}},
    )
    assert (await folders.files.read()).get("baker") == created
    with pytest.raises(AlreadyExists):
        folders.files.create("baker", "Bakes.")
    assert folders.files.create("baker", "Bakes.", replace=True).role == "Bakes."


@pytest.mark.parametrize(
    "fields",
    [{"name": "../evil", "role": "a"}, {"name": "Baker", "role": "a"}, {"name": "baker", "role": ""}],
)
def test_an_invalid_agent_is_not_written(folders: Folders, fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments):
        folders.files.create(**fields)
    assert not folders.home.exists()


async def test_a_changed_file_keeps_its_comments(folders: Folders) -> None:
    text = GOOD.replace("role: Bakes.", "# Chosen by it.\nrole: Bakes.").replace("name: baker\n", "")
    folders.write(folders.home, "baker.md", text)
    baker = (await folders.files.read()).get("baker")
    version = folders.files.version(baker)
    after = baker.model_copy(update={"model": None, "prompt": "You bake bread."})
    folders.files.change(baker, after, version)
    assert (folders.home / "baker.md").read_text() == (
        "---\n# Chosen by it.\nrole: Bakes.\ntools: [files, python_run]\nbudgets:\n  run: {steps: 5, cost: 0.5}\n"
        '  day: {cost: 2}\ncolor: "#112233"\n---\n\nYou bake bread.\n'
    )
    assert (await folders.files.read()).get("baker") == after
    with pytest.raises(EditConflict):
        folders.files.change(baker, baker, version)
