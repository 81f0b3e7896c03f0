"""The examples and links of the README and of docs/tools.md."""

import re
from pathlib import Path
from typing import Any

import pytest

from gemini_testing.surface import Surface

README = Path(__file__).parents[2] / "README.md"
TOOLS = README.parent / "docs/tools.md"


def example(name: str, document: Path = README) -> str:
    """Return the code block below the comment `<!-- example: name -->`."""
    found = re.search(
        rf"<!-- example: {name} -->\n```\w+\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL
    )
    assert found, f"{document.name} has no example {name!r}"
    return found[1]


def test_an_agent_calls_a_tool_through_webmcp(surface: Surface):
    assert surface.javascript(example("agent")) == 1


def test_a_script_uses_terminals_and_files(surface: Surface):
    assert surface.python(example("script")) == ["/project/app.log"]


def test_a_test_uses_the_fixture(surface: Surface):
    names: dict[str, Any] = {}
    exec(compile(example("test"), str(README), "exec"), names)
    names["test_that_the_report_finds_the_errors"](surface)


def test_a_declared_function_is_a_tool_at_once(surface: Surface):
    surface.python(example("tool", TOOLS))
    surface.wait_for(
        "document.modelContext.getTools().then((all) => all.some((one) => one.name === 'count_lines'))"
    )
    answer = surface.call("count_lines", path="/project/README.md", empty=False)
    assert answer["lines"] > 3
    surface.python("gemini.registry.remove('count_lines')")


def test_the_table_of_tools_lists_every_tool(surface: Surface):
    named = set(
        re.findall(
            r"`(\w+)`", TOOLS.read_text(encoding="utf-8").split("| group | tools |")[1].split("\n\n")[0]
        )
    )
    extra = set(re.findall(r"^\| `(\w+)` \|", TOOLS.read_text(encoding="utf-8"), re.MULTILINE))
    assert extra <= named
    assert named - extra == {
        tool["name"] for tool in surface.tools() if not tool["name"].startswith("trivial")
    }


def links() -> list[tuple[Path, str]]:
    documents = [README, *sorted(README.parent.glob("docs/*.md"))]
    return [
        (document, link)
        for document in documents
        for link in re.findall(r"\]\(((?!http)[^)#]+)", document.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("document", "link"), links(), ids=lambda value: str(getattr(value, "name", value)))
def test_links_are_valid(document: Path, link: str):
    assert (document.parent / link).exists()
