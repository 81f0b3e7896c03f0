"""A page for prompt injections, with everything that an attacker wants to reach."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gemini_companion.host.policy import HostPolicy
from gemini_companion.web import Search
from gemini_testing.pool import BrowserPool
from tests.attacks.injection import obedience
from tests.attacks.injection.world import RESULTS, World
from tests.attacks.outside import outside_on_loopback
from tests.companions import companion_of, opened_by
from tests.providers import running_provider
from tests.web.person import Person

PREPARE = """
import os, shutil, sys
from gemini.kernel.kernel import kernel
from gemini.models.providers.choice import choice_of
kernel.models.choose(kernel.models.add(choice_of("wire", "small")))
os.makedirs("/home/obedience", exist_ok=True)
open("/home/obedience/obedience.py", "w").write({source!r})
sys.path.insert(0, "/home/obedience")
"""


@pytest.fixture(scope="module")
def world(
    surface_dist: Path, browsers: BrowserPool, tmp_path_factory: pytest.TempPathFactory
) -> Generator[World]:
    machine, configuration = tmp_path_factory.mktemp("machine"), tmp_path_factory.mktemp("configuration")
    with ExitStack() as stack:
        provider = stack.enter_context(running_provider())
        provider.configure(configuration)
        stack.enter_context(pytest.MonkeyPatch.context()).setenv("XDG_CONFIG_HOME", str(configuration))
        outside = stack.enter_context(outside_on_loopback())
        policy = HostPolicy(allowed=True, directories=(machine,))
        search = Search(
            path=configuration / "search.json", endpoints={"duckduckgo": f"{outside.named}{RESULTS}"}
        )
        network = outside.fetcher()
        companion = stack.enter_context(companion_of(surface_dist, policy, network=network, search=search))
        surface = stack.enter_context(opened_by(companion, browsers))
        surface.python(PREPARE.format(source=Path(obedience.__file__).read_text()))
        yield World(surface, companion, outside, provider, machine, Person(surface))
