"""One clock in a terminal of the page: what TZ names decides the time of the shell, Python and node."""

from __future__ import annotations

import pytest

from gemini_testing import Surface

pytestmark = pytest.mark.fortnightly

CODE = "import time, datetime; t = time.localtime(1705276800); print(t.tm_hour, t.tm_zone, datetime.datetime.fromtimestamp(1705276800).hour, time.tzname)"  # noqa: E501
COMMIT = (
    "rm -rf /tmp/zones; git init -q /tmp/zones; git -C /tmp/zones config user.name Ada;"
    " git -C /tmp/zones config user.email a@example.org; git -C /tmp/zones commit -q --allow-empty -m x"
)


def output(surface: Surface, command: str) -> str:
    ran = surface.call("terminal_execute", command=command, timeout_s=60)
    return str(ran["output"]).strip()


@pytest.mark.parametrize(
    ("zone", "hour", "name"),
    [
        ("Asia/Tokyo", "9", "JST"),
        ("America/New_York", "19", "EST"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "1", "CET"),
    ],
)
def test_each_program_has_the_zone_of_tz(zone: str, hour: str, name: str, surface: Surface) -> None:
    surface.call("terminal_execute", command=f"export TZ='{zone}'")
    assert output(surface, "date -d @1705276800 '+%-H %Z'") == f"{hour} {name}"
    assert output(surface, "printf '%(%H %Z)T' 1705276800").lstrip("0") == f"{hour} {name}"
    assert output(surface, f'python3 -c "{CODE}"').startswith(f"{hour} {name} {hour} ('{name}'")
    assert output(surface, "node -p 'new Date(1705276800000).getHours()'") == hour
    local = f"new Date(2024, 0, 15, {hour}).getTime() / 1000 % 86400"
    assert output(surface, f"node -p '{local}'") == "0"
    assert output(surface, "touch -d @1705276800 f; ls -l --time-style=+%-H f | cut -d' ' -f6") == hour
    assert output(surface, "jq -n '1705276800 | localtime | .[3]'") == hour
    assert output(surface, "jq -rn '1705276800 | strflocaltime(\"%H\")'").lstrip("0") == hour
    query = "select cast(strftime('%H', 1705276800, 'unixepoch', 'localtime') as integer)"
    assert output(surface, f'sqlite3 :memory: "{query}"') == hour
    surface.call("terminal_execute", command=COMMIT)
    assert output(surface, "git -C /tmp/zones log -1 --date=format:%z --format=%ad,%cd") == output(
        surface, "date +%z,%z"
    )
    dated = "GIT_COMMITTER_DATE='1705276800 +0000' git -C /tmp/zones commit -q --allow-empty -m y"
    shown = "git -C /tmp/zones log -1 --date=format-local:%-H --format=%cd"
    assert output(surface, f"{dated}; {shown}") == hour
    surface.call("terminal_execute", command="unset TZ")
    assert output(surface, f'python3 -c "{CODE}"') == output(surface, f'python3 -c "{CODE}"')


def test_zones_of_python_load_when_they_are_asked_for(surface: Surface) -> None:
    code = "import zoneinfo, datetime; z = zoneinfo.ZoneInfo('Europe/Zurich'); print(z, datetime.datetime.fromtimestamp(0, z))"  # noqa: E501
    assert output(surface, f'python3 -c "{code}"') == "Europe/Zurich 1970-01-01 01:00:00+01:00"
    code = "import zoneinfo; print(len(zoneinfo.available_timezones()) > 400)"
    assert output(surface, f'python3 -c "{code}"') == "True"
    code = "import os, time; os.environ['TZ'] = 'Asia/Tokyo'; time.tzset(); print(time.localtime(0).tm_hour, time.strftime('%Z'))"  # noqa: E501
    assert output(surface, f'python3 -c "{code}"') == "9 JST"
    assert output(surface, 'python3 -c "import time; print(time.localtime(0).tm_hour)"') == output(
        surface, "date -d @0 +%-H"
    )


def test_an_unknown_zone_is_said(surface: Surface) -> None:
    for command in (
        "date -d @0 +%H",
        "printf '%(%H)T\\n' 0",
        "python3 -c 'import time; print(time.localtime(0).tm_hour)'",
        "node -p 0",
    ):  # noqa: E501
        assert "unknown time zone 'Foo/Bar'" in output(surface, f"TZ=Foo/Bar {command}")


def test_the_zone_of_the_machine_is_set(surface: Surface) -> None:
    assert "unknown time zone" in output(surface, "timedatectl set-timezone Foo/Bar")
    assert output(surface, "timedatectl set-timezone Asia/Tokyo; date -d @0 '+%H %Z'") == "09 JST"
    assert "Time zone: Asia/Tokyo (JST, +0900)" in output(surface, "timedatectl")
    assert output(surface, "printf '%(%H)T' 0") == "09"
    assert output(surface, "python3 -c 'import time; print(time.localtime(0).tm_hour)'") == "9"
    assert output(surface, "node -p 'new Date(0).getHours()'") == "9"
    assert (
        output(surface, f"{COMMIT}; git -C /tmp/zones log -1 --date=format:%z --format=%ad,%cd")
        == "+0900,+0900"
    )
    assert output(surface, "touch -d @0 f; ls -l --time-style=+%-H f | cut -d' ' -f6") == "9"
    assert output(surface, "timedatectl list-timezones | grep -c Zurich") == "1"
