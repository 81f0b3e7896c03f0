"""Results of tools as objects for code, whose text is made for a model: short, with the way to get the rest."""

import pprint
from collections.abc import Generator, Mapping, Sequence
from itertools import islice
from typing import Any, Self, cast

from gemini.tools.content import split_picture

# The characters of a shown text, and of one within other values.
MAX_SHOWN, MAX_INNER = 4_000, 200
MAX_ROWS, MAX_CELL, MAX_MEMBERS = 20, 60, 40
# What files look like on the map view, which no code needs to see.
DRAWN = {"color", "permissions"}
CELLS = (str, int, float, bool, type(None))


class _Ready:
    """A value that can be awaited, too, since much code for agents awaits every call."""

    def __await__(self) -> Generator[Any, None, Self]:
        return self
        yield


class Record(_Ready, dict[str, Any]):
    """A result with members, by attribute and by key.

    Args:
        members: The members.
        kind: The name of the result's type.
    """

    def __init__(self, members: Mapping[str, Any], kind: str = "Record") -> None:
        super().__init__(members)
        object.__setattr__(self, "_kind", kind)

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            known = ", ".join(self) or "no members"
            raise AttributeError(f"{self._kind} has no {name!r}; it has {known}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self if name.isidentifier())]

    def __repr__(self) -> str:
        return show(self)


class Rows(_Ready, list[Any]):
    """A list of results; `kind` is the name of the rows' type."""

    def __init__(self, items: Sequence[Any], kind: str = "rows") -> None:
        super().__init__(items)
        self._kind = kind

    def __repr__(self) -> str:
        return show(self)


class Text(_Ready, str):
    """A text that a tool returned."""

    __slots__ = ()


def wrap(value: Any, kind: str = "Record") -> Any:
    """Return the JSON-like value of a tool as an object for code; numbers, booleans and None stay as they are."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return Record({name: wrap(member, name) for name, member in members.items()}, kind)
    if isinstance(value, (list, tuple)):
        return Rows([wrap(item, kind) for item in cast("Sequence[Any]", value)], kind)
    return Text(value) if type(value) is str else value


def show(value: Any) -> str:
    """Return a value's text for a model. It may have several lines; long parts are cut, with the way to get them."""
    if isinstance(value, str):
        return _cut(value, MAX_SHOWN, "text")
    if isinstance(value, Record):
        return _record(value)
    if isinstance(value, list) and (columns := _columns(cast("list[Any]", value))):
        return _table(cast("list[Any]", value), columns)
    return _plain(value)


def is_large(value: Any) -> bool:
    """Return whether `show` would cut a value that isn't a tool's result."""
    if isinstance(value, str):
        return len(value) > MAX_SHOWN
    return (
        isinstance(value, (list, tuple, dict, set, frozenset)) and len(cast("list[Any]", value)) > MAX_MEMBERS
    )


def _cut(text: str, most: int, name: str) -> str:
    if len(text) <= most:
        return text
    lines = text.count("\n") + 1
    return (
        f"{text[:most]}\n[cut: {len(text):,} characters, {lines:,} lines; the first {most:,} are shown; "
        f"print({name}[{most}:{2 * most}]) has the next]"
    )


def _record(record: Record) -> str:
    """Return short members on one line, and below it each text of several lines, and each table."""
    shown = record
    if (split := split_picture(record)) is not None:
        shown = Record({**split[2], "data": "…"}, record._kind)  # pyright: ignore[reportPrivateUsage]
    short, long = list[str](), list[str]()
    for name, member in shown.items():
        if isinstance(member, str) and ("\n" in member.strip() or len(member) > MAX_INNER):
            long.append(f"{name}:\n{_cut(member.rstrip(), MAX_SHOWN, f'value.{name}')}")
        elif isinstance(member, list) and (columns := _columns(cast("list[Any]", member))):
            long.append(f"{name}: {_table(cast('list[Any]', member), columns)}")
        else:
            short.append(f"{name}={_inner(member)}")
    head = f"{record._kind}({', '.join(short)})"  # pyright: ignore[reportPrivateUsage]
    return "\n".join([head, *long])


def _columns(rows: list[Any]) -> list[str]:
    """Return the names of the columns of a list of records; none if it isn't one."""
    shown = cast("list[dict[Any, Any]]", rows[:MAX_ROWS])
    if not shown or not all(isinstance(cast(Any, row), dict) and row for row in shown):
        return []
    return list(dict.fromkeys(str(name) for row in shown for name in row))


def _table(rows: list[Any], columns: list[str]) -> str:
    kind = f" of {rows._kind}" if isinstance(rows, Rows) else ""  # pyright: ignore[reportPrivateUsage]
    columns = [name for name in columns if name not in DRAWN]
    head = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}{kind}: {' | '.join(columns)}"
    lines = [" | ".join(_cell(row.get(name, "")) for name in columns) for row in rows[:MAX_ROWS]]
    if len(rows) > MAX_ROWS:
        lines.append(
            f"[cut: {len(rows) - MAX_ROWS:,} more rows; print(rows[{MAX_ROWS}:{2 * MAX_ROWS}]) has the next]"
        )
    return "\n".join([head, *lines])


def _cell(value: Any) -> str:
    text = " ".join(str(value).split()) if isinstance(value, CELLS) else _inner(value)
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"


def _inner(value: Any) -> str:
    """Return a value within another one, on one line."""
    if isinstance(value, str):
        return (
            repr(str(value))
            if len(value) <= MAX_INNER
            else f"{str(value[:MAX_INNER])!r}… ({len(value):,} characters)"
        )
    if isinstance(value, Record):
        members = ", ".join(f"{name}={_inner(member)}" for name, member in value.items())
        return members if len(members) <= MAX_INNER else f"{members[:MAX_INNER]}…"
    if isinstance(value, list):
        items = cast("list[Any]", value)
        text = ", ".join(map(_inner, items[:10])) + (
            f", … {len(items) - 10:,} more" if len(items) > 10 else ""
        )
        return (
            f"[{text}]"
            if len(text) <= 2 * MAX_INNER
            else f"[{text[: 2 * MAX_INNER]}… ({len(items):,} items)]"
        )
    text = repr(value)
    return text if len(text) <= MAX_INNER else f"{text[:MAX_INNER]}…"


def _plain(value: Any) -> str:
    kind: Any = type(value)
    if kind in (list, tuple, set, frozenset, dict) and len(value) > MAX_MEMBERS:
        few = kind(islice(value.items() if kind is dict else value, MAX_MEMBERS))
        text = pprint.pformat(few, width=120, compact=True, sort_dicts=False)[:MAX_SHOWN]
        return f"{kind.__name__} of {len(value):,}: {text}\n[cut: {len(value) - MAX_MEMBERS:,} more]"
    if isinstance(value, Rows):
        return _inner(value) if value else "no rows"
    text = repr(value)
    if 120 < len(text) <= MAX_SHOWN:
        text = pprint.pformat(value, width=120, compact=True, sort_dicts=False)
    return _cut(text, MAX_SHOWN, "str(value)")
