"""Archives for `unzip`, `tar` and `gunzip`: they write only below the directory, and none fills the memory."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.tiers import sampled
from tests.unit.userland.conftest import Call, call

__all__ = ["call"]
LINK, FOLDER, DEVICE = (
    kind << 16 for kind in (stat.S_IFLNK | 0o777, stat.S_IFDIR | 0o755, stat.S_IFCHR | 0o666)
)
TERABYTE = 1 << 40
FINE = ("fine.txt", "fine", 0)
# A limit for what a command holds while it refuses an archive, in bytes.
MOST_MEMORY = 24 << 20


def zip_of(*entries: tuple[str, str, int]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, attributes in entries:
            info = zipfile.ZipInfo("placeholder")
            info.filename, info.external_attr = name, attributes
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return made.getvalue()


def declared(archive: bytes, size: int) -> bytes:
    """Change the first entry's size in the central directory."""
    at = archive.index(b"PK\1\2") + 24
    return archive[:at] + struct.pack("<I", size) + archive[at + 4 :]


def renamed_locally(archive: bytes, name: bytes) -> bytes:
    """Change the name of the first entry in its local header."""
    return archive[:30] + name + archive[30 + len(name) :]


def overlapping(count: int) -> bytes:
    """Return an archive whose entries share one local header."""
    archive = zip_of(("x", "0" * 100_000, 0))
    start, end = archive.index(b"PK\1\2"), archive.index(b"PK\5\6")
    directory = archive[start:end] * count
    tail = bytearray(archive[end:])
    tail[8:20] = struct.pack("<HHII", count, count, len(directory), start)
    return archive[:start] + directory + bytes(tail)


def zeros(size_mb: int) -> str:
    return "\0" * (size_mb << 20)


ZIPS: dict[str, Callable[[str], bytes]] = {
    "above": lambda _: zip_of(("../outside/x", "x", 0), FINE),
    "absolute": lambda out: zip_of((f"{out}/x", "x", 0), FINE),
    "dots inside": lambda _: zip_of(("a/../../outside/x", "x", 0), FINE),
    "many slashes": lambda out: zip_of((f"//{out}//x", "x", 0), FINE),
    "backslashes": lambda _: zip_of(("..\\outside\\x", "x", 0), FINE),
    "a drive": lambda _: zip_of(("C:/../../outside/x", "x", 0), FINE),
    "NUL": lambda _: zip_of(("../outside/x\0.txt", "x", 0), FINE),
    "a long name": lambda _: zip_of(("../outside/" + "x" * 5_000, "x", 0), FINE),
    "a directory above": lambda _: zip_of(("../outside/new/", "", FOLDER), FINE),
    "a link and a file through it": lambda out: zip_of(("l", out, LINK), ("l/x", "x", 0), FINE),
    "a link and a link through it": lambda out: zip_of(("l", out, LINK), ("l/x", "/etc", LINK), FINE),
    "a link twice": lambda out: zip_of(("l", f"{out}/x", LINK), ("l", "x", 0), FINE),
    "a link that was there": lambda _: zip_of(("there/x", "x", 0), FINE),
    "a file that was a link": lambda _: zip_of(("own.txt", "x", 0), FINE),
    "a device": lambda _: zip_of(("../outside/null", "", DEVICE), FINE),
    "names of two kinds": lambda _: renamed_locally(zip_of(("aaaaaaaaaaaa", "x", 0), FINE), b"../outside/x"),
}
ZIP_BOMBS: dict[str, Callable[[], bytes]] = {
    "a terabyte": lambda: declared(zip_of(("x", "0", 0)), 0xFFFFFFFE),
    "a thousandfold": lambda: zip_of(("x", zeros(60), 0)),
    "more than it says": lambda: declared(zip_of(("x", zeros(60), 0)), 10),
    "overlapping entries": lambda: overlapping(10_000),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory to extract into, with links that lead out of it."""
    for name in ("inside", "outside"):
        (tmp_path / name).mkdir()
    (tmp_path / "outside" / "own.txt").write_text("precious")
    (tmp_path / "inside" / "there").symlink_to(tmp_path / "outside")
    (tmp_path / "inside" / "own.txt").symlink_to(tmp_path / "outside" / "own.txt")
    return tmp_path / "inside"


def outside(place: Path) -> dict[str, str]:
    found = [path for path in place.parent.rglob("*") if not path.is_relative_to(place) and path.is_file()]
    return {path.name: path.read_text("latin-1") for path in found if path.name != "archive"}


async def extracted(call: Call, place: Path, archive: bytes, *command: str) -> tuple[int, str]:
    (place.parent / "archive").write_bytes(archive)
    done = await call(*command, cwd=place)
    assert outside(place) == {"own.txt": "precious"}
    return done.exit_code, done.error


@pytest.mark.parametrize("attack", sampled(ZIPS))
@pytest.mark.filterwarnings("ignore:Duplicate name")
async def test_unzip_writes_only_below_its_folder(call: Call, place: Path, attack: str) -> None:
    archive = ZIPS[attack](str(place.parent / "outside"))
    status, error = await extracted(call, place, archive, "unzip", "-oq", "../archive")
    # The control: what else is in the archive is there, unless it is refused as a whole.
    assert (place / "fine.txt").exists() or (status and error), error


async def test_each_zip_of_an_attack_extracts_without_it(call: Call, place: Path) -> None:
    assert await extracted(call, place, zip_of(FINE), "unzip", "-oq", "../archive") == (0, "")
    assert (place / "fine.txt").read_text() == "fine"


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the limit of ordinary data be lower, as its test would take long."""
    monkeypatch.setattr("gemini_userland.expansion.ALWAYS", 4 << 20)


async def refused_bomb(call: Call, place: Path, archive: bytes, *command: str) -> None:
    tracemalloc.start()
    try:
        status, error = await extracted(call, place, archive, *command)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert status and error
    assert peak < MOST_MEMORY
    assert sum(path.lstat().st_size for path in place.rglob("*") if path.is_file()) < MOST_MEMORY


@pytest.mark.usefixtures("low")
@pytest.mark.parametrize("attack", sampled(ZIP_BOMBS, every=3))
async def test_unzip_refuses_a_bomb(call: Call, place: Path, attack: str) -> None:
    await refused_bomb(call, place, ZIP_BOMBS[attack](), "unzip", "-oq", "../archive")


def tar_of(*members: tuple[tarfile.TarInfo, int]) -> bytes:
    """Return a tar with a harmless last member; a number is the size of the content, which a header may deny."""
    made = io.BytesIO()
    for info, size in (*members, (info_of("fine.txt"), 0)):
        made.write(info.tobuf(tarfile.PAX_FORMAT if info.pax_headers else tarfile.GNU_FORMAT))
        made.write(bytes(size + -size % 512))
    made.write(bytes(1024))
    return gzip.compress(made.getvalue(), 1)


def info_of(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0, **headers: str
) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size, info.pax_headers = kind, link, size, headers
    info.mode = 0o755 if kind == tarfile.DIRTYPE else 0o644
    return info


def sparse() -> tarfile.TarInfo:
    info = info_of("x")
    info.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "1",
        "GNU.sparse.map": f"{TERABYTE},0",
        "GNU.sparse.size": str(TERABYTE),
    }
    return info


SYM, HARD = tarfile.SYMTYPE, tarfile.LNKTYPE
TARS: dict[str, Sequence[tarfile.TarInfo]] = {
    "above": [info_of("../outside/x")],
    "absolute": [info_of("{outside}/x")],
    "dots inside": [info_of("a/../../outside/x")],
    "another name in a header": [info_of("x", path="../outside/x")],
    "a link and a file through it": [info_of("l", SYM, "{outside}"), info_of("l/x")],
    "a link upwards and a file through it": [info_of("l", SYM, "../outside"), info_of("l/x")],
    "two links": [info_of("a", SYM, "."), info_of("a/b", SYM, "../../outside"), info_of("b/x")],
    "a link that was there": [info_of("there/x")],
    "a file that was a link": [info_of("own.txt")],
    "a hard link": [info_of("h", HARD, "../outside/own.txt"), info_of("h")],
    "an absolute hard link": [info_of("h", HARD, "{outside}/own.txt"), info_of("h")],
    "a hard link through a link": [info_of("h", HARD, "there/own.txt"), info_of("h")],
    "a directory above": [info_of("../outside/new", tarfile.DIRTYPE)],
    "a directory that was a link": [info_of("there", tarfile.DIRTYPE), info_of("there/x")],
    "a device": [info_of("../outside/null", tarfile.CHRTYPE)],
    "a pipe": [info_of("pipe", tarfile.FIFOTYPE)],
    "a time without end": [info_of("x", mtime="inf")],
    "NUL": [info_of("x", path="../outside/x\0")],
}
TAR_BOMBS: dict[str, Callable[[], bytes]] = {
    "a large sparse file": lambda: tar_of((sparse(), 0)),
    "a thousandfold": lambda: tar_of((info_of("x", size=60 << 20), 60 << 20)),
    "a large header": lambda: tar_of((info_of("x", tarfile.XHDTYPE, size=60 << 20), 60 << 20)),
    "headers of headers": lambda: tar_of(*[(info_of("x", tarfile.GNUTYPE_LONGNAME, size=10), 10)] * 5_000),
}  # fmt: skip


@pytest.mark.parametrize("attack", sampled(TARS))
async def test_tar_writes_only_below_its_folder(call: Call, place: Path, attack: str) -> None:
    folder = str(place.parent / "outside")
    members = [each.replace(
        name=each.name.replace("{outside}", folder), linkname=each.linkname.replace("{outside}", folder)
    ) for each in TARS[attack]]  # fmt: skip
    for made, given in zip(members, TARS[attack], strict=True):
        made.pax_headers = given.pax_headers
    await extracted(call, place, tar_of(*((each, 0) for each in members)), "tar", "xzf", "../archive")
    assert (place / "fine.txt").exists()


@pytest.mark.usefixtures("low")
@pytest.mark.parametrize("attack", sampled(TAR_BOMBS, every=3))
async def test_tar_refuses_a_bomb(call: Call, place: Path, attack: str) -> None:
    await refused_bomb(call, place, TAR_BOMBS[attack](), "tar", "xzf", "../archive")


@pytest.mark.usefixtures("low")
async def test_gunzip_refuses_a_bomb(call: Call, place: Path) -> None:
    member = gzip.compress(bytes(1 << 20))
    for archive in (gzip.compress(bytes(60 << 20)), member * 100):
        await refused_bomb(call, place, archive, "zcat", "../archive")
    status, _ = await extracted(call, place, member, "zcat", "../archive")
    assert status == 0
