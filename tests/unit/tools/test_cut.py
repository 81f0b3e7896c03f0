"""Truncated results: as much as fits, in the same shape, and the file with the rest."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gemini.tools import Registry, declare
from tests.unit.tools.conftest import Add


@pytest.fixture(autouse=True)
def value(add: Add) -> dict[str, Any]:
    """The result of the tool `get`, as `value["it"]`."""
    box: dict[str, Any] = {}

    def get() -> Any:
        """Get it."""
        return box["it"]

    add(get)
    return box


def deep(depth: int, inside: Any) -> Any:
    for _ in range(depth):
        inside = [inside]
    return inside


LONG = {
    "text": "x" * 100_000,
    "escapes": '\x00"\\\n' * 50_000,
    "control characters": "\x01" * 50_000,
    "other scripts": "ž🐍" * 50_000,
    "lone surrogates": "\ud800" * 50_000,
    "one huge list": list(range(200_000)),
    "floats": [n / 7 for n in range(50_000)],
    "rows": [{"name": f"file-{n}", "size": n} for n in range(20_000)],
    "deep lists": deep(200, ["x" * 1_000] * 100),
    "many deep lists": [deep(100, n) for n in range(1_000)],
    "a result with a long member": {"output": "x" * 100_000, "exit_code": 3, "terminal_id": "term-1"},
    "two long members": {"stdout": "a" * 50_000, "stderr": "b" * 50_000, "exit_code": 0},
    "many members": {f"member {n}": n for n in range(50_000)},
    "long names": {"k" * 1_000 + str(n): n for n in range(100)},
    "digits": [10**4_000] * 10,
    "digits that Python does not read": [10**5_000] * 10,
}
# Truncation may leave little of these.
NESTED = {"deep lists", "many deep lists", "digits"}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("limit", [1_500, 20_000])
async def test_a_long_result_is_truncated_and_saved_in_full(
    registry: Registry, value: dict[str, Any], name: str, limit: int
) -> None:
    value["it"] = LONG[name]
    whole = await registry.call_json("get", {}, caller="test")
    if len(whole) <= limit:
        pytest.skip("it fits")
    answer = await registry.call_json("get", {}, caller="test", max_chars=limit)
    assert len(answer) <= limit
    cut = json.loads(answer)
    assert cut["cut"]["total_chars"] == len(whole)
    assert Path(cut["cut"]["full_result"]).read_text(encoding="utf-8") == whole
    assert Path(cut["cut"]["full_result"]).parent == registry.results_folder
    assert cut["cut"]["full_result"] in cut["cut"]["hint"] and "file_read" in cut["cut"]["hint"]
    if name not in NESTED:
        # The limit is used well.
        assert len(answer) > limit * 0.15


async def truncated(registry: Registry, limit: int = 2_000) -> Any:
    return json.loads(await registry.call_json("get", {}, caller="test", max_chars=limit))


async def test_an_object_keeps_its_small_members(registry: Registry, value: dict[str, Any]) -> None:
    value["it"] = {"output": "x" * 100_000, "exit_code": 3, "where": {"id": "term-1"}, "tags": ["a", "b"]}
    cut = await truncated(registry)
    assert list(cut) == ["cut", "exit_code", "where", "tags", "output"]
    assert (cut["exit_code"], cut["where"], cut["tags"]) == (3, {"id": "term-1"}, ["a", "b"])
    shown, _, note = cut["output"].partition("…")
    assert set(shown) == {"x"}
    assert note == f" [cut: {100_000 - len(shown):,} more characters]"


async def test_a_list_keeps_its_first_items(registry: Registry, value: dict[str, Any]) -> None:
    value["it"] = [{"name": f"file-{n}", "size": n} for n in range(20_000)]
    *rows, note = (await truncated(registry))["value"]
    assert rows[:5] == value["it"][:5]
    assert note == f"… [cut: {20_000 - len(rows):,} more items]"


async def test_members_that_do_not_fit_are_counted(registry: Registry, value: dict[str, Any]) -> None:
    value["it"] = {f"member {n}": n for n in range(50_000)}
    cut = await truncated(registry)
    note = cut.pop("…")
    del cut["cut"]
    assert cut == {f"member {n}": n for n in range(len(cut))}
    assert note == f"[cut: {50_000 - len(cut):,} more members]"


async def test_short_results_are_unchanged(registry: Registry, value: dict[str, Any]) -> None:
    value["it"] = "x" * 98
    assert await registry.call_json("get", {}, caller="test", max_chars=100) == json.dumps("x" * 98)
    assert not registry.results_folder.exists()
    value["it"] = "x" * 99
    assert "cut" in await registry.call_json("get", {}, caller="test", max_chars=100)


async def test_a_truncated_error_keeps_its_type(registry: Registry, add: Add) -> None:
    def fail(text: str) -> None:
        """Fail."""
        raise ValueError(text)

    add(fail)
    answer = json.loads(
        await registry.call_json("fail", {"text": "x" * 50_000}, caller="test", max_chars=1_500)
    )
    assert answer["isError"] is True
    assert answer["error"]["type"] == "ToolFailed"
    assert answer["error"]["message"].startswith("fail raised ValueError: xxx")
    assert "full_result" in answer["cut"]


async def test_each_result_has_its_own_file(registry: Registry, value: dict[str, Any]) -> None:
    files: set[str] = set()
    for number in range(3):
        value["it"] = str(number) * 5_000
        files.add((await truncated(registry))["cut"]["full_result"])
    assert len(files) == 3


@pytest.mark.parametrize("name", ["../../escaped", "a/b", "n" * 5_000, "\ud800", "a\x00b"])
async def test_an_unknown_tools_name_is_no_path(registry: Registry, name: str, tmp_path: Path) -> None:
    for n in range(300):
        registry.add(declare(name=f"tool-{n}")(documented))
    answer = json.loads(await registry.call_json(name, {}, caller="test", max_chars=1_000))
    assert answer["error"]["type"] == "UnknownTool"
    saved = Path(answer["cut"]["full_result"])
    assert saved.parent == registry.results_folder
    assert json.loads(saved.read_text())["error"]["hint"].endswith("tool-99.")
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def documented() -> None:
    """Act."""


async def test_if_the_file_can_not_be_written_the_rest_is_reported_lost(
    registry: Registry, value: dict[str, Any]
) -> None:
    registry.results_folder.write_text("a file instead of the folder")
    value["it"] = "x" * 5_000
    cut = await truncated(registry)
    assert cut["value"].startswith("xxx")
    assert "The rest is lost" in cut["cut"]["hint"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=60,
)


@pytest.mark.fortnightly
@given(it=JSON, limit=st.integers(1_100, 3_000))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_no_answer_exceeds_the_limit(
    registry: Registry, value: dict[str, Any], it: Any, limit: int
) -> None:
    value["it"] = it
    answer = await registry.call_json("get", {}, caller="test", max_chars=limit)
    assert len(answer) <= limit
    json.loads(answer)
