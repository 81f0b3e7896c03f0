"""Sites in a browser that refuses them service workers: the companion passes their requests on.

Pages made of files are tested as in other browsers, on the same cases; servers' in test_relayed_servers.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.web.site import Site
from tests.web.test_sites import (
    site,
    test_a_page_can_t_reach_elsewhere,
    test_a_page_is_read_and_captured_under_its_policy,
    test_a_page_loads_its_linked_files,
    test_directories_names_queries_and_fragments_resolve,
    test_missing_and_outside_files_are_reported,
    test_the_page_script_loads_first_and_controls_the_page,
)

pytestmark = pytest.mark.fortnightly

__all__ = [
    "site",
    "test_a_page_can_t_reach_elsewhere",
    "test_a_page_is_read_and_captured_under_its_policy",
    "test_a_page_loads_its_linked_files",
    "test_directories_names_queries_and_fragments_resolve",
    "test_missing_and_outside_files_are_reported",
    "test_the_page_script_loads_first_and_controls_the_page",
]


@pytest.fixture(scope="module")
def surface_of_module(surface_dist: Path, browsers: BrowserPool) -> Iterator[Surface]:
    with (
        companion_of(surface_dist) as companion,
        opened_by(companion, browsers, third_party_storage=False) as surface,
    ):
        yield surface


def test_the_site_has_no_service_worker(site: Site) -> None:
    site.open("/project/site/index.html")
    assert "SecurityError" in site.run("return localStorage.length")
    assert site.run("return navigator.serviceWorker.controller") is None


def test_a_large_file_arrives_whole(site: Site, surface: Surface) -> None:
    """It is passed on in pieces, which fit the companion's messages."""
    surface.python("open('/project/site/large.bin', 'wb').write(bytes(range(256)) * 80_000)")
    site.open("/project/site/index.html")
    assert site.run(
        "const all = new Uint8Array(await (await fetch('large.bin')).arrayBuffer());"
        "return [all.length, all.every((byte, at) => byte === at % 256)]"
    ) == [20_480_000, True]


def test_a_closed_site_is_no_longer_served(site: Site, surface: Surface) -> None:
    opened = site.open("/project/site/index.html")
    beside = site.open_beside("/project/site/sub/index.html")
    surface.call("browser_tabs", action="close", tab=opened["tab"])
    site.tab = beside
    assert site.run("return (await fetch('../data.json')).status") == 200
    surface.call("file_write", path="/project/other/index.html", content="<title>Other</title>")
    surface.call("browser_navigate", tab=beside, url="/project/other/index.html")
    assert site.says("document.title") == "Other"
    assert site.run("return (await fetch('/project/site/data.json')).status") == 404
