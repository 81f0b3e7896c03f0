"""Tests for finding and replacing text in all files."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.tools import Registry

Act = Callable[..., Awaitable[Any]]


def write(project: Path, **texts: str) -> None:
    for name, text in texts.items():
        path = project / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


async def found(act: Act, text: str, replacement: str | None = None, **query: Any) -> dict[str, list[str]]:
    """Return the matches by the file's name, as `line:before[match>replacement]after`."""
    answer = await act("panel_find_text", query={"text": text, **query}, folder=".", replacement=replacement)
    return {
        file["name"]: [
            f"{one['line']}:{one['before']}[{one['match']}"
            f"{'' if replacement is None else '>' + one['replacement']}]{one['after']}"
            for one in file["matches"]
        ]
        for file in answer["files"]
    }


@pytest.mark.usefixtures("act")
async def test_agents_can_not_call_the_actions(registry: Registry) -> None:
    for name in ("panel_find_text", "panel_replace_text", "panel_undo_replace"):
        assert "UnknownTool" in await registry.call_json(name, {}, caller="webmcp")


async def test_every_line_with_the_text_is_found(project: Path, act: Act) -> None:
    write(project, a_txt="One two\n  two TWO\n", deep__b_md="nothing\ntwo", c_bin="two\0")
    assert await found(act, "two") == {
        "a.txt": ["1:One [two]", "2:[two] TWO", "2:two [TWO]"],
        "deep/b.md": ["2:[two]"],
    }
    assert await found(act, "two", match_case=True) == {
        "a.txt": ["1:One [two]", "2:[two] TWO"],
        "deep/b.md": ["2:[two]"],
    }


async def test_whole_words_and_regular_expressions(project: Path, act: Act) -> None:
    write(project, a_txt="cat concat cat9 (cat)\n")
    assert await found(act, "cat", whole_word=True) == {
        "a.txt": ["1:[cat] concat cat9 (cat)", "1:cat concat cat9 ([cat])"]
    }
    assert await found(act, r"c(\w)t\d", r"\1!", regex=True) == {"a.txt": ["1:cat concat [cat9>a!] (cat)"]}
    assert await found(act, "(cat)", match_case=True) == {"a.txt": ["1:cat concat cat9 [(cat)]"]}
    assert await found(act, "z*", regex=True) == {}


async def test_globs_choose_the_files(project: Path, act: Act) -> None:
    write(project, a_py="x", src__b_py="x", src__c_js="x", venv__d_py="x", build__e_py="x")
    assert set(await found(act, "x")) == {"a.py", "src/b.py", "src/c.js", "build/e.py"}
    assert set(await found(act, "x", include="*.py", exclude="build")) == {"a.py", "src/b.py"}
    assert set(await found(act, "x", include="src, build/*.py")) == {"src/b.py", "src/c.js", "build/e.py"}
    assert set(await found(act, "x", exclude="src/**/*.js")) == {"a.py", "src/b.py", "build/e.py"}


@pytest.mark.parametrize(
    ("query", "replacement"),
    [
        ({"text": "(", "regex": True}, None),
        ({"text": "x", "regex": True}, r"\3"),
        ({"text": "x", "include": "a/../b*/.."}, None),
    ],
)
async def test_mistakes_are_explained(
    project: Path, act: Act, query: dict[str, Any], replacement: str | None
) -> None:
    write(project, a_txt="x")
    answer = await act("panel_find_text", query=query, folder=".", replacement=replacement)
    assert answer["error"]["type"] == "InvalidArguments"
    assert answer["error"]["hint"]


async def test_only_previewed_files_that_have_not_changed_are_replaced(project: Path, act: Act) -> None:
    write(project, a_txt="one one\r\nOne\r\n", b_txt="one", c_txt="one")
    query = {"text": "one", "match_case": True}
    files = (await act("panel_find_text", query=query, folder=".", replacement="1"))["files"]
    previewed = [
        {"path": each["path"], "version": each["version"]} for each in files if each["name"] != "c.txt"
    ]
    (project / "b.txt").write_text("one more")
    done = await act("panel_replace_text", query=query, replacement="1", previewed=previewed)
    assert (done["count"], done["paths"], done["changed"]) == (
        2,
        [str(project / "a.txt")],
        [str(project / "b.txt")],
    )
    # Line endings stay.
    assert (project / "a.txt").read_bytes() == b"1 1\r\nOne\r\n"
    assert (project / "b.txt").read_text() == "one more"
    assert (project / "c.txt").read_text() == "one"


async def test_an_unknown_replacement_can_not_be_undone(act: Act) -> None:
    assert (await act("panel_undo_replace", undo="x"))["error"]["type"] == "VersionMissing"
