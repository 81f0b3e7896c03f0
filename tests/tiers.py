"""Which tests run each time, and which take turns in CI's daily runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from typing import Any
from zlib import crc32

import pytest

# After how many daily runs at most a test with this mark has had its turn. One with both runs on a day of the first,
# which may be that of a page for several tests.
TURNS = {"fortnightly": 14, "extended": sys.maxsize}
# Opening a page costs as much as twenty tests of it. The page of a file whose tests all take turns is opened once in so
# many days, not on a day for each test.
ALL_MARKED = 14
# Files that run once in so many days as a whole. Each costs a page or more, and the files that run every day test the
# same paths in another way. The number divides that of the days after which all tests have run. Files with the same
# number take turns in this order.
FILES = {
    # What a hostile page, picture or server reaches; consent, questions, panels, Python and the network run every day.
    "attacks/injection/test_injection.py": 3,
    "attacks/test_focus.py": 3,
    "attacks/test_host.py": 3,
    "attacks/test_pictures.py": 3,
    "attacks/test_restart.py": 3,
    "attacks/test_site_network.py": 3,
    "attacks/test_site_origins.py": 3,
    "attacks/test_sites.py": 3,
    "attacks/test_waking.py": 3,
    # Builds, interpreters and kinds of tabs.
    "web/test_build.py": 7,
    "web/test_interrupts.py": 2,
    "web/test_own_python.py": 7,
    "web/test_tab_contract.py": 7,
    # What starts many processes: LiteLLM, MCP servers, builds.
    "contract/test_providers.py": 7,
    "unit/builder/test_failures.py": 3,
    "unit/companion/mcp_servers/test_code_mode.py": 3,
    "unit/companion/mcp_servers/test_servers.py": 2,
    "git/test_colors.py": 3,
    # Screens of the user; what they show and call runs every day through the tools.
    "web/test_agent_panel.py": 3,
    "web/test_chat.py": 2,
    "web/test_console_panel.py": 3,
    "web/test_demo.py": 7,
    "web/test_files_panel.py": 2,
    "web/test_layout.py": 3,
    "web/test_newcomer.py": 7,
    "web/test_notebooks.py": 7,
    "web/test_start_page.py": 3,
    "web/test_typed_commands.py": 7,
}


def opens(file: str, every: int, wanted: str) -> bool:
    """Return whether a file runs today.

    Args:
        file: Its path below `tests`.
        every: After how many days it runs again.
        wanted: `PART/PARTS`, the number of the day and of the days after which all have run, or `all`.
    """
    return wanted == "all" or (_place(file, every) - int(wanted.partition("/")[0])) % every == 0


@cache
def _place(file: str, every: int) -> int:
    """Return a number of a file, such that as many of `FILES` run on each day."""
    alike = [each for each, days in FILES.items() if days == every]
    return alike.index(file) if file in alike else crc32(file.encode())


def has_turn(turns: Iterable[tuple[str, int]], wanted: str, *, file: str = "", every: int = 1) -> bool:
    """Return whether tests with marks run today.

    Args:
        turns: For each mark, the tests' common key, the same on every machine, and after how many days at most they run
            again. They take the turns of the second among the days of the first.
        wanted: `PART/PARTS`, the number of the day and of the days after which all have run, or `none`.
        file: Their file's path below `tests`.
        every: After how many days the file runs again. The tests take turns among its days.
    """
    if wanted == "none" or not opens(file, every, wanted):
        return False
    part, parts = map(int, wanted.split("/"))
    turn, taken = part // every, every
    for key, days in turns:
        number = max(1, min(parts, days) // taken)
        if crc32(key.encode()) % number != turn % number:
            return False
        turn, taken = turn // number, taken * number
    return True


def _values(case: Any) -> tuple[Any, ...]:
    return case if type(case) is tuple else (case,)


def sampled(
    cases: Iterable[Any], *, every: int = 4, others: pytest.MarkDecorator = pytest.mark.extended
) -> list[Any]:
    """Mark all cases but every fourth, or another share, `extended`.

    Args:
        cases: The parameters of the tests, in an order in which neighbours are alike.
        every: The distance of the cases that always run.
        others: The mark of the other cases.
    """
    return [
        case if number % every == 0 else pytest.param(*_values(case), marks=others)
        for number, case in enumerate(cases)
    ]


def in_turn(names: str | tuple[str, ...], cases: Iterable[Any], *, every: int = 4, **options: Any) -> Any:
    """Parametrize a test whose cases take turns: every fourth, or another share, always runs, the others fortnightly.

    Args:
        names: The names of the parameters.
        cases: Their values, as for `sampled`.
        every: The distance of the cases that always run.
        **options: Options of `pytest.mark.parametrize`.
    """
    marked = sampled(cases, every=every, others=pytest.mark.fortnightly)
    return pytest.mark.parametrize(names, marked, **options)
