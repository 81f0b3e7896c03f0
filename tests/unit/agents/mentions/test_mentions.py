"""Mentions: the things that a text names, and the suggestions during typing."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from gemini.agents.mentions.mentions import Mentions, with_notes


@pytest.fixture
def mentions(tmp_path: Path) -> Mentions:
    (tmp_path / "a b.md").write_text("text")
    (tmp_path / "docs").mkdir()
    (tmp_path / "coder").write_text("A file with the name of an agent.")

    async def agents() -> dict[str, str]:
        return {"coder": "Writes programs.", "writer": "Writes texts."}

    async def files(part: str, most: int) -> Sequence[str]:
        return [str(path) for path in sorted(tmp_path.rglob(f"*{part}*"))][:most]

    return Mentions(agents, files, lambda: {"tab-1": "Weather"}, str(tmp_path))


async def test_a_text_names_agents_tabs_and_files(mentions: Mentions, tmp_path: Path) -> None:
    text = 'Ask @coder. (@tab-1) Read @"a b.md" and @docs, not @nothing or me@docs. @coder again'
    found = await mentions.find(text)
    assert [(each.kind, each.target) for each in found] == [
        ("agent", "coder"),
        ("tab", "tab-1"),
        ("file", f"{tmp_path}/a b.md"),
        ("file", f"{tmp_path}/docs"),
    ]
    assert [each.is_readable for each in found] == [False, False, True, False]
    noted = with_notes(text, found)
    files = f"@a b.md is the file {tmp_path}/a b.md. @docs is the folder {tmp_path}/docs."
    assert noted.endswith(f"(@tab-1 is the browser tab tab-1. {files})")
    assert with_notes(noted, found) == noted


async def test_suggestions_can_be_typed(mentions: Mentions, tmp_path: Path) -> None:
    assert [each["text"] for each in await mentions.suggest("")] == [
        *("@coder", "@writer", "@tab-1", '@"a b.md"', "@coder", "@docs"),
    ]
    assert await mentions.suggest("wea") == [{"kind": "tab", "text": "@tab-1", "about": "Weather"}]
    assert await mentions.suggest("a b") == [
        {"kind": "file", "text": '@"a b.md"', "about": f"{tmp_path}/a b.md"}
    ]
