"""The model for search by meaning is made when the user asks for it, in a source tree."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from gemini.errors import ProtocolError
from gemini_companion.errors import PartUnavailable
from gemini_companion.named_command import BUILD
from gemini_companion.settings.search_model import SearchModelSettings, command_for
from tests.unit.companion.settings.conftest import ConnectedPage

METHOD = "settings/make_search_model"


def settings_of(program: str) -> SearchModelSettings:
    return SearchModelSettings([sys.executable, "-c", program])


async def test_the_model_is_made_once_at_a_time(tmp_path: Path) -> None:
    program = f"""
import pathlib, sys
file = pathlib.Path({str(tmp_path / "making")!r})
if file.exists():
    sys.exit("two at a time")
file.touch()
print("much progress")
file.unlink()
"""
    make = settings_of(program).handlers()[METHOD]
    assert await asyncio.gather(make({}), make({})) == [{}, {}]


async def test_a_failure_says_what_the_build_says() -> None:
    make = settings_of("import sys; sys.exit('details\\nThe packages of the model can\\'t be installed.')")
    with pytest.raises(PartUnavailable) as failed:
        await make.handlers()[METHOD]({})
    assert failed.value.message == "The model can't be made: The packages of the model can't be installed."
    assert "press again" in (failed.value.hint or "")


async def test_only_the_site_of_a_source_tree_can_get_it(page: ConnectedPage, tmp_path: Path) -> None:
    # The companion of these tests serves another folder.
    with pytest.raises(ProtocolError, match="can't make the model"):
        await page.ask(METHOD)
    assert command_for(tmp_path) is None
    assert command_for(BUILD.parent / "dist") == [sys.executable, str(BUILD), "meaning", "--add"]
