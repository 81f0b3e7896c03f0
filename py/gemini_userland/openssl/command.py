"""The command `openssl`: finds the subcommand."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import textwrap
from collections.abc import Sequence

from gemini_userland.invocation import Invocation
from gemini_userland.openssl.ciphers import CipherFailed, crypt
from gemini_userland.text import read, write

LINE = 64
DIGESTS = {
    "md5": "MD5",
    "sha1": "SHA1",
    "sha224": "SHA2-224",
    "sha256": "SHA2-256",
    "sha384": "SHA2-384",
    "sha512": "SHA2-512",
    "sha3-224": "SHA3-224",
    "sha3-256": "SHA3-256",
    "sha3-384": "SHA3-384",
    "sha3-512": "SHA3-512",
    "blake2b512": "BLAKE2B-512",
    "blake2s256": "BLAKE2S-256",
}
ELSEWHERE = "use the Python package cryptography (`pip install cryptography`), or openssl in the Linux"
COMMANDS = """
asn1parse ca ciphers cmp cms crl crl2pkcs7 dhparam dsa dsaparam ec ecparam engine errstr fipsinstall gendsa
genpkey genrsa info kdf list mac nseq ocsp passwd pkcs12 pkcs7 pkcs8 pkey pkeyparam pkeyutl prime rehash req rsa
rsautl s_client s_server s_time sess_id smime speed spkac srp storeutl ts verify x509
"""
# The options of dgst that ours doesn't have.
REFUSED = """
sha512-224 sha512-256 shake128 shake256 ripemd160 rmd160 md4 sm3 sign verify prverify signature keyform passin
sigopt engine list debug xoflen fips-fingerprint provider provider-path propquery
"""
HASHLIB = {"blake2b512": "blake2b", "blake2s256": "blake2s"}
CIPHER = re.compile(r"aes-?(128|192|256)(?:-cbc)?")
HELP = """\
Usage: openssl COMMAND [OPTION]...
Compute digests, random bytes, Base64 and AES ciphers. This openssl has no keys, certificates and connections.

  dgst [-DIGEST] [-hmac KEY] [-r] [-binary] [-out FILE] [FILE]...
           print digests; DIGEST is md5, sha1, sha224, sha256 (default), sha384, sha512, sha3-256, …
  DIGEST   the same as dgst -DIGEST
  rand [-hex | -base64] [-out FILE] COUNT
           print COUNT random bytes
  base64 [-d] [-A] [-in FILE] [-out FILE]
           encode or decode Base64; -A on one line
  enc -CIPHER [-d] [-a [-A]] [-pbkdf2 [-iter COUNT]] [-md DIGEST] [-in FILE] [-out FILE]
      (-k WORD | -pass pass:WORD | -pass env:NAME | -pass file:FILE | -K HEX -iv HEX) [-S SALT] [-nosalt]
           encrypt or decrypt; CIPHER is aes-128-cbc, aes-192-cbc or aes-256-cbc
"""


class UsageError(Exception):
    """The command line is invalid; the message is printed."""


class Options:
    """The options of a subcommand, which begin with one or two dashes.

    Args:
        arguments: The words after the subcommand.
        valued: The options with a value.
        flags: The other options.
    """

    def __init__(self, arguments: Sequence[str], valued: Sequence[str], flags: Sequence[str]) -> None:
        self.values: dict[str, str] = {}
        self.flags: list[str] = []
        self.operands: list[str] = []
        rest = iter(arguments)
        for word in rest:
            name = word[1:].removeprefix("-")
            if not word.startswith("-") or word == "-":
                self.operands += [word, *rest]
            elif name in valued:
                value = next(rest, None)
                if value is None:
                    raise UsageError(f"Option {word} needs a value")
                self.values[name] = value
            elif name in flags:
                self.flags.append(name)
            elif name in REFUSED.split():
                raise UsageError(f"{word} isn't supported: {ELSEWHERE}")
            else:
                raise UsageError(f"Unknown option or cipher: {name}")


async def openssl(invocation: Invocation) -> int:
    """Run a subcommand; return 1 after an error."""
    name, *arguments = invocation.argv[1:] or ["help"]
    try:
        if name in ("help", "--help", "-help"):
            invocation.print(HELP, end="")
        elif name in ("version", "--version", "-v"):
            invocation.print("openssl: part of the shell of control-surface, modelled on OpenSSL 3")
        elif name == "dgst" or name in DIGESTS:
            return _digest(invocation, arguments, name if name in DIGESTS else None)
        elif name == "rand":
            _random(invocation, arguments)
        elif name in ("base64", "enc") or CIPHER.fullmatch(name):
            await _encode(invocation, [f"-{name}", *arguments] if name != "enc" else arguments)
        elif name in COMMANDS.split():
            raise UsageError(f"{name} isn't supported: {ELSEWHERE}")
        else:
            raise UsageError(f"Invalid command '{name}'; type \"help\" for a list.")
    except (UsageError, CipherFailed) as error:
        invocation.error(str(error))
        return 1
    return 0


def _digest(invocation: Invocation, arguments: list[str], default: str | None) -> int:
    options = Options(arguments, ("hmac", "out", "mac", "macopt"), ("r", "binary", "hex", "c", *DIGESTS))
    chosen = next((flag for flag in options.flags if flag in DIGESTS), default)
    name = chosen or "sha256"
    key = _key(options)
    status, output = 0, b""
    for file in options.operands or ["-"]:
        try:
            data = read(invocation, file)
        except OSError as error:
            invocation.error(f"{file}: {error.strerror}")
            status = 1
            continue
        kind = HASHLIB.get(name, name).replace("-", "_")
        found = hmac.new(key, data, kind).digest() if key is not None else hashlib.new(kind, data).digest()
        shown = "stdin" if file == "-" else file
        if "binary" in options.flags:
            output += found
        elif "r" in options.flags:
            output += f"{found.hex()} *{shown}\n".encode()
        else:
            digest = DIGESTS[name] if chosen or key is not None else "SHA256"
            title = f"{'HMAC-' if key is not None else ''}{digest}({shown})= "
            output += f"{title}{found.hex(':') if 'c' in options.flags else found.hex()}\n".encode()
    write(invocation, options.values.get("out"), output)
    return status


def _key(options: Options) -> bytes | None:
    """Return the key of an HMAC, of `-hmac` or of `-mac HMAC -macopt`."""
    if "mac" not in options.values:
        key = options.values.get("hmac")
        return None if key is None else key.encode()
    if options.values["mac"].upper() != "HMAC":
        raise UsageError(f"-mac {options.values['mac']} isn't supported: use HMAC")
    kind, _, text = options.values.get("macopt", "").partition(":")
    if kind == "key":
        return text.encode()
    try:
        return bytes.fromhex(text) if kind == "hexkey" else b""
    except ValueError as error:
        raise UsageError(f"-macopt {kind}: {error}") from error


def _random(invocation: Invocation, arguments: list[str]) -> None:
    options = Options(arguments, ("out", "rand"), ("hex", "base64"))
    if len(options.operands) != 1 or not options.operands[0].isdigit():
        raise UsageError("rand needs the number of bytes")
    data = secrets.token_bytes(int(options.operands[0]))
    if "hex" in options.flags:
        data = data.hex().encode() + b"\n"
    elif "base64" in options.flags:
        data = _base64(data, in_lines=True)
    write(invocation, options.values.get("out"), data)


def _base64(data: bytes, *, in_lines: bool) -> bytes:
    text = base64.b64encode(data).decode()
    lines = textwrap.wrap(text, LINE) if in_lines else [text]
    return "".join(line + "\n" for line in lines).encode() if in_lines else text.encode()


def _unbase64(data: bytes) -> bytes:
    try:
        return base64.b64decode(re.sub(rb"\s", b"", data), validate=True)
    except binascii.Error as error:
        raise UsageError(f"error reading input file: the Base64 is invalid: {error}") from error


async def _encode(invocation: Invocation, arguments: list[str]) -> None:
    valued = ("in", "out", "k", "pass", "K", "iv", "S", "iter", "md", "kfile")
    ciphers = [word.lstrip("-") for word in arguments if CIPHER.fullmatch(word.lstrip("-"))]
    flags = ("e", "d", "a", "A", "base64", "pbkdf2", "nosalt", "salt", "p", "P", "nopad", "v", *ciphers)
    options = Options(arguments, valued, flags)
    data = read(invocation, options.values.get("in", *(options.operands[:1] or ["-"])))
    decrypts = "d" in options.flags
    armored = "a" in options.flags or "base64" in options.flags
    if armored and decrypts:
        data = _unbase64(data)
    if ciphers:
        bits = CIPHER.fullmatch(ciphers[-1])
        assert bits is not None
        data = await crypt(invocation, data, int(bits[1]), options.values, options.flags, decrypts=decrypts)
    if armored and not decrypts:
        data = _base64(data, in_lines="A" not in options.flags)
    write(invocation, options.values.get("out"), data)
