"""The kinds of content that `file` knows, with the words and MIME types of file 5.44."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable

MAGIC: list[tuple[bytes, str, str]] = [
    (b"%PDF-", "PDF document", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "PNG image data", "image/png"),
    (b"GIF8", "GIF image data", "image/gif"),
    (b"\xff\xd8\xff", "JPEG image data", "image/jpeg"),
    (b"\x1f\x8b", "gzip compressed data", "application/gzip"),
    (b"BZh", "bzip2 compressed data", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "XZ compressed data", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+)", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7-zip archive data", "application/x-7z-compressed"),
    (b"PK\5\6", "Zip archive data (empty)", "application/zip"),
    (b"PK\3\4", "Zip archive data", "application/zip"),
    (b"SQLite format 3\0", "SQLite 3.x database", "application/vnd.sqlite3"),
    (b"\0asm", "WebAssembly (wasm) binary module", "application/wasm"),
    (b"\x7fELF", "ELF", "application/octet-stream"),
    (b"RIFF", "RIFF (little-endian) data", "application/octet-stream"),
    (b"OggS", "Ogg data", "application/ogg"),
    (b"ID3", "Audio file with ID3", "audio/mpeg"),
    (b"wOFF", "Web Open Font Format", "font/woff"),
    (b"wOF2", "Web Open Font Format (Version 2)", "font/woff2"),
]
INTERPRETERS: list[tuple[str, str, str]] = [
    (r"bash", "Bourne-Again shell script", "text/x-shellscript"),
    (r"zsh", "Paul Falstad's zsh script", "text/x-shellscript"),
    (r"(?:sh|dash)", "POSIX shell script", "text/x-shellscript"),
    (r"python[\d.]*", "Python script", "text/x-script.python"),
    (r"(?:node|nodejs)", "Node.js script", "application/javascript"),
    (r"perl", "Perl script", "text/x-perl"),
    (r"ruby", "Ruby script", "text/x-ruby"),
]
PLAIN: list[tuple[bytes, str, str]] = [
    (b"<svg", "SVG Scalable Vector Graphics image", "image/svg+xml"),
    (b"-----BEGIN CERTIFICATE-----", "PEM certificate", "text/plain"),
    (b"-----BEGIN RSA PRIVATE KEY", "PEM RSA private key", "text/plain"),
    (b"-----BEGIN OPENSSH PRIVATE KEY", "OpenSSH private key", "text/plain"),
]
SOURCES: list[tuple[bytes, str, str, bool]] = [
    (rb"\A\s*<!doctype html|\A\s*<html|<head>|<title>", "HTML document", "text/html", False),
    (rb"\A<\?xml", "XML 1.0 document", "text/xml", False),
    (rb"\Adiff |\A--- [^\n]*\n\+\+\+ ", "unified diff output", "text/x-diff", False),
    (rb"^#include", "C source", "text/x-c", False),
    (
        rb"^(?:from \S+ import |[ \t]*def +\w+\(.*\).*:|if __name__ ==)",
        "Python script",
        "text/x-script.python",
        True,
    ),
]
CHARSETS = {
    "ASCII text": "us-ascii",
    "Unicode text, UTF-8 text": "utf-8",
    "Unicode text, UTF-8 (with BOM) text": "utf-8",
    "ISO-8859 text": "iso-8859-1",
    "Unicode text, UTF-16, little-endian text": "utf-16le",
    "Unicode text, UTF-16, big-endian text": "utf-16be",
}
BINARY = "binary"
LONG_LINE = 300
TAR_MAGIC = slice(257, 265)
PNG_COLORS = {0: "grayscale", 2: "RGB", 3: "colormap", 4: "gray+alpha", 6: "RGBA"}
CONTROLS = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")


def describe(data: bytes) -> tuple[str, str, str]:
    """Return the words for some content, its MIME type and its encoding."""
    if not data:
        return "empty", "inode/x-empty", BINARY
    if data[TAR_MAGIC].startswith(b"ustar"):
        gnu = " (GNU)" if data[TAR_MAGIC] == b"ustar  \0" else ""
        return f"POSIX tar archive{gnu}", "application/x-tar", BINARY
    for start, words, mime in MAGIC:
        if data.startswith(start):
            detail = DETAILS.get(start)
            return (*(detail(data) if detail else (words, mime)), BINARY)
    if len(data) == 1:
        return "very short file (no magic)", "application/octet-stream", BINARY
    found = _text(data)
    return found or ("data", "application/octet-stream", BINARY)


def _text(data: bytes) -> tuple[str, str, str] | None:
    encoding = _encoding(data)
    if encoding is None:
        return None
    charset = CHARSETS[encoding]
    if charset in ("us-ascii", "utf-8"):
        if json_words := _json(data):
            return (*json_words, charset)
        if words := _script(data, encoding):
            return (*words, charset)
        for start, words, mime in PLAIN:
            if data.startswith(start):
                return words, mime, charset
        for source, words, mime, executable in SOURCES:
            if re.search(source, data[:8192], re.MULTILINE | re.IGNORECASE):
                shown = f"{words}, {encoding}{' executable' if executable else ''}"
                return shown + _lines(data), mime, charset
        if _is_csv(data):
            return "CSV text", "text/csv", charset
    return encoding + _lines(data), "text/plain", charset


def _json(data: bytes) -> tuple[str, str] | None:
    if data.lstrip()[:1] in (b"{", b"[") and _is_json(data):
        return "JSON text data", "application/json"
    is_lines = data[:1] == b"{" and data.count(b"\n") > 1 and all(map(_is_json, data.splitlines()))
    return ("New Line Delimited JSON text data", "application/x-ndjson") if is_lines else None


def _encoding(data: bytes) -> str | None:
    for mark, order, codec in ((b"\xff\xfe", "little", "utf-16-le"), (b"\xfe\xff", "big", "utf-16-be")):
        if data.startswith(mark) and len(data) % 2 == 0:
            try:
                data[2:].decode(codec)
            except UnicodeDecodeError:
                return None
            return f"Unicode text, UTF-16, {order}-endian text"
    if CONTROLS.search(data):
        return None
    if data.isascii():
        return "ASCII text"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None if re.search(rb"[\x80-\x84\x86-\x9f]", data) else "ISO-8859 text"
    return (
        "Unicode text, UTF-8 (with BOM) text"
        if data.startswith(b"\xef\xbb\xbf")
        else "Unicode text, UTF-8 text"
    )


def _lines(data: bytes) -> str:
    """Return the remarks on line ends, long lines and control characters."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        wide = data[2:].decode("utf-16-le" if data[0] == 0xFF else "utf-16-be")
        data = wide.encode()
    remarks = ""
    longest = max(map(len, re.split(rb"[\r\n]", data)))
    if longest >= LONG_LINE:
        remarks += f", with very long lines ({longest})"
    both = data.count(b"\r\n")
    returns, feeds = data.count(b"\r") - both, data.count(b"\n") - both
    ends = [name for name, number in (("CRLF", both), ("CR", returns), ("LF", feeds)) if number]
    if not ends:
        remarks += ", with no line terminators"
    elif ends != ["LF"]:
        remarks += f", with {', '.join(ends)} line terminators"
    if b"\x1b" in data:
        remarks += ", with escape sequences"
    if b"\b" in data:
        remarks += ", with overstriking"
    return remarks


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


LEAST_ROWS = 3


def _is_csv(data: bytes) -> bool:
    rows = [row for row in data.splitlines() if row][:10]
    commas = {len(re.sub(rb'"[^"]*"', b"", row).split(b",")) for row in rows}
    return len(rows) >= LEAST_ROWS and len(commas) == 1 and commas.pop() > 1


def _script(data: bytes, encoding: str) -> tuple[str, str] | None:
    line = data.split(b"\n", 1)[0].decode("utf-8", "replace")
    match = re.match(r"#!\s*(?:\S*/env\s+|(?:\S*/))(\S+)", line)
    if match is None:
        return None
    for name, words, mime in INTERPRETERS:
        if re.fullmatch(name, match[1]):
            if name == "perl":
                return f"{words} text executable", mime
            kind = "executable, " + encoding if "node" in name else f", {encoding} executable"
            return f"{words}{' ' if 'node' in name else ''}{kind}{_lines(data)}", mime
    return f"a {line[2:].strip()} script, {encoding} executable{_lines(data)}", "text/plain"


Detail = tuple[str, str]


def _pdf(data: bytes) -> Detail:
    match = re.match(rb"%PDF-(\d\.\d)", data)
    return "PDF document" + (f", version {match[1].decode()}" if match else ""), "application/pdf"


def _png(data: bytes) -> Detail:
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29].ljust(13, b"\0"))
    kind = PNG_COLORS.get(color, "")
    shown = f"{width} x {height}, {depth}-bit{'/color ' if color in (2, 6) else ' '}{kind}"
    return f"PNG image data, {shown}, {'interlaced' if interlaced else 'non-interlaced'}", "image/png"


def _gif(data: bytes) -> Detail:
    width, height = struct.unpack("<HH", data[6:10].ljust(4, b"\0"))
    return f"GIF image data, version {data[3:6].decode('latin-1')}, {width} x {height}", "image/gif"


def _gzip(data: bytes) -> Detail:
    words = "gzip compressed data"
    flags, modified, extra, system = data[3], int.from_bytes(data[4:8], "little"), data[8], data[9]
    if flags & 8:
        words += f', was "{data[10:].split(bytes(1))[0].decode("latin-1")}"'
    if modified:
        words += f", last modified: {_time(modified)}"
    words += {2: ", max compression", 4: ", max speed"}.get(extra, "")
    words += {3: ", from Unix", 0: ", from FAT filesystem (MS-DOS, OS/2, NT)"}.get(system, "")
    size = int.from_bytes(data[-4:], "little")
    return f"{words}, original size modulo 2^32 {size}", "application/gzip"


def _time(seconds: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(seconds, UTC):%a %b %e %H:%M:%S %Y}"


def _zip(data: bytes) -> Detail:
    version, method = data[4], int.from_bytes(data[8:10], "little")
    name = data[30 : 30 + int.from_bytes(data[26:28], "little")]
    if name == b"mimetype":
        return "OpenDocument or EPUB (Zip archive data)", "application/zip"
    known = {0: "store", 8: "deflate"}.get(method, "unknown")
    shown = f"at least v{version // 10}.{version % 10} to extract, compression method={known}"
    return f"Zip archive data, {shown}", "application/zip"


def _sqlite(data: bytes) -> Detail:
    def number(at: int) -> int:
        return int.from_bytes(data[at : at + 4], "big")

    encoding = {1: "UTF-8", 2: "UTF-16 little endian", 3: "UTF-16 big endian"}.get(
        number(56), "unknown encoding"
    )
    shown = (
        f"last written using SQLite version {number(96)}, file counter {number(24)}, database pages {number(28)}, "
        f"cookie 0x{number(40):x}, schema {number(44)}, {encoding}, version-valid-for {number(92)}"
    )
    return f"SQLite 3.x database, {shown}", "application/vnd.sqlite3"


def _wasm(data: bytes) -> Detail:
    version = int.from_bytes(data[4:8], "little")
    mvp = " (MVP)" if version == 1 else ""
    return f"WebAssembly (wasm) binary module version {version:#x}{mvp}", "application/wasm"


def _riff(data: bytes) -> Detail:
    kinds = {
        b"WAVE": ("WAVE audio", "audio/x-wav"),
        b"WEBP": ("Web/P image", "image/webp"),
        b"AVI ": ("AVI", "video/x-msvideo"),
    }
    words, mime = kinds.get(data[8:12], ("", "application/octet-stream"))
    return "RIFF (little-endian) data" + (f", {words}" if words else ""), mime


def _bzip2(data: bytes) -> Detail:
    return f"bzip2 compressed data, block size = {chr(data[3])}00k", "application/x-bzip2"


def _xz(data: bytes) -> Detail:
    check = {0: "NONE", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}.get(data[7], "unknown")
    return f"XZ compressed data, checksum {check}", "application/x-xz"


def _jpeg(data: bytes) -> Detail:
    words = "JPEG image data"
    if data[6:11] == b"JFIF\0":
        length = int.from_bytes(data[4:6], "big")
        words += f", JFIF standard {data[11]}.{data[12]:02d}"
        unit = {0: "aspect ratio", 1: "resolution (DPI)", 2: "resolution (DPCM)"}.get(data[13], "")
        across, down = int.from_bytes(data[14:16], "big"), int.from_bytes(data[16:18], "big")
        words += f", {unit}, density {across}x{down}, segment length {length}"
    return words, "image/jpeg"


DETAILS: dict[bytes, Callable[[bytes], Detail]] = {
    b"%PDF-": _pdf,
    b"\x89PNG\r\n\x1a\n": _png,
    b"GIF8": _gif,
    b"\xff\xd8\xff": _jpeg,
    b"\x1f\x8b": _gzip,
    b"BZh": _bzip2,
    b"\xfd7zXZ\0": _xz,
    b"PK\3\4": _zip,
    b"SQLite format 3\0": _sqlite,
    b"\0asm": _wasm,
    b"RIFF": _riff,
}
