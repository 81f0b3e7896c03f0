"""`find`, the signatures, and the stubs."""

import ast
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gemini.code_mode.finding import MAX_CHARACTERS, find, ranked
from gemini.code_mode.modules import described, functions_of
from gemini.code_mode.signatures import Described, identifier
from gemini.code_mode.stubs import stub
from gemini.kernel.kernel import Kernel
from tests.unit.code_mode.conftest import CLIENT, answer

WANTED = {
    "click a button": "browser.click",
    "read a file": "files.read",
    "replace text in a file": "files.edit",
    "run a shell command": "terminal.execute",
    "take a screenshot": "browser.screenshot",
    "search the web": "web.search",
    "start another agent": "agents.run",
    "fill in a form": "browser.fill",
    "file_restore": "files.restore",
    "browser.drag": "browser.drag",
}


async def found(kernel: Kernel, query: str) -> str:
    return (await answer(kernel, "find", query=query))["content"][0]["text"]


@pytest.mark.parametrize("query", WANTED)
async def test_find_ranks_by_words(query: str, kernel: Kernel) -> None:
    text = await found(kernel, query)
    assert text.startswith(f"{WANTED[query]}(")
    assert len(text) <= MAX_CHARACTERS
    assert f"Example: {WANTED[query]}(" in text
    assert f"/usr/share/control-surface/stubs/{WANTED[query].partition('.')[0]}.pyi" in text


async def test_without_a_query_find_lists_the_modules(kernel: Kernel) -> None:
    text = await found(kernel, "")
    assert len(text) <= MAX_CHARACTERS
    names = [line.partition(":")[0] for line in text.splitlines()[:-1]]
    assert {"files", "terminal", "browser", "web", "agents", "site"} <= set(names)
    assert "web: Searches of the web, and its pages as text. (the user has switched it off)" in text


async def test_nothing_that_fits_is_said(kernel: Kernel) -> None:
    assert (await found(kernel, "xyzzy")).startswith("Nothing fits 'xyzzy'. find() lists the modules;")


async def test_use_decides_between_similar_functions(kernel: Kernel) -> None:
    every = [each for functions in functions_of(kernel.registry).values() for each in functions]
    assert ranked(every, "wait", Counter())[0].path == "browser.wait_for"
    assert ranked(every, "close", Counter({"terminal.close": 5}))[0].path == "terminal.close"
    usual = [each.path for each in ranked(every, "page", Counter())]
    used = [each.path for each in ranked(every, "page", Counter({usual[3]: 10_000}))]
    assert used.index(usual[3]) < 3


async def test_a_script_s_tool_is_found_at_once(kernel: Kernel) -> None:
    await answer(
        kernel,
        "run",
        code="import gemini.tools\n@gemini.tools.declare(effect='read')\n"
        "def brew(leaf: str) -> dict[str, int]:\n    'Brew a pot.'\n    return {'cups': len(leaf)}",
    )
    tool: Any = kernel.code.mode._session(CLIENT)._console.namespace["brew"]  # pyright: ignore[reportPrivateUsage]
    kernel.registry.add(tool)
    assert (await found(kernel, "brew")).startswith("tools.brew(leaf: str) -> dict[str, Any]")
    assert (await answer(kernel, "run", code="tools.brew('oolong').cups"))["content"][0]["text"] == "6"


async def test_every_module_has_a_stub_that_python_reads(kernel: Kernel, tmp_path: Path) -> None:
    await found(kernel, "")
    stubs = {path.stem: path.read_text() for path in (tmp_path / "stubs").iterdir()}
    assert {"files", "terminal", "browser", "web", "agents", "site", "memory", "personal"} <= set(stubs)
    for text in stubs.values():
        ast.parse(text)
    assert "def read(path: str, max_bytes: int = 1000000, offset: int = 0) -> FileContent:" in stubs["files"]
    assert "class FileContent(dict[str, Any]):\n" in stubs["files"]
    assert "    truncated: bool" in stubs["files"]


async def test_no_result_has_a_member_that_a_dictionary_hides(kernel: Kernel) -> None:
    every = [each for functions in functions_of(kernel.registry).values() for each in functions]
    hidden = {
        f"{each.path}: {name}"
        for each in every
        for name in each.result.get("properties", {})
        if hasattr(dict, name)
    }
    assert hidden == set()


NAMES = ["", "a b", "1st", "class", "é", "x" * 100, "a-b", "a_b", "search", "__init__", "None", "🍵"]


def test_any_names_of_tools_become_different_identifiers() -> None:
    made = described("mcp.x", [Described(name, "", None) for name in NAMES])
    names = [each.name for each in made]
    assert len(set(names)) == len(NAMES) and all(name.isidentifier() for name in names)
    assert [each.tool for each in made] == NAMES


SCHEMAS: list[Any] = [
    None, [], "x", 5, {}, {"type": "object"}, {"properties": 5}, {"properties": {"a": 5}}, {"required": 7},
    {"properties": {"a": {"type": ["string", "null"]}, "b-c": {"enum": [1, 2]}}, "required": ["a", "zz"]},
    {"properties": {"a": {"$ref": "#/$defs/missing"}}}, {"properties": {"a": {"anyOf": [5, {"type": "string"}]}}},
    {"properties": {"a": {"type": "array"}, "self": {}, "def": {"description": 5, "default": "\"\"\""}}},
]  # fmt: skip


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_schema_that_isn_t_one_makes_a_function_all_the_same(schema: Any) -> None:
    functions = described("mcp.x", [Described("do", 'It says """quiet""" \\', schema, schema)])
    ast.parse(stub('A """module""".', functions))
    assert len(find(functions, "mcp.x.do", Counter(), {})) <= MAX_CHARACTERS


def test_a_long_description_is_cut() -> None:
    functions = described("mcp.x", [Described("do", "word " * 10_000, {"properties": {"n" * 9_000: {}}})])
    assert len(find(functions, "word", Counter(), {})) <= MAX_CHARACTERS


def test_identifiers() -> None:
    assert [identifier(name) for name in ("search-issues", "import", "2x", "")] == [
        "search_issues",
        "import_",
        "_2x",
        "unnamed",
    ]
