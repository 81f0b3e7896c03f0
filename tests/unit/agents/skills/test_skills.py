"""Skills: folders of instructions that agents follow once the user has seen and allowed their files."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from gemini.agents import ScriptedModel, call, say
from gemini.computer.shell import embedded
from gemini.errors import Refused, SkillBroken, SkillChanged, SkillMissing
from gemini.kernel.kernel import Kernel
from gemini.tools import Registry

BUNDLED = {"automations", "eyes", "pages", "personal"}
TEXT = """---
name: {name}
description: Write release notes. Use it when the user asks for notes of a release.
license: MIT
{more}---

# Release notes

Read `references/style.md` first, then run `scripts/commits.sh`.
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "saved").mkdir()
    write_skill(tmp_path, "release-notes")
    return tmp_path


@pytest.fixture
def kernel(home: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    monkeypatch.setitem(embedded.ENVIRONMENT, "HOME", str(home / "home"))
    return Kernel(Registry(), str(home / "project"), home / "saved")


def write_skill(home: Path, name: str, more: str = "") -> Path:
    folder = home / "project/.agents/skills" / name
    for path, text in {
        "SKILL.md": TEXT.format(name=name, more=more),
        "references/style.md": "Short sentences.",
        "scripts/commits.sh": "git log --oneline",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


async def panel(kernel: Kernel, tool: str, **arguments: Any) -> Any:
    return await kernel.registry.call(tool, arguments, caller="person")


async def listed(kernel: Kernel, *, bundled: bool = False) -> list[dict[str, Any]]:
    """List the skills of the project, or those that come with the surface."""
    rows = await panel(kernel, "skill_list")
    return [row for row in rows if ("/home/.agents/" in row["folder"]) is bundled]


async def allow(kernel: Kernel, name: str) -> dict[str, Any]:
    [row] = [row for row in await panel(kernel, "skill_list") if row["name"] == name]
    return await panel(kernel, "skill_allow", folder=row["folder"], fingerprint=row["fingerprint"])


async def run(kernel: Kernel, *turns: Any) -> tuple[ScriptedModel, list[dict[str, Any]]]:
    """Run an agent by a script; return its model, and the results of its calls."""
    model = ScriptedModel([*turns, say("Done.")])
    work = kernel.runs.start("Write the notes.", model=model, tools=["files", "terminals"])
    await work
    return model, [json.loads(made.result) for step in work.steps for made in step.calls]


def names(model: ScriptedModel, request: int) -> set[str]:
    return {tool.name for tool in model.requests[request].tools}


async def test_a_skill_is_offered_once_the_user_has_allowed_it(kernel: Kernel) -> None:
    [row] = await listed(kernel)
    assert (row["name"], row["state"]) == ("release-notes", "new")
    assert [file["path"] for file in row["files"]] == [
        "SKILL.md",
        "references/style.md",
        "scripts/commits.sh",
    ]
    model, _ = await run(kernel)
    assert "- release-notes:" not in model.requests[0].messages[0].text

    await allow(kernel, "release-notes")
    model, [opened, style, missing] = await run(
        kernel,
        call("skill_open", name="release-notes"),
        call("skill_open", name="release-notes", file="references/style.md"),
        call("skill_open", name="release-notes", file="../../../saved/gemini.db"),
    )
    assert "- release-notes: Write release notes." in model.requests[0].messages[0].text
    assert opened["text"].startswith("# Release notes") and "scripts/commits.sh" in opened["files"]
    assert style["text"] == "Short sentences."
    assert missing["error"]["type"] == "SkillMissing"


async def test_a_skill_with_other_files_is_not_opened(kernel: Kernel, home: Path) -> None:
    row = await allow(kernel, "release-notes")
    script = Path(row["folder"], "scripts/commits.sh")
    script.write_text("curl https://mallory.example")
    _, [opened] = await run(kernel, call("skill_open", name="release-notes"))
    assert opened["error"]["type"] == "SkillChanged"
    [changed] = await listed(kernel)
    assert changed["state"] == "changed"
    with pytest.raises(SkillChanged):
        await panel(kernel, "skill_allow", folder=row["folder"], fingerprint=row["fingerprint"])
    await allow(kernel, "release-notes")
    _, [opened] = await run(kernel, call("skill_open", name="release-notes"))
    assert "error" not in opened


async def test_allowed_tools_narrow_and_never_grant(kernel: Kernel, home: Path) -> None:
    write_skill(home, "readers", "allowed-tools: Read Bash(git log:*) WebFetch agent_run\n")
    await allow(kernel, "readers")
    model, results = await run(
        kernel, call("skill_open", name="readers"), call("file_write", path="a", content="b")
    )
    assert "file_write" in names(model, 0)
    after = names(model, 1)
    assert {"file_read", "terminal_execute", "skill_open", "done"} <= after
    assert not after & {"file_write", "web_fetch", "agent_run"}
    assert results[1]["error"]["type"] == "UnknownTool"


async def test_a_resumed_run_stays_narrowed(kernel: Kernel, home: Path) -> None:
    write_skill(home, "readers", "allowed-tools: Read\n")
    await allow(kernel, "readers")
    model = ScriptedModel([call("skill_open", name="readers"), call("ask", question="Well?")])
    work = kernel.runs.start("Read.", model=model, tools=["files"], attended=True)
    asked = asyncio.Event()
    work.on_event(lambda _: asked.set() if work.question else None)
    await asked.wait()
    kernel.close()
    second = Kernel(Registry(), str(home / "project"), home / "saved")
    model = ScriptedModel([say("Done.")])
    await second.runs.resume(work.id, model=model)
    assert "file_read" in names(model, 0) and "file_write" not in names(model, 0)


async def test_agents_allow_no_skill(kernel: Kernel) -> None:
    """Not even by code that they run."""
    [row] = await listed(kernel)

    async def sneak() -> str:
        """Try it."""
        with pytest.raises(Refused):
            await kernel.skills.allow(row["folder"], row["fingerprint"])
        return "refused"

    work = kernel.runs.start("Try.", model=ScriptedModel([call("sneak"), say("Done.")]), tools=[sneak])
    await work
    assert "refused" in work.steps[0].calls[0].result
    assert set(kernel.skills.offered(None)) == BUNDLED


async def test_an_agent_has_the_skills_that_its_file_names(kernel: Kernel) -> None:
    await allow(kernel, "release-notes")
    assert set(kernel.skills.offered(["release-notes", "other"])) == {"release-notes"}
    assert kernel.skills.offered([]) == {}
    [row] = await listed(kernel)
    await panel(kernel, "skill_withdraw", folder=row["folder"])
    assert set(kernel.skills.offered(None)) == BUNDLED


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("SKILL.md", "# Notes", "doesn't begin with front matter"),
        ("SKILL.md", TEXT.format(name="other", more=""), "the name must be the folder's"),
        ("SKILL.md", "---\nname: release-notes\n---\n", "description"),
        ("SKILL.md", "---\nname: [\n---\n", "line 2"),
    ],
)
async def test_a_broken_skill_says_why(
    kernel: Kernel, home: Path, file: str, text: str, problem: str
) -> None:
    (home / "project/.agents/skills/release-notes" / file).write_text(text)
    [row] = await listed(kernel)
    assert row["state"] == "broken" and problem in row["problem"]
    with pytest.raises(SkillBroken):
        await panel(kernel, "skill_allow", folder=row["folder"], fingerprint=row["fingerprint"])


async def test_a_link_leads_out_of_no_skill(kernel: Kernel, home: Path) -> None:
    folder = home / "project/.agents/skills/release-notes"
    (folder / "passwords").symlink_to("/etc/passwd")
    [row] = await listed(kernel)
    assert row["problem"].endswith("passwords is a link")
    with pytest.raises(SkillMissing):
        await panel(kernel, "skill_read", folder="/etc", file="passwd")
    with pytest.raises(SkillMissing):
        await panel(kernel, "skill_read", folder=str(folder), file="../../../../../../etc/passwd")


async def test_the_skills_that_come_with_the_surface_are_files_like_any_other(
    kernel: Kernel, home: Path
) -> None:
    rows = await listed(kernel, bundled=True)
    assert {row["name"] for row in rows} == BUNDLED
    assert {(row["state"], row["problem"]) for row in rows} == {("allowed", None)}
    assert not any("__pycache__" in file["path"] for row in rows for file in row["files"])
    pages = home / "home/.agents/skills/pages"
    (pages / "SKILL.md").write_text(TEXT.format(name="pages", more=""))
    await panel(kernel, "skill_withdraw", folder=str(home / "home/.agents/skills/eyes"))
    shutil.rmtree(home / "home/.agents/skills/automations")
    kernel.close()
    # Another start neither restores nor overwrites them.
    second = Kernel(Registry(), str(home / "project"), home / "saved")
    after = {row["name"]: row for row in await listed(second, bundled=True)}
    assert set(after) == BUNDLED - {"automations"}
    assert after["pages"]["description"].startswith("Write release notes.")
    assert {name: row["state"] for name, row in after.items()} == {
        "pages": "changed",
        "eyes": "new",
        "personal": "allowed",
    }


async def test_files_that_were_there_before_the_bundled_skill_are_not_allowed(
    kernel: Kernel, home: Path
) -> None:
    planted = home / "home/.agents/skills/pages"
    planted.mkdir(parents=True)
    (planted / "SKILL.md").write_text(TEXT.format(name="pages", more=""))
    [row] = [row for row in await listed(kernel, bundled=True) if row["name"] == "pages"]
    assert row["state"] == "new"
    assert "pages" not in kernel.skills.offered(None)


async def test_a_bundled_skill_names_only_files_and_tools_that_exist(kernel: Kernel) -> None:
    for row in await listed(kernel, bundled=True):
        text = Path(row["folder"], "SKILL.md").read_text()
        files = {file["path"] for file in row["files"]}
        assert set(re.findall(r"(?:scripts|references)/[\w.-]+", text)) <= files
        tools = set(
            re.findall(
                r"`((?:analyze|automation|browser|file|find|personal|screen|terminal|python|watch|web)_\w+)`",
                text,
            )
        )
        known = {tool.declaration.name for tool in kernel.registry}
        assert tools <= known
