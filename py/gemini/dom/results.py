"""What the browser tools answer with. Members that only some answers have aren't required."""

from typing import Any, NotRequired

from typing_extensions import TypedDict


class Navigated(TypedDict):
    """The document that a tab shows after `browser_navigate`."""

    url: str
    title: str
    tab: str
    loading: NotRequired[bool]
    readable: NotRequired[bool]
    why: NotRequired[str]


class Point(TypedDict):
    """A place in the viewport, in CSS pixels."""

    x: float
    y: float


class Acted(TypedDict):
    """The outcome of an action. `focus` and the elements of `dialogs` and `invalid` name refs of the snapshot.

    `changed` counts the elements that changed. Where the action led to another document, `url`, `title` and
    `loading` are that one's.
    """

    success: bool
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


class Filled(Acted):
    """The outcome of typing or choosing.

    `value` is what the field shows then, `consented` is there where the person allowed to type into one of theirs.
    """

    value: NotRequired[Any]
    consented: NotRequired[Any]


class Scrolled(Acted):
    """The outcome of scrolling: where the box is scrolled to, and by how much, in CSS pixels."""

    scroll_x: NotRequired[float]
    scroll_y: NotRequired[float]
    moved: NotRequired[Point]
    at_end: NotRequired[bool]
    scrolled: NotRequired[Any]


class Waited(TypedDict):
    """How long `browser_wait_for` waited, in seconds."""

    success: bool
    waited_s: float
    url: NotRequired[str]
    title: NotRequired[str]
    loading: NotRequired[bool]


class PageText(TypedDict):
    """A page's text as Markdown. `total_chars` counts all of it, of which `text` may be a part."""

    text: str
    truncated: bool
    title: str
    kind: str
    total_chars: int


class Evaluated(TypedDict):
    """The value that JavaScript returned, as JSON has it."""

    result: Any


class ConsoleMessage(TypedDict):
    """A line of a page's console. `source` is `url:line` where the browser reports it, `time` is ISO 8601."""

    level: str
    text: str
    source: str | None
    time: str


class ConsoleMessages(TypedDict):
    """A page's console messages; `next` is the `since` of the next call."""

    messages: list[ConsoleMessage]
    next: int


class TabRow(TypedDict):
    """A tab. `why` says why it can't be read."""

    id: str
    url: str
    title: str
    active: bool
    loading: bool
    readable: bool
    why: NotRequired[str]
