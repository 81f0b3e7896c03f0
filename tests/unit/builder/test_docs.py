"""The API reference names what exists, and everything that `gemini` exports."""

import re
from importlib import import_module
from inspect import getmodule
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gemini

REFERENCE = Path(__file__).parents[3] / "docs/reference"
NAMES = sorted(
    {
        name
        for page in REFERENCE.glob("*.md")
        for name in re.findall(r"^::: ([\w.]+)", page.read_text(encoding="utf-8"), re.MULTILINE)
    }
)
# These are objects of the running surface.
RUNNING = {
    "active_terminal",
    "browser",
    "file_browser",
    "linux",
    "registry",
    "resources",
    "terminal_manager",
    "terminals",
}


def find(name: str) -> Any:
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found: Any = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize("name", NAMES)
def test_each_name_of_the_reference_exists(name: str) -> None:
    assert find(name).__doc__


@pytest.mark.parametrize("name", sorted(set(gemini.__all__) - RUNNING))
def test_each_exported_name_is_in_the_reference(name: str) -> None:
    found = getattr(gemini, name)
    module = found if isinstance(found, ModuleType) else getmodule(found)
    described = [find(one) for one in NAMES]
    assert found in described or module in described
