"""The modules of code mode outside of its sessions, and those of other providers."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest

import gemini.kernel.kernel
from gemini.code_mode.signatures import Described
from gemini.computer.python.completion import complete
from gemini.errors import ToolFailed
from gemini.kernel.kernel import Kernel
from gemini.pages.tabs.site_functions import SiteFunctions
from tests.unit.code_mode.conftest import Run, answer


class Servers:
    """Servers with tools whose names are no identifiers, as another room provides them."""

    about = "Other servers."
    tool = "page_tool"

    def __init__(self) -> None:
        self.called: list[tuple[str, str, dict[str, Any]]] = []

    def places(self) -> Mapping[str, str]:
        return {"git-hub": "GitHub", "class": "A class", "empty": "Nothing"}

    def known(self) -> Mapping[str, Sequence[Described]]:
        return {}

    async def prepare(self, *, with_tools: bool = False) -> None:
        """Do nothing: the places are known."""

    async def tools(self, place: str) -> Sequence[Described]:
        schema = {"properties": {"q": {"type": "string"}, "per-page": {"type": "integer"}}, "required": ["q"]}
        return [] if place == "empty" else [Described("search-issues", "Search.", schema, {"type": "object"})]

    async def call(self, place: str, tool: str, arguments: dict[str, Any]) -> Any:
        self.called.append((place, tool, arguments))
        if arguments["q"] == "fail":
            raise ToolFailed("the server's text")
        return {"items": [{"title": arguments["q"]}]}


@pytest.fixture
def servers(kernel: Kernel) -> Servers:
    servers = Servers()
    kernel.code.providers["mcp"] = lambda: servers
    return servers


async def test_places_of_a_provider_have_functions(servers: Servers, run: Run) -> None:
    assert await run("(await mcp.git_hub.search_issues('tea', per_page=5))['items'][0].title") == "tea"
    assert servers.called == [("git-hub", "search-issues", {"q": "tea", "per-page": 5})]
    assert await run("(await mcp['git-hub'].search_issues(q='cake'))['items'][0]['title']") == "cake"
    assert await run("mcp") == (
        "<mcp: Other servers.>\n  mcp.git_hub: GitHub\n  mcp.class_: A class\n  mcp.empty: Nothing"
    )
    assert "mcp.git_hub.search_issues(q: str, per_page=None)" in await run("await mcp.git_hub()")


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("mcp.gitlab", "mcp has no 'gitlab'; it has git_hub, class_, empty"),
        ("await mcp.git_hub.buy()", "mcp.git_hub has no 'buy'; it has search_issues"),
        ("await mcp.empty.buy()", "mcp.empty has no 'buy'; it has no tools"),
        ("await mcp.git_hub.search_issues()", "missing a required argument: 'q'"),
        ("await mcp.git_hub.search_issues('fail')", "ToolFailed: the server's text"),
        ("mcp.git_hub = 1", "mcp can't be changed"),
        ("mcp.git_hub.search_issues('a').title", "write `await mcp.git_hub.search_issues(…)`"),
    ],
)
async def test_problems_of_places_are_said(code: str, problem: str, servers: Servers, run: Run) -> None:
    assert problem in await run(code)


async def test_the_list_of_modules_names_places(servers: Servers, kernel: Kernel) -> None:
    text = (await answer(kernel, "find"))["content"][0]["text"]
    assert "mcp: Other servers. (the user has switched it off) git_hub, class_, empty" in text


def tab(number: int, url: str, *tools: str) -> Any:
    return {"id": f"tab-{number}", "url": url, "title": f"Page {number}", "tools": list(tools)}


async def test_sites_are_named_by_their_hosts() -> None:
    rows = [
        tab(1, "https://www.shop.example/a", "search"),
        tab(2, "https://shop.example/b", "search"),
        tab(3, "http://localhost:8000/", "search"),
        tab(4, "http://127.0.0.1:8000/", "search"),
        tab(5, "https://none.example/"),
        tab(6, f"http://{'9f' * 16}.localhost:8000/", "search"),
    ]
    asked: list[dict[str, Any]] = []

    async def page_tool(arguments: dict[str, Any]) -> Any:
        asked.append(arguments)
        return {"success": True, "result": '[{"price": 4}]', "changed": ""}

    sites = SiteFunctions(lambda: rows, page_tool)
    assert list(sites.places()) == ["shop", "shop_2", "page 3", "page 4", "page 6"]
    assert await sites.call("shop_2", "search", {"q": 1}) == [{"price": 4}]
    assert asked == [{"name": "search", "arguments": {"q": 1}, "tab": "tab-2"}]


def test_the_console_completes_modules_and_functions(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gemini.kernel.kernel, "kernel", kernel)
    import_module("gemini.code_mode.api")
    line = "from gemini.code_mode.api import fi"
    assert [each.text for each in complete(line, len(line), {}).candidates] == ["files"]
    names = {"files": kernel.code.mode.modules()["files"]}
    [found] = [each for each in complete("files.re", 8, names).candidates if each.text == "read"]
    assert (found.kind, found.signature) == ("function", "(path, max_bytes=1000000, offset=0)")
    call = "files.edit("
    assert complete(call, len(call), names).call == "files.edit(path, old, new)"
