"""The output and the shown values of code, as a model gets them: cut in the middle, with a file that has all of it."""

import base64
import codecs
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, TextIO, cast

from gemini.code_mode.values import Record, is_large, show
from gemini.computer.python.display import failure_of, forms
from gemini.core.spill import make_room
from gemini.tools.calls import report_progress
from gemini.tools.content import Audio, Block, Content, Image, split_picture

# The characters of an answer's text: its start, and its end after a cut.
MAX_HEAD, MAX_TAIL = 6_000, 1_500
MAX_PICTURES = 8
# A file of an answer is in memory.
MAX_FILE = 100_000_000
# Printed lines are reported as progress at most so often.
PROGRESS_S = 0.25
MAX_LINE = 200
# The page's console shows the start of what code prints.
MAX_FORWARDED = 1_000_000
PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")

Stream = Literal["stdout", "stderr"]
Forward = Callable[[Stream, bytes], object]
"""Receives a piece of output."""


class Answer:
    """The printed text and the shown values of one block of code, in order.

    Args:
        path: Where all of a text goes that is too long.
        forward: Called with the printed bytes, such as the console's entry.
        late: Called with what tasks print after the answer is closed.
    """

    def __init__(self, path: Path, forward: Forward, late: Callable[[str], object]) -> None:
        self._path, self._forward, self._late = path, forward, late
        self._blocks: list[Block] = []
        self._head, self._tail = "", ""
        self._total = self._lines = self._pictures = self._forwarded = 0
        self._file: TextIO | None = None
        self._is_cut = self._is_closed = False
        self._problem = ""
        self._reported = time.monotonic()
        self.stdout, self.stderr = _Sink(self, "stdout"), _Sink(self, "stderr")

    def print(self, stream: Stream, data: bytes, text: str) -> None:
        """Add printed bytes, which are this text."""
        if self._forwarded < MAX_FORWARDED:
            self._forwarded += len(data)
            self._forward(stream, data)
        if self._is_closed:
            self._late(text)
            return
        self.add(text)
        self._lines += text.count("\n")
        now = time.monotonic()
        if now - self._reported >= PROGRESS_S and text.strip():
            self._reported = now
            report_progress(self._lines, None, text.strip().splitlines()[-1][:MAX_LINE])

    def add(self, text: str) -> None:
        """Add a text."""
        self._total += len(text)
        if not self._is_cut and self._total <= MAX_HEAD + MAX_TAIL:
            self._head += text
            return
        if self._is_cut:
            self._tail += text
        else:
            self._is_cut = True
            self._open()
            self._write(self._head)
            whole = self._head + text
            self._head, self._tail = whole[:MAX_HEAD], whole[MAX_HEAD:]
        self._tail = self._tail[-MAX_TAIL:]
        self._write(text)

    def show(self, value: Any) -> None:
        """Add a value: a picture or a chart as such, anything else as text."""
        for block in _blocks(value):
            if isinstance(block, str):
                self.add(block if not block or block.endswith("\n") else f"{block}\n")
            elif self._pictures < MAX_PICTURES:
                self._pictures += 1
                self._blocks.append(block)
            else:
                self.add(f"[a further picture isn't shown: an answer has at most {MAX_PICTURES}]\n")

    def text(self) -> str:
        """Return the text, cut in the middle if it is long."""
        if self._file is not None:
            self._file.flush()
        if not self._is_cut:
            return self._head.rstrip("\n")
        cut = self._total - len(self._head) - len(self._tail)
        where = self._problem or f"all of it is in {self._path}: print less, or read it in parts"
        return f"{self._head}\n[… {cut:,} of {self._total:,} characters cut; {where} …]\n{self._tail}".rstrip(
            "\n"
        )

    def content(self, before: str = "") -> Content:
        """Return the answer: the text, after `before`, and then the pictures."""
        text = "\n".join(filter(None, (before, self.text())))
        return Content(*([text] if text or not self._blocks else []), *self._blocks)

    def close(self) -> None:
        """Close the file, if there is one. What is printed from now on is late."""
        self._is_closed = True
        if self._file is not None:
            self._file.close()

    def _open(self) -> None:
        try:
            make_room(self._path.parent)
            self._file = self._path.open("w", encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            self._problem = f"the rest is lost, because {self._path} can't be written ({error.strerror})"

    def _write(self, text: str) -> None:
        if self._file is None or self._file.closed or self._problem:
            return
        try:
            self._file.write(text)
        except OSError as error:
            self._problem = f"{self._path} has only a part of it ({error.strerror})"
        if self._total > MAX_FILE:
            self._problem = f"the first {MAX_FILE:,} characters are in {self._path}"


class _Sink:
    """A stream of the code: bytes to text, and on to the answer."""

    def __init__(self, answer: Answer, stream: Stream) -> None:
        self._answer = answer
        self._stream: Stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data: bytes, /) -> object:
        """Receive a piece of output."""
        self._answer.print(self._stream, data, self._decoder.decode(data))
        return None


def _blocks(value: Any) -> Iterator[Block]:
    """Yield the pictures of a value and its text."""
    if isinstance(value, (Image, Audio)):
        yield value
    elif isinstance(value, Content):
        yield from map(_block, value.content)
    elif isinstance(value, Record):
        split = split_picture(value)
        if split is not None:
            yield Image(base64.b64decode(split[1]), split[0])
        elif isinstance(value.get("content"), list) and set(value) == {"content"}:
            yield from (_block(cast("dict[str, Any]", row)) for row in value["content"])
            return
        yield from _saved_pictures(value.get("files"))
        yield show(value)
    else:
        yield from _of_object(value)


def _saved_pictures(files: Any) -> Iterator[Block]:
    """Yield the pictures among the files that a tool has saved."""
    for row in cast("list[Any]", files) if isinstance(files, list) else []:
        match row:
            case {"kind": "image", "path": str() as path, "mime_type": str() as kind} if kind in PICTURES:
                try:
                    yield Image(Path(path).read_bytes(), kind)
                except OSError as error:
                    yield f"[{path} can't be shown: {error.strerror}]\n"
            case _:
                pass


def _block(row: Any) -> Block:
    """Return a block of a tool's content; one that isn't a picture, a sound or a text becomes text."""
    members = cast("dict[str, Any]", row) if isinstance(row, dict) else {"text": str(row)}
    data, kind = members.get("data"), members.get("type")
    if isinstance(data, str) and kind in ("image", "audio"):
        made = Image if kind == "image" else Audio
        return made(base64.b64decode(data), str(members.get("mimeType", "image/png")))
    return str(members["text"]) if isinstance(members.get("text"), str) else show(members)


def _of_object(value: Any) -> Iterator[Block]:
    """Yield the picture that an object draws itself as, such as a chart, or its text."""
    if value is None or type(value).__module__ == "builtins":
        yield _text(value)
        return
    try:
        pictures = [row for row in forms(value) if row["kind"] == "image" and row["media_type"] in PICTURES]
    except Exception as error:
        # The object's own code may raise anything, and the code itself has succeeded.
        yield failure_of(value, error)
        return
    if pictures:
        yield Image(base64.b64decode(pictures[0]["data"]), pictures[0]["media_type"])
    else:
        yield _text(value)


def _text(value: Any) -> str:
    try:
        return show(value)
    except Exception as error:
        # Its `__repr__` may raise anything, and the code itself has succeeded.
        return failure_of(value, error)


def short_print(*values: Any, **options: Any) -> None:
    """Print as Python does, but show only the shape and the start of a large value."""
    to_answer = options.get("file") in (None, sys.stdout)
    print(*(_text(each) if to_answer and is_large(each) else each for each in values), **options)
