"""The outputs of a notebook's cell, as its file stores them.

The format is Jupyter's, version 4.5 (https://nbformat.readthedocs.io/en/latest/format_description.html#code-cells).
"""

import base64
from typing import Any

from typing_extensions import TypedDict

from gemini.computer.python import charts
from gemini.computer.python.display import Display, display_of_text, failure_of, forms, plain
from gemini.computer.python.events import Printed
from gemini.errors import GeminiError, PythonError

# Of media types: the data by media type, such as {"text/plain": "1"}.
Bundle = dict[str, Any]


class CellRun(TypedDict):
    """A run of a cell: its outputs, its number, and the package that a failed import needs."""

    outputs: list[dict[str, Any]]
    execution_count: int
    package: str | None


class CellOutputs:
    """Collects what a cell shows while it runs."""

    def __init__(self) -> None:
        self._shown: list[Bundle] = []
        self._result: Bundle | None = None

    def show(self, value: Any) -> tuple[Display, str | None]:
        """Add a value that the code displays, and return what `display` returns for it."""
        saved, shown, full_text = _shown(value)
        self._shown.append(saved)
        return shown, full_text

    def finish(self, value: Any) -> tuple[Display, str | None]:
        """Set the value of the last expression, and return what `display` returns for it."""
        self._result, shown, full_text = _shown(value)
        return shown, full_text

    def outputs(self, count: int, printed: list[Printed], error: GeminiError | None) -> list[dict[str, Any]]:
        """Return the outputs in the order in which they came.

        Args:
            count: The number of the run, which the notebook shows in brackets.
            printed: The run's output in the console.
            error: The error that ended it.
        """
        shown = iter(self._shown)
        outputs = [
            {"output_type": "display_data", "data": next(shown), "metadata": {}}
            if part["stream"] == "value"
            else {"output_type": "stream", "name": part["stream"], "text": _lines(part["text"])}
            for part in printed
        ]
        if self._result is not None:
            result: dict[str, Any] = {"output_type": "execute_result", "execution_count": count}
            outputs.append({**result, "data": self._result, "metadata": {}})
        if error is not None:
            outputs.append(_of_error(error))
        return outputs


def _shown(value: Any) -> tuple[Bundle, Display, str | None]:
    """Return all forms of a value, of which there is always a plain text, with the console's output.

    The value's own methods run once: a figure takes long to draw.
    """
    found: list[Display] = []
    try:
        found.extend(forms(value))
        text = plain(value)
    except Exception as error:
        # The object's own code may raise anything, and the cell itself has succeeded. The forms found before remain.
        text = failure_of(value, error)
    saved: Bundle = dict(map(_of_display, found))
    display, full_text = (
        (found[0], None) if found else display_of_text(value if isinstance(value, str) else text)
    )
    return {**saved, "text/plain": _lines(text)}, display, full_text


def _of_display(shown: Display) -> tuple[str, Any]:
    kind = shown["kind"]
    if shown["kind"] == "chart":
        return charts.bundle_of(shown)
    if shown["kind"] == "html":
        return "text/html", _lines(shown["html"])
    if shown["kind"] == "table":
        return "text/html", _lines(_table(shown["columns"], shown["rows"]))
    if "media_type" not in shown:
        return f"text/{'plain' if kind == 'text' else kind}", _lines(shown["text"])
    if shown["media_type"] == "image/svg+xml":
        return "image/svg+xml", _lines(base64.b64decode(shown["data"]).decode("utf-8", "replace"))
    return shown["media_type"], shown["data"]


def _table(columns: list[str], rows: list[list[str]]) -> str:
    # Imported on first use: a start doesn't need it.
    from html import escape

    head = "".join(f"<th>{escape(each)}</th>" for each in columns)
    body = "\n".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _of_error(error: GeminiError) -> dict[str, Any]:
    message = error.message
    if not isinstance(error, PythonError):
        message = f"KeyboardInterrupt: {message}"
    name, _, value = message.partition(": ")
    data: dict[str, Any] = error.data or {}
    traceback = str(data.get("traceback") or message).rstrip()
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": traceback.split("\n")}


def _lines(text: str) -> list[str]:
    """Split a text after each line end, as files of notebooks do, so that a change of a line is a change of a line."""
    return text.splitlines(keepends=True)
