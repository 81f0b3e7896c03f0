"""Convert a value to a form that the page can draw.

Objects can define Jupyter's display methods (https://ipython.readthedocs.io/en/stable/config/integrating.html).
Lists of records become tables. Everything else is text.
"""

import base64
import contextlib
import dataclasses
import inspect
import io
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, cast

from typing_extensions import TypeAliasType, TypedDict

from gemini.computer.python import charts
from gemini.tools.content import Audio, Image


class TextDisplay(TypedDict):
    """A text; `total` counts all characters, including those that are cut."""

    kind: Literal["text"]
    text: str
    total: int


class TableDisplay(TypedDict):
    """A table; `total` counts all rows, including those that are cut."""

    kind: Literal["table"]
    columns: list[str]
    rows: list[list[str]]
    total: int


class HtmlDisplay(TypedDict):
    """HTML, which is shown in its own frame."""

    kind: Literal["html"]
    html: str


class MarkupDisplay(TypedDict):
    """Markdown, or LaTeX."""

    kind: Literal["markdown", "latex"]
    text: str


class MediaDisplay(TypedDict):
    """A picture or a sound in base64."""

    kind: Literal["image", "audio"]
    media_type: str
    data: str


Display = TypeAliasType(
    "Display", TextDisplay | TableDisplay | HtmlDisplay | MarkupDisplay | MediaDisplay | charts.ChartDisplay
)


MAX_TEXT = 20_000
MAX_ROWS = 200
MAX_CELL = 200
MAX_COLUMNS = 50
MAX_MARKUP = 500_000
MAX_MEDIA = 5_000_000
# Pretty-printing a longer text would delay the result.
MAX_PRETTY_PRINTED = 20_000
MAX_ITEMS = 1_000
WIDTH = 100
# What a widget of ipywidgets (https://ipywidgets.readthedocs.io) is shown with.
NO_WIDGETS = (
    "Widgets need Jupyter's widget manager, which this page doesn't have, so nothing here moves when you drag it. "
    "Set the value in code, or use input()."
)
CONTAINERS: tuple[Any, ...] = (list, tuple, set, frozenset, dict)


def display(value: Any) -> tuple[Display, str | None]:
    """Return the display of `value`, and the full text if the display cuts it.

    If the object's own methods fail, the display is the text of their error.
    """
    try:
        for shown in forms(value):
            return shown, None
        text = value if isinstance(value, str) else plain(value)
    except Exception as error:
        # The object's own code may raise anything, and the console code itself has succeeded.
        text = failure_of(value, error)
    return display_of_text(text)


def display_of_text(text: str) -> tuple[Display, str | None]:
    """Return the display of a text, and the text if the display cuts it."""
    cut: Display = {"kind": "text", "text": text[:MAX_TEXT], "total": len(text)}
    return cut, text if len(text) > MAX_TEXT else None


def failure_of(value: Any, error: Exception) -> str:
    """Return the text shown for a value whose own methods fail."""
    return f"{type(value).__name__} that can't be shown: {type(error).__name__}: {error}"


def forms(value: Any) -> Iterator[Display]:
    """Yield the forms that a value has besides text, the richest first. The object's own methods may raise anything."""
    table = _table(value)
    if table is not None:
        yield table
    yield from _rich(value)


def plain(value: Any) -> str:
    """Return a value as Python writes it, on several lines if it is long."""
    container = next((each for each in CONTAINERS if isinstance(value, each)), None)
    if container is not None and len(value) > MAX_ITEMS:
        text = repr(container(islice(value.items() if container is dict else value, MAX_ITEMS)))
        return f"{text[:-1]}, … {len(value) - MAX_ITEMS:,} more{text[-1]}"
    text = repr(value)
    if WIDTH < len(text) <= MAX_PRETTY_PRINTED:
        # Imported on first use: a start doesn't need it.
        import pprint

        return pprint.pformat(value, width=WIDTH, compact=True, sort_dicts=False)
    return text


# --- Records ---


def _table(value: Any) -> Display | None:
    if not isinstance(value, (list, tuple)) or hasattr(cast("list[Any]", value), "_fields"):
        return None
    records = cast("Sequence[Any]", value)
    shown = [_record(item) for item in records[:MAX_ROWS]]
    if not shown or not all(shown):
        return None
    known = [row for row in shown if row is not None]
    columns = list(dict.fromkeys(name for row in known for name in row))
    if len(columns) > MAX_COLUMNS:
        return None
    rows = [[_cell(row[name]) if name in row else "" for name in columns] for row in known]
    return {"kind": "table", "columns": columns, "rows": rows, "total": len(records)}


def _record(item: Any) -> dict[str, Any] | None:
    """Return a record's fields by name, or None if the item isn't a record."""
    if isinstance(item, dict):
        members = cast("dict[Any, Any]", item)
        return members if all(isinstance(name, str) for name in members) else None
    if isinstance(item, sqlite3.Row):
        return {name: item[name] for name in item.keys()}  # noqa: SIM118 - a row isn't a mapping
    names = None if isinstance(item, type) else _field_names(item)
    return None if names is None else {name: getattr(item, name, None) for name in names}


def _field_names(item: Any) -> list[str] | None:
    """Return the field names of a dataclass, a named tuple or a pydantic model; None for other types."""
    kind = cast(Any, type(item))
    if dataclasses.is_dataclass(kind):
        return [field.name for field in dataclasses.fields(kind)]
    if isinstance(item, tuple):
        return list(getattr(kind, "_fields", [])) or None
    known = inspect.getattr_static(kind, "__pydantic_fields__", None)
    return None if known is None else list(known)


def _cell(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= MAX_CELL else f"{text[:MAX_CELL]}…"


# --- Display methods of objects ---


def _rich(value: Any) -> Iterator[Display]:
    kind = cast(Any, type(value))
    if kind.__module__ == "matplotlib.figure":
        picture = io.BytesIO()
        value.savefig(picture, format="png", bbox_inches="tight")
        yield from _find(_media("image/png", picture.getvalue()))
        return
    if isinstance(value, (Image, Audio)):
        yield from _find(_media(value.mime_type, value.data))
        return
    if kind.__module__.startswith("IPython.") and kind.__name__ == "Audio":
        yield from _find(_media(value.mimetype, value.data))
        return
    chart = charts.chart_of(value)
    if chart is not None:
        # Their HTML has scripts, which would be removed.
        yield chart
        return
    for name, shape in _METHODS.items():
        # Look it up on the type: some objects have every attribute.
        if callable(inspect.getattr_static(kind, name, None)):
            yield from _find(shape(getattr(value, name)()))
    if callable(inspect.getattr_static(kind, "_repr_mimebundle_", None)):
        yield from _of_bundle(value)


def _find(shown: Display | None) -> Iterator[Display]:
    if shown is not None:
        yield shown


def _of_bundle(value: Any) -> Iterator[Display]:
    """Yield the forms that can be drawn of an object that has several by media type."""
    bundle = value._repr_mimebundle_()
    given = cast("dict[str, Any]", bundle[0] if isinstance(bundle, tuple) else bundle) or {}
    chart = charts.chart_in(given)
    if chart is not None:
        yield chart
        return
    if charts.WIDGET_TYPE in given:
        yield display_of_text(f"{value!r}\n{NO_WIDGETS}")[0]
        return
    for media_type, shape in _MEDIA_TYPES.items():
        if media_type in given:
            yield from _find(shape(given[media_type]))


def _html(markup: Any) -> Display | None:
    fits = isinstance(markup, str) and len(markup) <= MAX_MARKUP
    return {"kind": "html", "html": markup} if fits else None


def _markdown(text: Any) -> Display | None:
    fits = isinstance(text, str) and len(text) <= MAX_MARKUP
    return {"kind": "markdown", "text": text} if fits else None


def _latex(text: Any) -> Display | None:
    fits = isinstance(text, str) and len(text) <= MAX_MARKUP
    return {"kind": "latex", "text": text} if fits else None


def _svg(markup: Any) -> Display | None:
    return _media("image/svg+xml", markup.encode()) if isinstance(markup, str) else None


def _media(media_type: str, data: Any) -> Display | None:
    kind = media_type.partition("/")[0]
    if isinstance(data, str):
        # Some methods return base64.
        with contextlib.suppress(ValueError):
            data = base64.b64decode(data, validate=True)
    if kind not in ("image", "audio") or not isinstance(data, bytes) or not 0 < len(data) <= MAX_MEDIA:
        return None
    return {"kind": kind, "media_type": media_type, "data": base64.b64encode(data).decode()}


_METHODS: dict[str, Callable[[Any], Display | None]] = {
    "_repr_html_": _html,
    "_repr_latex_": _latex,
    "_repr_svg_": _svg,
    "_repr_png_": lambda data: _media("image/png", data),
    "_repr_jpeg_": lambda data: _media("image/jpeg", data),
    "_repr_markdown_": _markdown,
}
_MEDIA_TYPES: dict[str, Callable[[Any], Display | None]] = {
    "text/html": _html,
    "text/latex": _latex,
    "image/svg+xml": _svg,
    "image/png": lambda data: _media("image/png", data),
    "image/jpeg": lambda data: _media("image/jpeg", data),
    "audio/wav": lambda data: _media("audio/wav", data),
    "text/markdown": _markdown,
}
