"""The transfer size of a first visit, and the files that load after it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.plugin import OpenSurface
from gemini_testing.server import Handler, Server
from tests.web.conftest import CopyOfDist
from tests.web.person import Background

pytestmark = pytest.mark.extended

# The tests' build is compressed quickly. A release's is a fifth smaller, 7 MB (docs/performance.md).
MOST = 9_300_000
# The console's editor loads when the page is idle.
DEFERRED = ("programs.tar", "library.tar", "sources.tar", "ui-editor.js")


class Counting(Handler):
    """Counts the sent bytes and the requests by path, and holds deferred files back until `release` is set."""

    sent: dict[str, int]
    requests: Counter[str]
    release: Event

    def setup(self) -> None:
        super().setup()
        write = self.wfile.write

        def count(data: Any) -> int:
            self.sent[self.path] = self.sent.get(self.path, 0) + len(data)
            return write(data)

        self.wfile.write = count

    def do_GET(self) -> None:
        name = self.path.rpartition("/")[2]
        self.requests[name] += 1
        if name in DEFERRED:
            self.release.wait()
        super().do_GET()


def test_the_first_result_needs_few_bytes(surface_dist: Path) -> None:
    sent: dict[str, int] = {}
    requests: Counter[str] = Counter()
    release = Event()
    with Server(surface_dist) as server:
        given = {"sent": sent, "requests": requests, "release": release}
        server.RequestHandlerClass = type("Handler", (Counting,), given)
        Thread(target=server.serve_forever).start()
        driver = launch()
        try:
            surface = Surface(driver, server.url)
            surface.load()
            assert surface.call("terminal_execute", command="echo here")["output"] == "here\n"
            first = sum(sent.values())
            # These wait for the deferred files.
            listings = [Background(surface, "terminal_execute", {"command": "ls /project"}) for _ in range(2)]
            program = Background(
                surface, "python_run", {"code": "import unittest\nfrom pydantic.v1 import VERSION; VERSION"}
            )
            assert not any(sent_name.endswith(DEFERRED) for sent_name in sent)
            release.set()
            assert all("report.py" in listing.result()["output"] for listing in listings)
            assert program.result()["result"]
            assert requests["programs.tar"] == 1
            assert surface.wait_for("document.documentElement.dataset.offline") == "saved"
            before = sum(sent.values())
            surface.load()
            assert surface.call("terminal_execute", command="ls /project")["exit_code"] == 0
            second = sum(sent.values()) - before
        finally:
            release.set()
            driver.quit()
            server.shutdown()
    print(f"{first:,} bytes until the first result, {second:,} on the next visit")
    assert first <= MOST
    # The browser caches everything under a hash.
    assert second < 10_000


def test_a_command_whose_files_are_missing_says_so_and_runs_when_they_are_there(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    [folder] = dist.glob("surface-*/packages")
    for file in folder.glob("programs.tar*"):
        file.rename(file.with_name(f"hidden-{file.name}"))
    surface = open_surface(dist=dist)

    failed = surface.call("terminal_execute", command="ls /project")
    assert failed["exit_code"] == 126
    assert "ls: programs.tar could not be downloaded" in failed["output"]
    answer = json.loads(surface.call_raw("python_run", code="1 + 1"))
    assert "programs.tar could not be downloaded" in answer["error"]["message"]

    for file in folder.glob("hidden-*"):
        file.rename(file.with_name(file.name.removeprefix("hidden-")))

    assert "report.py" in surface.call("terminal_execute", command="ls /project")["output"]
    assert surface.call("python_run", code="1 + 1")["result"] == 2


def test_a_damaged_archive_is_refused(open_surface: OpenSurface, copy_of_dist: CopyOfDist) -> None:
    dist = copy_of_dist()
    for file in dist.glob("surface-*/packages/programs.tar*"):
        file.write_bytes(b"damaged")
    surface = open_surface(dist=dist)

    failed = surface.call("terminal_execute", command="ls /project")

    assert failed["exit_code"] == 126
    assert "programs.tar could not be downloaded, or is damaged" in failed["output"]


def test_a_tool_whose_modules_have_not_arrived_loads_them_or_says_what_is_missing(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    [folder] = dist.glob("surface-*/packages")
    for file in folder.glob("programs.tar*"):
        file.rename(file.with_name(f"hidden-{file.name}"))
    surface = open_surface(dist=dist)

    failed = json.loads(surface.call_raw("agent_status", run_id="none"))
    assert "programs.tar could not be downloaded" in failed["error"]["message"]

    for file in folder.glob("hidden-*"):
        file.rename(file.with_name(file.name.removeprefix("hidden-")))

    found = json.loads(surface.call_raw("agent_status", run_id="none"))
    assert "programs.tar" not in found["error"]["message"]
    assert "none" in found["error"]["message"]
