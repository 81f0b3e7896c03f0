"""Parts of the page that a release's wheel has not: they are fetched on first use, from the wheel of the parts.

`parts.json` next to the page lists them, with the place of each in that wheel and its hash
(builder/release/parts.py). So a page can have nothing fetched but these files, and an index nothing else served. The
package `control-surface-parts` has all of them, for machines without a network.

It needs no package, as `static_files`.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import importlib.util
import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote, urljoin, urlsplit

from gemini.errors import GeminiError
from gemini.project import PROJECT
from gemini_companion.errors import PartUnavailable
from gemini_companion.storage.folders import data_folder
from gemini_companion.storage.private_files import write_private_bytes

LIST = "parts.json"
MODULE = f"{PROJECT.replace('-', '_')}_parts"
# The variables that name the package index for uv and pip, in the order in which they are read.
INDEXES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")
PYPI = "https://pypi.org/simple"
JSON = "application/vnd.pypi.simple.v1+json"
LINK = re.compile(r"""<a\s[^>]*?href=["']([^"'#]+)""", re.IGNORECASE)
ANSWER_WITHIN_S = 60
# A page can ask again at once; the index isn't asked that often.
ASKS_AGAIN_S = 10
PIECE = 256 * 1024
PARTIAL = 206
HINT = f'Try again, or install all parts: pip install "{PROJECT}[offline]".'


@dataclass(frozen=True)
class Part:
    """One part.

    Attributes:
        offset: The first byte of its compressed content in the wheel.
        length: The bytes of that.
        size: Its bytes.
        sha256: Its hash.
    """

    offset: int
    length: int
    size: int
    sha256: str


@dataclass
class _Failure:
    """The words after the name of a part, in the sentence that reports it."""

    said: str
    hint: str | None
    at: float = field(default_factory=time.monotonic)


class Parts:
    """The parts of one page.

    Args:
        folder: The page's folder; without `parts.json` it has no parts.
    """

    def __init__(self, folder: Path) -> None:
        self._wheel = ""
        self._parts: dict[str, Part] = {}
        listed = folder / LIST
        if listed.is_file():
            content: dict[str, Any] = json.loads(listed.read_text(encoding="utf-8"))
            self._wheel = content["wheel"]
            self._parts = {name: Part(**part) for name, part in content["parts"].items()}
        self._lock = threading.Lock()
        self._url: str | None = None
        # By the part's path, or "" if the index failed.
        self._failures: dict[str, _Failure] = {}

    def __contains__(self, name: str) -> bool:
        """Return whether a path of the site is a part."""
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        """Yield the path of each part."""
        return iter(self._parts)

    def size(self, name: str) -> int:
        """Return the bytes that are fetched for a part."""
        return self._parts[name].length

    def find(self, name: str) -> Path | None:
        """Return the file of a part that is on this machine, or None."""
        found = importlib.util.find_spec(MODULE)
        if found and found.origin:
            installed = Path(found.origin).parent / "dist" / name
            if installed.is_file():
                return installed
        stored = _stored(self._parts[name])
        # The user may have stopped the machine while it was written.
        return stored if stored.is_file() and stored.stat().st_size == self._parts[name].size else None

    def get(self, name: str) -> Path:
        """Return the file of a part, which is fetched if it isn't on this machine.

        Raises:
            PartUnavailable: It can't be fetched, or isn't what the list says.
        """
        if found := self.find(name):
            return found
        with self._lock:
            if found := self.find(name):
                return found
            for failure in filter(None, map(self._failures.get, (name, ""))):
                if time.monotonic() - failure.at < ASKS_AGAIN_S:
                    raise _unavailable(name, failure)
            return self._fetch(name, self._parts[name])

    def _fetch(self, name: str, part: Part) -> Path:
        try:
            data = self._read(part)
        except (OSError, http.client.HTTPException, ValueError) as problem:
            raise self._fail(
                name, f"can't be fetched from {_index()}: {_reason(problem)}.", of_index=True
            ) from None
        if data is None or hashlib.sha256(data).hexdigest() != part.sha256:
            raise self._fail(name, "isn't what this version has listed: its hash differs.")
        target = _stored(part)
        try:
            write_private_bytes(target, data)
        except GeminiError as problem:
            raise self._fail(name, f"can't be saved: {problem.message}", problem.hint) from None
        return target

    def _fail(
        self, name: str, said: str, hint: str | None = HINT, *, of_index: bool = False
    ) -> PartUnavailable:
        """Remember a failure, and return the error. One of the index is that of all parts."""
        failure = _Failure(said, hint)
        self._failures["" if of_index else name] = failure
        return _unavailable(name, failure)

    def _read(self, part: Part) -> bytes | None:
        """Return the content of a part; None if what is there can't be unpacked."""
        if self._url is None:
            self._url = _address(self._wheel)
        span = f"bytes={part.offset}-{part.offset + part.length - 1}"
        request = urllib.request.Request(self._url, headers={"Range": span})
        with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
            # A server may ignore the range and send the whole file.
            if answer.status != PARTIAL:
                _skip(answer, part.offset)
            packed = answer.read(part.length)
        if len(packed) < part.length:
            raise http.client.IncompleteRead(packed, part.length - len(packed))
        try:
            # No more than the part's size, whatever the index sent.
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, part.size)
        except zlib.error:
            return None


def _unavailable(name: str, failure: _Failure) -> PartUnavailable:
    return PartUnavailable(f"{name.rpartition('/')[2]} {failure.said}", hint=failure.hint)


def _stored(part: Part) -> Path:
    return data_folder() / "parts" / part.sha256


def _skip(answer: IO[bytes], count: int) -> None:
    while count and (piece := answer.read(min(PIECE, count))):
        count -= len(piece)


def _index() -> str:
    named = (os.environ.get(name) for name in INDEXES)
    return next((address for address in named if address), PYPI).rstrip("/")


def _address(wheel: str) -> str:
    """Return the address of a file of the project of the parts.

    Raises:
        OSError: The index can't be reached, or doesn't have it.
    """
    page = f"{_index()}/{quote(MODULE.replace('_', '-'))}/"
    request = urllib.request.Request(page, headers={"Accept": f"{JSON}, text/html;q=0.1"})
    with urllib.request.urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
        text = answer.read().decode("utf-8")
        base = answer.geturl()
        is_json = answer.headers.get_content_type() == JSON
    listed: list[str] = [file["url"] for file in json.loads(text)["files"]] if is_json else LINK.findall(text)
    for each in listed:
        url = urljoin(base, each)
        if unquote(urlsplit(url).path.rpartition("/")[2]) == wheel:
            return url.partition("#")[0]
    raise FileNotFoundError(errno.ENOENT, f"it has no {wheel}")


def _reason(problem: Exception) -> str:
    match problem:
        case urllib.error.HTTPError():
            # It is an open answer, too.
            problem.close()
            return f"the answer is {problem.code} {problem.reason}"
        case http.client.IncompleteRead():
            return "the connection ended before all of it had arrived"
        case urllib.error.URLError():
            return str(getattr(problem.reason, "strerror", None) or problem.reason)
        case OSError() if problem.strerror:
            return problem.strerror
        case _:
            return str(problem) or type(problem).__name__
