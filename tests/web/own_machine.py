"""The page of a companion that lets it run commands in a folder of this machine, with consent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_companion.host.policy import HostPolicy
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.unit.companion.keyrings import memory_keyring


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the folder that the companion allows."""
    return tmp_path_factory.mktemp("machine")


@pytest.fixture(scope="module")
def surface_of_module(
    surface_dist: Path, machine: Path, browsers: BrowserPool, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Surface]:
    policy = HostPolicy(allowed=True, directories=(machine,))
    with pytest.MonkeyPatch.context() as patch, memory_keyring():
        # Secrets are saved there.
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        with companion_of(surface_dist, policy) as companion, opened_by(companion, browsers) as surface:
            yield surface
