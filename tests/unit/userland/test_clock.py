"""Time zones of commands: names, POSIX strings, and unknown values; the output is Debian 12's."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gemini_userland import run
from gemini_userland.clock import Local, table_of, zone_named
from gemini_userland.invocation import Invocation

WINTER, SUMMER = 1705276800, 1721001600


async def printed(zone: str | None, *argv: str, cwd: str = "/") -> tuple[str, str]:
    environment = {} if zone is None else {"TZ": zone}
    invocation = Invocation(list(argv), cwd=cwd, env=environment)
    assert await run(invocation) == 0
    return invocation.stdout.text(), invocation.stderr.text()


@pytest.mark.parametrize(
    ("zone", "winter", "summer"),
    [
        ("America/New_York", "2024-01-14 19:00:00 EST -0500", "2024-07-14 20:00:00 EDT -0400"),
        ("Europe/Zurich", "2024-01-15 01:00:00 CET +0100", "2024-07-15 02:00:00 CEST +0200"),
        (":Asia/Tokyo", "2024-01-15 09:00:00 JST +0900", "2024-07-15 09:00:00 JST +0900"),
        ("Asia/Kathmandu", "2024-01-15 05:45:00 +0545 +0545", "2024-07-15 05:45:00 +0545 +0545"),
        ("EST5EDT", "2024-01-14 19:00:00 EST -0500", "2024-07-14 20:00:00 EDT -0400"),
        ("AAA5BBB", "2024-01-14 19:00:00 AAA -0500", "2024-07-14 20:00:00 BBB -0400"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2024-01-15 01:00:00 CET +0100", "2024-07-15 02:00:00 CEST +0200"),
        ("<+0330>-3:30", "2024-01-15 03:30:00 +0330 +0330", "2024-07-15 03:30:00 +0330 +0330"),
        ("JST-9", "2024-01-15 09:00:00 JST +0900", "2024-07-15 09:00:00 JST +0900"),
        ("UTC", "2024-01-15 00:00:00 UTC +0000", "2024-07-15 00:00:00 UTC +0000"),
        ("", "2024-01-15 00:00:00 UTC +0000", "2024-07-15 00:00:00 UTC +0000"),
    ],
)
async def test_a_zone_decides_what_date_prints(zone: str, winter: str, summer: str) -> None:
    assert await printed(zone, "date", "-d", f"@{WINTER}", "+%F %T %Z %z") == (f"{winter}\n", "")
    assert await printed(zone, "date", "-d", f"@{SUMMER}", "+%F %T %Z %z") == (f"{summer}\n", "")


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        ("Foo/Bar", "Foo"),
        ("XYZ", "XYZ"),
        ("nonsense/", "nonsense"),
        ("America", "America"),
        ("../etc/passwd", "UTC"),
    ],
)
async def test_an_unknown_zone_is_said(zone: str, name: str) -> None:
    output, error = await printed(zone, "date", "-d", f"@{WINTER}", "+%T %Z")
    assert output == f"00:00:00 {name}\n"
    assert f"unknown time zone '{zone}'" in error


async def test_files_have_times_of_the_zone(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x")
    os.utime(tmp_path / "f", (WINTER, WINTER))
    folder = str(tmp_path)
    output, _ = await printed("Asia/Tokyo", "ls", "-l", "--time-style=full-iso", "f", cwd=folder)
    assert "2024-01-15 09:00:00.000000000 +0900 f" in output
    output, _ = await printed("America/New_York", "ls", "-l", "f", cwd=folder)
    assert "Jan 14  2024 f" in output
    output, _ = await printed("Asia/Tokyo", "tree", "-D", "--timefmt", "%H:%M %Z", cwd=folder)
    assert "[09:00 JST]" in output
    await printed("Asia/Tokyo", "touch", "-d", "2024-01-15 09:00", "g", cwd=folder)
    assert (tmp_path / "g").stat().st_mtime == WINTER


def test_a_table_has_the_changes_of_a_zone() -> None:
    zone = zone_named("Europe/Zurich")
    assert zone is not None
    changes = {change[0]: change[1:] for change in table_of(zone)}
    spring = int(datetime(2024, 3, 31, 1, tzinfo=UTC).timestamp())
    assert changes[spring] == (7_200, "CEST", True)
    assert max(changes) > datetime(2090, 1, 1, tzinfo=UTC).timestamp()


def test_the_local_zone_is_pythons() -> None:
    for second in (WINTER, SUMMER):
        assert datetime.fromtimestamp(second, Local()).replace(tzinfo=None) == datetime.fromtimestamp(second)
        assert datetime.fromtimestamp(second).replace(tzinfo=Local()).timestamp() == second


async def test_archives_and_comparisons_have_the_local_time(tmp_path: Path) -> None:
    """As zip and unzip, tar and diff of Debian 12 do."""
    file, other = tmp_path / "a", tmp_path / "b"
    file.write_text("one\n")
    other.write_text("two\n")
    os.utime(file, (WINTER, WINTER))
    os.utime(other, (WINTER, WINTER))
    place = str(tmp_path)
    await printed("Asia/Tokyo", "zip", "-q", "x.zip", "a", cwd=place)
    await printed("America/New_York", "unzip", "-qo", "x.zip", cwd=place)
    assert file.stat().st_mtime == WINTER + 14 * 3600
    await printed("Asia/Tokyo", "tar", "-cf", "x.tar", "--mtime=2024-01-15 09:00:00", "b", cwd=place)
    os.utime(other, (0, 0))
    await printed("UTC", "tar", "-xf", "x.tar", cwd=place)
    assert other.stat().st_mtime == WINTER
    invocation = Invocation(["diff", "-u", "a", "b"], cwd=place, env={"TZ": "Asia/Tokyo"})
    assert await run(invocation) == 1
    assert "+++ b\t2024-01-15 09:00:00.000000000 +0900\n" in invocation.stdout.text()
