"""Browsers that may come back without a code: what is kept are public keys, so the file opens nothing by itself.

A page makes a key pair that can't be exported, gives its public key with its first code, and signs a challenge
whenever it comes again: after a reload, and after a companion's restart.
"""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from gemini_companion.errors import FolderUnusable
from gemini_companion.private import read_private, write_private

FILE = "browsers.json"
# The least recently seen makes room, and one that hasn't come for so long needs a code again.
MOST = 16
FORGOTTEN_AFTER_S = 30 * 24 * 3600.0
# The file has no more exact a time than that, and so isn't written all the time.
SEEN_EVERY_S = 3600.0
# An uncompressed point of P-256, and the two numbers of a signature.
POINT, NUMBER = 65, 32

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Browser:
    """A browser that was let in.

    Attributes:
        key: Its public key, a point of P-256 in base64url.
        origin: Where it was let in, `http://127.0.0.1:8765`; its key counts there only.
        since, seen: When it came first, and last, in seconds since 1970.
        attended: Whether a person is at it. Only those of persons are in the file.
    """

    key: str
    origin: str
    since: float
    seen: float
    attended: bool = True

    @property
    def id(self) -> str:
        """A short name that tells nothing."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    def row(self) -> dict[str, Any]:
        """What the settings are told of it: `{id, origin, since, seen}`."""
        since, seen = (
            datetime.fromtimestamp(each, UTC).isoformat(timespec="seconds")
            for each in (self.since, self.seen)
        )
        return {"id": self.id, "origin": self.origin, "since": since, "seen": seen}


class Browsers:
    """The browsers that are known.

    Args:
        file: Where they are kept; None keeps them for as long as this process runs.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._here: dict[str, Browser] = {}

    def rows(self) -> list[dict[str, Any]]:
        """Those of persons, as `Browser.row`, the last seen first."""
        known = sorted(self._known().values(), key=lambda each: each.seen, reverse=True)
        return [each.row() for each in known if each.attended]

    def learn(self, key: str, origin: str, *, attended: bool) -> Browser:
        """A browser has brought a code.

        Raises:
            ValueError: That is no public key.
        """
        _point(key)
        now = time.time()
        browser = Browser(key, origin, now, now, attended)
        self._note(browser)
        return browser

    def recognise(self, key: str, origin: str, statement: bytes, signature: str) -> Browser | None:
        """The browser that signed the statement; None where it isn't known there, or has not signed it."""
        browser = self._known().get(key)
        if browser is None or browser.origin != origin or not _signed(key, statement, signature):
            return None
        now = time.time()
        if now - browser.seen > SEEN_EVERY_S:
            browser = replace(browser, seen=now)
            self._note(browser)
        return browser

    def forget(self, *, spared: str | None = None) -> int:
        """Forget all but one: they need a code again. Gives how many there were.

        Args:
            spared: The `id` of the one that stays.

        Raises:
            FolderUnusable: The file can't be written.
        """
        known = self._known()
        stay = {key: each for key, each in known.items() if each.id == spared}
        self._here = stay
        if self._file is not None and self._file.exists():
            self._keep(stay)
        return len(known) - len(stay)

    def _known(self) -> dict[str, Browser]:
        """What another companion, or `doctor`, has written counts, too."""
        kept = {} if self._file is None else _read(self._file)
        if self._file is not None:
            # What is in the file no more was forgotten by somebody else.
            self._here = {key: each for key, each in self._here.items() if key in kept or not each.attended}
        oldest = time.time() - FORGOTTEN_AFTER_S
        return {key: each for key, each in {**kept, **self._here}.items() if each.seen > oldest}

    def _note(self, browser: Browser) -> None:
        known = {**self._known(), browser.key: browser}
        # The others of before, so that what many ports and profiles leave doesn't grow.
        last = sorted(known.values(), key=lambda each: each.seen)[-MOST:]
        self._here = {each.key: each for each in last}
        if self._file is None or not browser.attended:
            return
        try:
            self._keep(self._here)
        except FolderUnusable as problem:
            logger.warning("Browsers are known until this process ends only: %s.", problem.message)
            self._file = None

    def _keep(self, browsers: dict[str, Browser]) -> None:
        if self._file is not None:
            rows = [asdict(each) for each in browsers.values() if each.attended]
            write_private(self._file, json.dumps({"browsers": rows}, indent=1))


def _read(file: Path) -> dict[str, Browser]:
    text = read_private(file)
    try:
        told = cast("dict[str, Any]", json.loads(text or '{"browsers": []}'))
        rows = cast("list[dict[str, Any]]", told["browsers"])
        found = [
            Browser(str(each["key"]), str(each["origin"]), float(each["since"]), float(each["seen"]))
            for each in rows
        ]
    except (ValueError, KeyError, TypeError):
        logger.warning("%s can't be read; the browsers in it need a code again.", file)
        return {}
    return {each.key: each for each in found[:MOST]}


def _signed(key: str, statement: bytes, signature: str) -> bool:
    """Whether the signature of WebCrypto's ECDSA is right: two numbers, one after the other."""
    try:
        numbers = _bytes(signature)
        if len(numbers) != 2 * NUMBER:
            return False
        r, s = (int.from_bytes(numbers[at : at + NUMBER], "big") for at in (0, NUMBER))
        _point(key).verify(encode_dss_signature(r, s), statement, ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def _point(key: str) -> ec.EllipticCurvePublicKey:
    point = _bytes(key)
    if len(point) != POINT:
        raise ValueError("a public key is an uncompressed point of P-256 in base64url")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
