"""AES in CBC mode with keys from passwords, in OpenSSL's format: `Salted__`, eight bytes of salt, the text."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence

from gemini_userland.invocation import Invocation
from gemini_userland.text import read

MAGIC = b"Salted__"
SALT, BLOCK, ITERATIONS = 8, 16, 10_000


class CipherFailed(Exception):
    """The text can't be encrypted or decrypted; the message says why."""


async def crypt(
    invocation: Invocation,
    data: bytes,
    bits: int,
    values: Mapping[str, str],
    flags: Sequence[str],
    *,
    decrypts: bool,
) -> bytes:
    """Encrypt or decrypt with AES-CBC.

    Args:
        invocation: The call of openssl.
        data: The text.
        bits: The length of the key.
        values: The options with values.
        flags: The other options.
        decrypts: Decrypt instead.

    Raises:
        CipherFailed: An option is missing or invalid, or the key doesn't fit.
    """
    if "K" in values:
        if "iv" not in values:
            raise CipherFailed("iv undefined")
        return await _aes(
            invocation, data, _hex(values["K"], bits // 8), _hex(values["iv"], BLOCK), decrypts=decrypts
        )
    password = _password(invocation, values)
    salted, salt = "nosalt" not in flags, b""
    if salted:
        # A salt that is given isn't stored, and is not read either.
        salt = _hex(values["S"], SALT) if "S" in values else secrets.token_bytes(SALT)
        if decrypts and "S" not in values:
            if not data.startswith(MAGIC):
                raise CipherFailed("bad magic number")
            salt, data = data[len(MAGIC) : len(MAGIC) + SALT], data[len(MAGIC) + SALT :]
    key, vector = _derive(password, salt, bits // 8, values, flags)
    result = await _aes(invocation, data, key, vector, decrypts=decrypts)
    return result if decrypts or not salted or "S" in values else MAGIC + salt + result


def _password(invocation: Invocation, values: Mapping[str, str]) -> bytes:
    if "k" in values:
        return values["k"].encode()
    source, _, rest = values.get("pass", "").partition(":")
    if source == "pass":
        return rest.encode()
    if source == "env" and rest in invocation.env:
        return invocation.env[rest].encode()
    if source == "file" or "kfile" in values:
        return read(invocation, values.get("kfile", rest)).split(b"\n")[0]
    if source == "stdin":
        return invocation.stdin.split(b"\n")[0]
    raise CipherFailed("no password: give -k WORD, or -pass pass:WORD, env:NAME, file:FILE or stdin")


def _derive(
    password: bytes, salt: bytes, size: int, values: Mapping[str, str], flags: Sequence[str]
) -> tuple[bytes, bytes]:
    digest = values.get("md", "sha256")
    total = size + BLOCK
    if "pbkdf2" in flags or "iter" in values:
        key = _pbkdf2(digest, password, salt, int(values.get("iter", ITERATIONS)), total)
        return key[:size], key[size:]
    # OpenSSL's EVP_BytesToKey with one round.
    material = last = b""
    while len(material) < total:
        last = hashlib.new(digest, last + password + salt).digest()
        material += last
    return material[:size], material[size:total]


def _pbkdf2(digest: str, password: bytes, salt: bytes, rounds: int, size: int) -> bytes:
    """Derive `size` bytes from a password (RFC 8018, 5.2). Pyodide's hashlib has no function for it."""
    keyed = hmac.new(password, digestmod=digest)
    key = b""
    while len(key) < size:
        turn = keyed.copy()
        turn.update(salt + (len(key) // keyed.digest_size + 1).to_bytes(4, "big"))
        last = turn.digest()
        block = int.from_bytes(last, "big")
        for _ in range(rounds - 1):
            turn = keyed.copy()
            turn.update(last)
            last = turn.digest()
            block ^= int.from_bytes(last, "big")
        key += block.to_bytes(keyed.digest_size, "big")
    return key[:size]


def _hex(text: str, size: int) -> bytes:
    try:
        return bytes.fromhex(text)[:size].ljust(size, b"\0")
    except ValueError as error:
        raise CipherFailed(f"non-hex digit in {text!r}") from error


async def _aes(invocation: Invocation, data: bytes, key: bytes, vector: bytes, *, decrypts: bool) -> bytes:
    aes_cbc = invocation.machine.aes_cbc
    result = (
        await aes_cbc(data, key, vector, decrypts)
        if aes_cbc
        else _library(data, key, vector, decrypts=decrypts)
    )
    if result is None:
        raise CipherFailed(
            "bad decrypt" if decrypts else f"keys of {len(key) * 8} bits aren't supported here"
        )
    return result


def _library(data: bytes, key: bytes, vector: bytes, *, decrypts: bool) -> bytes | None:
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.padding import PKCS7
    except ImportError as error:
        raise CipherFailed("enc needs the Python package cryptography: pip install cryptography") from error
    cipher = Cipher(algorithms.AES(key), modes.CBC(vector))
    padding = PKCS7(BLOCK * 8)
    try:
        if decrypts:
            decryptor, unpadder = cipher.decryptor(), padding.unpadder()
            return unpadder.update(decryptor.update(data) + decryptor.finalize()) + unpadder.finalize()
    except ValueError:
        return None
    encryptor, padder = cipher.encryptor(), padding.padder()
    padded = padder.update(data) + padder.finalize()
    return encryptor.update(padded) + encryptor.finalize()
