"""Markdown files with YAML 1.2 between two lines of three dashes at their start (https://jekyllrb.com/docs/front-matter/)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

MARK = "---"


class FrontMatterBroken(ValueError):
    """The front matter can't be read.

    Args:
        line: The line in the file, from 1.
        reason: The reason, in one line.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


@dataclass(frozen=True)
class Document:
    """A file with front matter.

    Attributes:
        fields: The fields of the front matter.
        body: The text after it, stripped.
        lines: The line of each field in the file, from 1, by its path: `("budget", "steps")`.
    """

    fields: dict[str, Any]
    body: str
    lines: dict[tuple[str | int, ...], int] = field(default_factory=dict[tuple[str | int, ...], int])

    def line_of(self, path: tuple[str | int, ...]) -> int:
        """Return the line of a field, or of the nearest field around it; 1 without any."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def parse(text: str) -> Document:
    """Split a file into its front matter and its body.

    Raises:
        FrontMatterBroken: There is no front matter, or it isn't a mapping in valid YAML.
    """
    source, body = _split(text)
    end = source.count("\n")
    # Compiled extensions would differ between the page and other Pythons.
    yaml: Any = YAML(typ="safe", pure=True)
    try:
        node = yaml.compose(source)
        fields: Any = yaml.load(source)
    except RecursionError as error:
        raise FrontMatterBroken(2, "the front matter is nested too deeply") from error
    except YAMLError as error:
        problem: Any = error
        mark = getattr(problem, "problem_mark", None)
        line = end if mark is None else min(mark.line + 1, end)
        reason = str(getattr(problem, "problem", None) or problem)
        raise FrontMatterBroken(line, " ".join(reason.split())) from error
    if not isinstance(fields, dict):
        raise FrontMatterBroken(2, "the front matter isn't a list of names with values")
    return Document(
        {str(name): value for name, value in cast("dict[Any, Any]", fields).items()}, body, _lines(node)
    )


def changed(text: str, known: Collection[str], fields: Mapping[str, Any], body: str) -> str:
    """Return a file with other fields and another body. Comments, the order of fields and unknown fields stay.

    Args:
        text: The file, which `parse` accepts.
        known: The names of all fields; those that `fields` lacks are removed.
        fields: The fields.
        body: The text after the front matter.
    """
    yaml: Any = YAML(typ="rt", pure=True)
    yaml.preserve_quotes, yaml.width = True, 1_000
    found: Any = yaml.load(_split(text)[0])
    for name in known:
        if name not in fields:
            found.pop(name, None)
        elif found.get(name) != fields[name]:
            found[name] = fields[name]
    front = StringIO()
    yaml.dump(found, front)
    return f"{MARK}\n{front.getvalue().strip()}\n{MARK}\n\n{body.strip()}\n"


def _split(text: str) -> tuple[str, str]:
    """Return the front matter and the body of a file."""
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].rstrip() != MARK:
        raise FrontMatterBroken(1, "the file doesn't begin with front matter, a line of three dashes")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == MARK), None)
    if end is None:
        raise FrontMatterBroken(len(lines), "no second line of three dashes ends the front matter")
    # An empty line replaces the first mark, so that line numbers match the file.
    return "\n".join(["", *lines[1:end], ""]), "\n".join(lines[end + 1 :]).strip()


def _lines(root: Any) -> dict[tuple[str | int, ...], int]:
    """Return the line of each field. A node with an alias counts once: aliases of aliases would be endless."""
    found: dict[tuple[str | int, ...], int] = {}
    seen: set[int] = set()
    left: list[tuple[tuple[str | int, ...], Any]] = [((), root)]
    while left:
        path, node = left.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if node.id == "mapping":
            inner = [((*path, str(key.value)), key, value) for key, value in node.value]
        elif node.id == "sequence":
            inner = [((*path, number), value, value) for number, value in enumerate(node.value)]
        else:
            continue
        for where, marked, value in inner:
            found[where] = marked.start_mark.line + 1
            left.append((where, value))
    return found
