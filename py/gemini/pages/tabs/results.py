"""The results of the browser tools. Members that only some results have aren't required."""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from gemini.pages.tabs.tab_owner import TabOwner

Framing = Literal["unknown", "X-Frame-Options", "frame-ancestors"]
"""The header that forbids showing a page in a tab; unknown if nobody could read the headers of an unreadable page."""


class TabDownload(TypedDict):
    """A file that a page downloads, as the page names it; it is stored at `path`. Sizes are in bytes, 0 if unknown."""

    name: str
    state: Literal["running", "done", "failed"]
    size: int
    received: NotRequired[int]
    path: NotRequired[str]
    why: NotRequired[str]


class Navigated(TypedDict):
    """The document that a tab shows after `browser_navigate`."""

    url: str
    title: str
    tab: str
    loading: NotRequired[bool]
    readable: NotRequired[bool]
    why: NotRequired[str]
    downloads: NotRequired[list[TabDownload]]


class Point(TypedDict):
    """A point in the viewport, in CSS pixels."""

    x: float
    y: float


class Acted(TypedDict):
    """The result of an action. `focus` and the elements of `dialogs` and `invalid` are refs of the snapshot.

    `success` is false if nothing changed, which `note` says. `changed` counts the elements that changed. If the action
    led to another document, `url`, `title` and `loading` describe it. `downloads` has the files that it downloaded.
    """

    success: bool
    note: NotRequired[str]
    url: NotRequired[str]
    title: NotRequired[str]
    loading: NotRequired[bool]
    focus: NotRequired[str | None]
    dialogs: NotRequired[list[dict[str, Any]]]
    changed: NotRequired[int]
    navigates_to: NotRequired[str]
    pending: NotRequired[Any]
    invalid: NotRequired[list[dict[str, Any]]]
    answered: NotRequired[list[dict[str, Any]]]
    at: NotRequired[Point]
    downloads: NotRequired[list[TabDownload]]


class Filled(Acted):
    """The result of typing or selecting.

    `value` is the field's new value. `consented` is present if the user allowed typing into a field of their own.
    """

    value: NotRequired[Any]
    consented: NotRequired[Any]


class Scrolled(Acted):
    """The result of scrolling: the new position of the box, and the distance, in CSS pixels."""

    scroll_x: NotRequired[float]
    scroll_y: NotRequired[float]
    moved: NotRequired[Point]
    at_end: NotRequired[bool]
    scrolled: NotRequired[Any]


class Waited(TypedDict):
    """The result of `browser_wait_for`, with the time that it waited, in seconds."""

    success: bool
    waited_s: float
    url: NotRequired[str]
    title: NotRequired[str]
    loading: NotRequired[bool]


class PageText(TypedDict):
    """A page's text as Markdown. `text` may be only a part; `total_chars` counts all of it."""

    title: str
    kind: str
    total_chars: int
    truncated: bool
    text: str


class PageTool(TypedDict):
    """A tool of a page. `input_schema` is the JSON Schema of its arguments, or None if it is too long."""

    name: str
    description: str
    input_schema: dict[str, Any] | None
    annotations: NotRequired[dict[str, Any]]


class PageToolResult(Acted):
    """The answer of a page's tool, and what changed in the page. Without a name, `tools` lists what the page offers."""

    result: NotRequired[Any]
    tools: NotRequired[list[PageTool]]


class FoundElement(TypedDict):
    """An element that matches. `text` is its name, or the text directly in it; `below` is the heading before it."""

    ref: str
    role: str
    text: str
    in_view: bool
    below: NotRequired[str]


class FoundElements(TypedDict):
    """The first elements that match, in reading order; `total` counts all."""

    matches: list[FoundElement]
    total: int


class TableRows(TypedDict):
    """Rows of a table, of which `total` counts all. `next` is the start of the next part; null at the end.

    A grid that draws only some of its rows has only these; scroll it for more.
    """

    columns: list[str]
    rows: list[list[str]]
    start: int
    total: int
    next: int | None


class Request(TypedDict):
    """A request of a page. `status`, `size` in bytes and `ms` are null if the browser doesn't report them."""

    id: int
    method: str
    url: str
    type: str
    status: int | None
    size: int | None
    ms: int | None
    failed: NotRequired[str]
    has_body: NotRequired[bool]


class Requests(TypedDict):
    """The latest requests, of which `total` counts all. Pass `next` as `since` in the next call."""

    requests: list[Request]
    total: int
    next: int
    body: NotRequired[str]


class Answered(TypedDict):
    """The dialogs that were answered before, while no action ran."""

    success: bool
    answered: list[dict[str, Any]]


class Evaluated(TypedDict):
    """The value that JavaScript returned, as JSON."""

    result: Any


class ConsoleMessage(TypedDict):
    """A line of a page's console. `source` is `url:line` if the browser reports it; `time` is ISO 8601."""

    level: str
    text: str
    source: str | None
    time: str


class ConsoleMessages(TypedDict):
    """A page's console messages. Pass `next` as `since` in the next call."""

    messages: list[ConsoleMessage]
    next: int


class TabRow(TypedDict):
    """A tab. `why` says why it can't be read; with a `framing` that names a header, the tab is empty.

    `tools` are the names of the tools that its page offers.
    `active` is true for the tab in front, which the user sees. `owner` is the agent that opened the tab. `yours` is
    true for the tab that the caller's next calls use. `live` is true for the preview, which follows its files.
    `downloads` are the latest of its pages.
    """

    id: str
    url: str
    title: str
    active: bool
    loading: bool
    readable: bool
    why: NotRequired[str]
    tools: NotRequired[list[str]]
    framing: NotRequired[Framing]
    owner: NotRequired[TabOwner]
    live: NotRequired[bool]
    downloads: NotRequired[list[TabDownload]]
    yours: NotRequired[bool]
