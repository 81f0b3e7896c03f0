"""The browsers that may return without a code. Only public keys are saved, so the file alone admits nobody.

A page creates a key pair that can't be exported, sends the public key with its first code, and signs a challenge
each time it returns: after a reload, and after a restart of the companion.
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
from gemini_companion.storage.private_files import read_private, write_private

FILE = "browsers.json"
# At the limit the least recently seen is dropped. A browser that was away for longer needs a code again.
MAX_BROWSERS = 16
FORGOTTEN_AFTER_S = 30 * 24 * 3600.0
# The file's times are only this exact, so that it is rarely written.
SEEN_EVERY_S = 3600.0
# The length in bytes of an uncompressed point of P-256, and of each of a signature's two numbers.
POINT, NUMBER = 65, 32

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Browser:
    """A browser that was admitted.

    Attributes:
        key: Its public key, a point of P-256 in base64url.
        origin: The origin that admitted it, such as `http://127.0.0.1:8765`; the key is valid there only.
        since, seen: When it was first and last admitted, in seconds since 1970.
        attended: Whether a user uses it. Only attended browsers are saved.
        own: Whether the companion has started it, with the profile of its window, where its key stays.
    """

    key: str
    origin: str
    since: float
    seen: float
    attended: bool = True
    own: bool = False

    @property
    def id(self) -> str:
        """A short name that reveals nothing about the key."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    def row(self) -> dict[str, Any]:
        """Return the row that the settings show: `{id, origin, since, seen}`."""
        since, seen = (
            datetime.fromtimestamp(each, UTC).isoformat(timespec="seconds")
            for each in (self.since, self.seen)
        )
        return {"id": self.id, "origin": self.origin, "since": since, "seen": seen}


class Browsers:
    """The known browsers.

    Args:
        file: Where to save them; None holds them in memory only.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._here: dict[str, Browser] = {}

    def rows(self) -> list[dict[str, Any]]:
        """Return the attended browsers as `Browser.row`, last seen first."""
        known = sorted(self._find().values(), key=lambda each: each.seen, reverse=True)
        return [each.row() for each in known if each.attended]

    def add(self, key: str, origin: str, *, attended: bool, own: bool = False) -> Browser:
        """Add a browser that presented a code. One that a user uses stays so, if it is woken without them.

        Args:
            key: Its public key.
            origin: The origin that admits it.
            attended: Whether a user uses it.
            own: Whether the companion has started it, with the profile of its window.

        Raises:
            ValueError: `key` isn't a public key.
        """
        require_key(key)
        known = self._find().get(key)
        if known is not None and known.origin == origin:
            if known.attended and not attended and (known.own or not own):
                return known
            attended, own = attended or known.attended, own or known.own
        now = time.time()
        browser = Browser(key, origin, now, now, attended, own)
        self._remember(browser)
        return browser

    def verify(self, key: str, origin: str, statement: bytes, signature: str) -> Browser | None:
        """Return the browser that signed the statement; None if it is unknown at that origin or didn't sign."""
        browser = self._find().get(key)
        if browser is None or browser.origin != origin or not _signed(key, statement, signature):
            return None
        now = time.time()
        if now - browser.seen > SEEN_EVERY_S:
            browser = replace(browser, seen=now)
            self._remember(browser)
        return browser

    def forget(self, *, spared: str | None = None) -> int:
        """Forget all browsers but one, so that they need a code again; return how many were forgotten.

        Args:
            spared: The `id` of the browser that stays.

        Raises:
            FolderUnusable: The file can't be written.
        """
        known = self._find()
        stay = {key: each for key, each in known.items() if each.id == spared}
        self._here = stay
        if self._file is not None and self._file.exists():
            self._save(stay)
        return len(known) - len(stay)

    def _find(self) -> dict[str, Browser]:
        """Return all browsers, including those that another companion or `doctor` has saved."""
        saved = {} if self._file is None else _read(self._file)
        if self._file is not None:
            # A browser that is missing from the file was forgotten by another process.
            self._here = {key: each for key, each in self._here.items() if key in saved or not each.attended}
        oldest = time.time() - FORGOTTEN_AFTER_S
        return {key: each for key, each in {**saved, **self._here}.items() if each.seen > oldest}

    def _remember(self, browser: Browser) -> None:
        known = {**self._find(), browser.key: browser}
        # Only the latest, so that the list doesn't grow with every port and profile.
        last = sorted(known.values(), key=lambda each: each.seen)[-MAX_BROWSERS:]
        self._here = {each.key: each for each in last}
        if self._file is None or not browser.attended:
            return
        try:
            self._save(self._here)
        except FolderUnusable as problem:
            logger.warning("Browsers are remembered only until this process ends: %s.", problem.message)
            self._file = None

    def _save(self, browsers: dict[str, Browser]) -> None:
        if self._file is not None:
            rows = [asdict(each) for each in browsers.values() if each.attended]
            write_private(self._file, json.dumps({"browsers": rows}, indent=1))


def _read(file: Path) -> dict[str, Browser]:
    text = read_private(file)
    try:
        content = cast("dict[str, Any]", json.loads(text or '{"browsers": []}'))
        rows = cast("list[dict[str, Any]]", content["browsers"])
        found = [
            Browser(
                str(each["key"]),
                str(each["origin"]),
                float(each["since"]),
                float(each["seen"]),
                own=each.get("own") is True,
            )
            for each in rows
        ]
    except (ValueError, KeyError, TypeError):
        logger.warning("%s can't be read; the browsers in it need a code again.", file)
        return {}
    return {each.key: each for each in found[:MAX_BROWSERS]}


def _signed(key: str, statement: bytes, signature: str) -> bool:
    """Return whether a WebCrypto ECDSA signature is valid: two concatenated numbers, r and s."""
    try:
        numbers = _bytes(signature)
        if len(numbers) != 2 * NUMBER:
            return False
        r, s = (int.from_bytes(numbers[at : at + NUMBER], "big") for at in (0, NUMBER))
        _point(key).verify(encode_dss_signature(r, s), statement, ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError):
        return False
    return True


def require_key(key: str) -> None:
    """Check a public key. Raises ValueError."""
    _point(key)


def _point(key: str) -> ec.EllipticCurvePublicKey:
    point = _bytes(key)
    if len(point) != POINT:
        raise ValueError("a public key is an uncompressed point of P-256 in base64url")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
