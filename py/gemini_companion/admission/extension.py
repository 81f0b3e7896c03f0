"""The identity of the browser extension, which `build.py extension` builds (docs/extension.md)."""

from __future__ import annotations

import base64
import hashlib

# The public key in its manifest. Chromium derives the extension's id from it, so the origin is the same everywhere.
KEY = (
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAw7DOgQWZjG+z0dxJhpL2zIAvsZw7eFtEkxC9SpLxVCqyFQpASXec"
    "YVSaaODH0EwFGHE8bocnJbTRHuzcCKLzVQ1dHvdrWnsOXDJcbuzDSqlNG3NfjGaPWR5bYtnMRBjjP6XI608aKhpj1e9gnIqd"
    "zzhnAEsjGGUFNHVllohkxUJzLvZu5SC2X1/LLMSaGmkOTG4b8MF9Idc4k+FgBUQIwg9D1mkoOjouEVbp9vaGEyOW7/KwTh/3"
    "jkcPYfph4mX6powBITCnBEcVjXXLgyYF5o147/aB7Q1YsNIDulfKyo/mfPNdZwQ1W5oRkzS7ndHZQleYYWQF21IJQo8zfDYm"
    "twIDAQAB"
)


def _id(key: str) -> str:
    """Return the id that Chromium derives: 128 bits of a hash, with the letters a to p as digits."""
    digits = hashlib.sha256(base64.b64decode(key)).hexdigest()[:32]
    return "".join(chr(ord("a") + int(digit, 16)) for digit in digits)


ID = _id(KEY)
ORIGIN = f"chrome-extension://{ID}"
