"""Taint tracking: find the arguments of a call that contain untrusted text from pages, files and programs.

Text is compared by letters and digits alone, so quoting, case, line breaks and invisible characters make no
difference. Long overlaps are found as rsync finds them: blocks of the known text at fixed distances are looked up at
every position of the new one (https://rsync.samba.org/tech_report/). Percent, base64 and hexadecimal encodings are
decoded, too. A paraphrase isn't detected; calls that reach outside ask the user anyway.
"""

import base64
import binascii
import html
import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any, cast
from urllib.parse import unquote_plus

Found = dict[str, str]

BLOCK = 10
# Any overlap of this length contains a complete block.
SHINGLE = 2 * BLOCK
# A match of a complete argument or command needs fewer characters.
WHOLE = 10
# A key, a number or a name, within a URL.
TOKEN = 8
# A block that occurs in more places than this is too common to index further.
MAX_PLACES = 16
MAX_SHOWN = 200
# The member of a result with the files in which another agent has written untrusted text.
TAINTED_FILES = "files_with_outside_text"
NESTED = 2

NOT_WORD = re.compile(r"[\W_]+")
URL = re.compile(r"\b[a-z][a-z0-9+.-]*://([^\s/\"'<>?#\\]+)|\b[\w.+-]+@([\w-]+\.[\w.-]+)", re.IGNORECASE)
PATH = re.compile(r"(?<![\w/.:-])(?:~|\.{1,2})?(?:/[\w.@+-]+)+/?(?![\w/:])")
COMMANDS = re.compile(r"[\n;|&]+")
# Both alphabets; in a URL a slash may come before it.
BASE64 = (re.compile(r"[A-Za-z0-9+/]{16,}={0,2}"), re.compile(r"[A-Za-z0-9_-]{16,}={0,2}"))
HEX = re.compile(r"(?:[0-9A-Fa-f]{2}){8,}")
NAME = re.compile(r"[\w.@+-]{2,200}")
BREAKS = str.maketrans("", "", "\t\n\r")
PIECES = re.compile(r"[^\w.+-]+")


class Taint:
    """The untrusted text that a run has read, and the text of the user and the model.

    Args:
        on_read: Called with the origin of each untrusted text.
    """

    def __init__(self, on_read: Callable[[str], None] = lambda _: None) -> None:
        self._on_read = on_read
        self._texts: list[tuple[str, str]] = []
        self._blocks: dict[str, list[tuple[int, int]]] = {}
        self._hosts: dict[str, str] = {}
        self._carriers: dict[str, str] = {}
        self._own: list[str] = []
        self._own_hosts: set[str] = set()

    def trust(self, value: Any) -> None:
        """Mark a text, or all strings in a JSON value, as the user's or the model's own."""
        for _, text in _strings(value):
            self._own.append(plain(text))
            self._own_hosts |= _hosts(text)

    def remember(self, origin: str, value: Any) -> None:
        """Record an untrusted text, or all strings in a JSON value."""
        self._on_read(origin)
        for _, text in _strings(value):
            for form in _forms(html.unescape(text)):
                self._index(origin, form)

    def remember_json(self, origin: str, text: str) -> None:
        """Record the untrusted strings of a JSON result; a truncated result is recorded as plain text."""
        try:
            value: Any = json.loads(text)
        except (ValueError, RecursionError):
            value = text.replace("\\n", "\n")
        self.remember(origin, value)
        for path in _tainted_files(value):
            self._carriers[path.rstrip("/").rpartition("/")[2]] = origin

    def _index(self, origin: str, text: str) -> None:
        known = plain(text)
        if len(known) < TOKEN:
            return
        number = len(self._texts)
        self._texts.append((origin, known))
        for start in range(0, len(known) - BLOCK + 1, BLOCK):
            places = self._blocks.setdefault(known[start : start + BLOCK], [])
            if len(places) < MAX_PLACES:
                places.append((number, start))
        for host in _hosts(text):
            self._hosts.setdefault(host, origin)

    def find(self, arguments: dict[str, Any]) -> list[Found]:
        """Return the untrusted parts of a call's arguments, at most one per argument: `{argument, text, origin}`."""
        found: dict[str, Found] = {}
        for name, text in _strings(arguments):
            if name not in found and (hit := self._match(text)):
                shown, origin = hit
                found[name] = {"argument": name, "text": shown[:MAX_SHOWN], "origin": origin}
        return list(found.values())

    def taint_outputs(self, arguments: dict[str, Any], found: list[Found]) -> None:
        """Record that a call has written untrusted text: the files that it names now count as untrusted, too."""
        tainted = {hit["argument"]: hit["origin"] for hit in found}
        for name, text in _strings(arguments):
            last = text.rstrip("/").rpartition("/")[2]
            if tainted and name not in tainted and NAME.fullmatch(last) and ("/" in text or "." in text):
                self._carriers[last] = next(iter(tainted.values()))

    def _match(self, text: str) -> tuple[str, str] | None:
        for carrier, origin in self._carriers.items():
            if re.search(rf"(?<![\w.-]){re.escape(carrier)}(?![\w-])", text):
                return carrier, origin
        for host in _hosts(text) - self._own_hosts:
            if host in self._hosts:
                return host, self._hosts[host]
        for form in _forms(text):
            hit = self._whole(form) or self._overlap(form) or self._token(form)
            if hit:
                return hit
        return None

    def _whole(self, text: str) -> tuple[str, str] | None:
        for part in {text, *COMMANDS.split(text)}:
            wanted = plain(part)
            if (
                len(wanted) >= WHOLE
                and not PATH.fullmatch(part.strip())
                and (origin := self._untrusted_origin(wanted))
            ):
                return part.strip(), origin
        return None

    def _untrusted_origin(self, wanted: str) -> str | None:
        """Return the origin of an untrusted text that contains this one; None if the user or the model said it."""
        if self._is_own(wanted):
            return None
        return next((origin for origin, known in self._texts if wanted in known), None)

    def _is_own(self, wanted: str) -> bool:
        return any(wanted in own for own in self._own)

    def _overlap(self, text: str) -> tuple[str, str] | None:
        wanted, places = _plain_with_positions(text)
        # A path alone is no instruction; in a URL the path matters.
        counts = [True] * len(text)
        for path in () if "://" in text else PATH.finditer(text):
            counts[path.start() : path.end()] = [False] * (path.end() - path.start())
        start = 0
        while start <= len(wanted) - BLOCK:
            longest = 0
            for number, position in self._blocks.get(wanted[start : start + BLOCK], ()):
                origin, known = self._texts[number]
                first, last = _extend(wanted, start, known, position)
                longest = max(longest, last - start)
                common = sum(counts[place] for place in places[first:last])
                if common >= SHINGLE and not self._is_own(wanted[first:last]):
                    return text[places[first] : places[last - 1] + 1], origin
            start += max(1, longest - BLOCK + 1)
        return None

    def _token(self, text: str) -> tuple[str, str] | None:
        """Find a short untrusted word in a URL, which may leak it."""
        if "://" not in text:
            return None
        for token in PIECES.split(text.partition("://")[2]):
            wanted = plain(token)
            distinctive = len(wanted) >= TOKEN and any(letter.isdigit() for letter in wanted)
            if distinctive and (origin := self._untrusted_origin(wanted)):
                return token, origin
        return None


def _tainted_files(value: Any) -> Iterator[str]:
    """Yield the files in which another agent has written untrusted text, as its result lists them."""
    if isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _tainted_files(inner)
    elif isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        files = named.get(TAINTED_FILES)
        if isinstance(files, list):
            yield from (
                path for path in cast("list[Any]", files) if isinstance(path, str) and path.strip("/")
            )
        for inner in named.values():
            yield from _tainted_files(inner)


def plain(text: str) -> str:
    """Return the letters and digits of a text, in normalized form and lower case."""
    return NOT_WORD.sub("", unicodedata.normalize("NFKD", text).casefold())


def _plain_with_positions(text: str) -> tuple[str, list[int]]:
    """Return `plain(text)`, and for each of its characters the position in `text`."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for character in plain(letter):
            letters.append(character)
            places.append(place)
    return "".join(letters), places


def _extend(wanted: str, start: int, known: str, position: int) -> tuple[int, int]:
    """Return the ends in `wanted` of the longest match around a common block."""
    first, last = start, start + BLOCK
    while first and position - (start - first) and wanted[first - 1] == known[position - (start - first) - 1]:
        first -= 1
    while (
        last < len(wanted)
        and position + last - start < len(known)
        and wanted[last] == known[position + last - start]
    ):
        last += 1
    return first, last


def _hosts(text: str) -> set[str]:
    found = {(match[1] or match[2]).rpartition("@")[2].casefold() for match in URL.finditer(text)}
    return {host.rstrip(".,;:)") for host in found}


def _strings(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield every string in a JSON value, with the name of its top-level member."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, inner in cast("dict[str, Any]", value).items():
            if name:
                yield name, key
            yield from _strings(inner, name or key)
    elif isinstance(value, (list, tuple)):
        for inner in cast("list[Any]", value):
            yield from _strings(inner, name)


def _forms(text: str, nested: int = NESTED) -> Iterator[str]:
    """Yield a text as it is, and every text that is encoded in it."""
    yield text
    if not nested:
        return
    if "%" in text and (decoded := unquote_plus(text)) != text:
        yield from _forms(decoded, nested - 1)
    for run in dict.fromkeys(match[0] for alphabet in BASE64 for match in alphabet.finditer(text)):
        if decoded := _from_base64(run):
            yield from _forms(decoded, nested - 1)
    for match in HEX.finditer(text):
        if decoded := _readable(bytes.fromhex(match[0])):
            yield from _forms(decoded, nested - 1)


def _from_base64(text: str) -> str | None:
    standard = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return _readable(base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True))
    except binascii.Error:
        return None


def _readable(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text if text.translate(BREAKS).isprintable() else None
