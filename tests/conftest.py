"""What all tests share."""

from importlib.metadata import entry_points

import pytest

PLUGIN = "gemini_testing.plugin"

# Where the package is installed, pytest has found the plugin by itself.
installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
pytest_plugins = ["pytester"] if installed else ["pytester", PLUGIN]

# What is known not to hold yet; an entry goes with the fix.
KNOWN_GAPS = {
    r"test_a_name_of_any_characters_works_everywhere[line\nbreak.txt]": "a line break in a name, in the shell's ls",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for name, reason in KNOWN_GAPS.items():
            if name in item.name:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
