"""The tools of pages in tabs as functions of code mode: `site.shop.search(query="tea")`."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from gemini.code_mode.signatures import Described
from gemini.errors import TabMissing
from gemini.pages.tabs.results import TabRow

ABOUT = "Tools of the pages in open tabs, by site."
NONE: Mapping[str, Sequence[Described]] = {}
GENERIC = frozenset({"www", "app", "m"})
# The origins of folders and servers in the page have names that say nothing.
DIGEST = re.compile(r"[0-9a-f]{32}")
CallTool = Callable[[dict[str, Any]], Awaitable[Any]]


class SiteFunctions:
    """The open tabs whose pages offer tools.

    Args:
        rows: Returns the tabs.
        page_tool: Calls the tool `page_tool` for the running code.
    """

    about = ABOUT
    tool = "page_tool"

    def __init__(self, rows: Callable[[], Sequence[TabRow]], page_tool: CallTool) -> None:
        self._rows, self._page_tool = rows, page_tool

    def places(self) -> Mapping[str, str]:
        """Return the title and address of each tab with tools, by the site's name; further ones have a number."""
        return {name: f"{row['title']} ({row['url']})" for name, row in self._tabs().items()}

    def known(self) -> Mapping[str, Sequence[Described]]:
        """Return nothing: the tools of pages come and go."""
        return NONE

    async def prepare(self, *, with_tools: bool = False) -> None:
        """Do nothing: the tabs are known."""

    async def tools(self, place: str) -> Sequence[Described]:
        """Return the tools of a tab's page.

        Raises:
            TabMissing: No tab of this name has tools.
        """
        listed = await self._page_tool({"tab": self._tab(place)})
        return [Described(row["name"], row["description"], row["input_schema"]) for row in listed["tools"]]

    async def call(self, place: str, tool: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of a tab's page; return its result, or what changed if it has none.

        Raises:
            GeminiError: As `page_tool` does.
        """
        answer = await self._page_tool({"name": tool, "arguments": arguments, "tab": self._tab(place)})
        return _parse(answer["result"]) if answer.get("result") is not None else answer

    def _tab(self, place: str) -> str:
        tabs = self._tabs()
        if place not in tabs:
            raise TabMissing(
                f"no open tab of {place!r} offers tools", hint=f"Those that do: {', '.join(tabs) or 'none'}."
            )
        return tabs[place]["id"]

    def _tabs(self) -> dict[str, TabRow]:
        tabs = dict[str, TabRow]()
        for row in self._rows():
            if row.get("tools"):
                name, number = _site(row), 2
                free = name
                while free in tabs:
                    free, number = f"{name}_{number}", number + 1
                tabs[free] = row
        return tabs


def _site(row: TabRow) -> str:
    """Return the name of a tab's site: the part of its host that says most, or the title."""
    host = urlsplit(row["url"]).hostname or ""
    labels = [label for label in host.split(".") if label not in GENERIC]
    says_nothing = not labels or host == "localhost" or labels[0].isdigit() or DIGEST.fullmatch(labels[0])
    return (row["title"].lower() or row["id"]) if says_nothing else labels[0]


def _parse(value: Any) -> Any:
    """Return the value of a JSON text, also of one in MCP's form of content, and anything else as it is."""
    text = _only_text(value)
    if not isinstance(text, str) or text[:1] not in ("{", "[", '"'):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _only_text(value: Any) -> Any:
    """Return the text of content with one text; any other value as it is."""
    match value:
        case {"content": [{"text": str() as text}]} if len(cast("dict[str, Any]", value)) == 1:
            return text
        case _:
            return value
