"""The browser that `serve` uses where none is installed."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from builder import drivers
from builder.progress import Progress
from builder.project import Project
from builder.stamps import Steps

posix_only = pytest.mark.skipif(os.name == "nt", reason="replaces programs with shell scripts")
# A package manager that installs programs which print their version.
MANAGER = """#!/bin/sh
for name in chromium chromedriver; do
    printf '#!/bin/sh\\necho 156.0.1\\n' > "{folder}/$name"
    /bin/chmod 755 "{folder}/$name"
done
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of programs on this machine: it has no browser, and no application is installed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CHROME_BIN", raising=False)
    monkeypatch.delenv("SE_CHROMEDRIVER", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return folder


def manager(folder: Path) -> None:
    # Homebrew needs no rights, so this works for every user.
    program = folder / "brew"
    program.write_text(MANAGER.format(folder=folder))
    program.chmod(0o755)


@posix_only
def test_a_page_without_a_window_gets_the_browser_that_tests_would(programs: Path, tmp_path: Path) -> None:
    manager(programs)
    found = drivers.for_headless_page(Project(tmp_path), Steps(Progress(io.StringIO())))
    assert found == {"CHROME_BIN": str(programs / "chromium")}
    # The next time there is nothing to do.
    assert drivers.for_headless_page(Project(tmp_path), Steps(Progress(io.StringIO()))) == {}


@posix_only
def test_a_window_is_asked_for_in_one_line(programs: Path) -> None:
    assert str(drivers.advice()).startswith(
        "No Chromium or Chrome was found: use another browser, or install one"
    )
    manager(programs)
    assert "`brew install --quiet --cask chromium chromedriver`" in str(drivers.advice())
    (programs / "chromium").touch(mode=0o755)
    assert drivers.advice() is None
