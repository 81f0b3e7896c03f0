"""Gets Chromium and ChromeDriver onto this machine, for the tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps
from gemini_testing.chromium import find_browser, find_driver

# What installs both, by package manager; each command asks nothing.
PACKAGE_MANAGERS: dict[str, list[list[str]]] = {
    "apt-get": [["update", "-q"], ["install", "-q", "-y", "chromium", "chromium-driver"]],
    "dnf": [["install", "-q", "-y", "chromium", "chromedriver"]],
    "pacman": [["-Sy", "--noconfirm", "chromium"]],
    "apk": [["add", "-q", "chromium", "chromium-chromedriver"]],
    "brew": [["install", "--quiet", "--cask", "chromium", "chromedriver"]],
}

SELENIUM_MANAGER = """
import json
from selenium.webdriver.common.selenium_manager import SeleniumManager
print(json.dumps(SeleniumManager().binary_paths(["--browser", "chrome"])))
"""


def prepare(project: Project, steps: Steps) -> dict[str, str]:
    """Find Chromium and its driver, or install them.

    The system's package manager does it where it may without asking, else Selenium Manager.

    Returns the environment that makes selenium, pytest-pyodide and the fixtures of `gemini_testing` use them.

    Raises:
        BuildProblem: neither way worked.
    """
    pair = _matching_pair() or _remembered(project)
    if pair is None:
        with steps.progress.step("installing Chromium and its driver") as step:
            pair = _from_package_manager(project, step) or _from_selenium_manager(project, step)
    browser, driver = pair
    return {
        "CHROME_BIN": str(browser),
        "SE_CHROMEDRIVER": str(driver),
        # Both are here, so Selenium Manager has nothing to look for and nobody to tell.
        "SE_OFFLINE": "true",
        "SE_AVOID_STATS": "true",
    }


def _matching_pair() -> tuple[Path, Path] | None:
    browser, driver = find_browser(), find_driver()
    if browser and driver and _major(browser) == _major(driver):
        return browser, driver
    return None


def _major(program: Path) -> str | None:
    """The major version, which has to be the same for a browser and its driver."""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.\d+\.\d+", told)
    return found[1] if found else None


def _from_package_manager(project: Project, step: Step) -> tuple[Path, Path] | None:
    for command in _install_commands():
        step.show(" ".join(command))
        try:
            run(command, cwd=project.root, log=project.log("browser"), env=_quiet_environment())
        except ProgramFailed:
            # Ubuntu's apt points to a snap, which a container can't install; Selenium Manager is next.
            return None
    return _matching_pair()


def _install_commands() -> Iterator[list[str]]:
    manager = next((name for name in PACKAGE_MANAGERS if shutil.which(name)), None)
    if manager is None or sys.platform == "win32":
        return
    prefix: list[str] = []
    if manager != "brew" and os.geteuid() != 0:
        if not _sudo_asks_nothing():
            return
        prefix = ["sudo", "-n"]
    for arguments in PACKAGE_MANAGERS[manager]:
        yield [*prefix, manager, *arguments]


def _sudo_asks_nothing() -> bool:
    if shutil.which("sudo") is None:
        return False
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0


def _quiet_environment() -> dict[str, str]:
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def _from_selenium_manager(project: Project, step: Step) -> tuple[Path, Path]:
    step.show("Selenium Manager")
    try:
        told = run([project.python, "-c", SELENIUM_MANAGER], cwd=project.root, log=project.log("browser"))
    except ProgramFailed as failure:
        raise BuildProblem(
            "The tests need Chromium and ChromeDriver, which neither the system's package manager nor "
            f"Selenium Manager could install; install both and start again; see {project.shown(failure.log)}."
        ) from None
    _memory(project).write_text(told.strip().splitlines()[-1], encoding="utf-8")
    pair = _remembered(project)
    if pair is None:
        raise BuildProblem(
            f"Selenium Manager names no browser and driver; its answer is in {_memory(project)}."
        )
    return pair


def _memory(project: Project) -> Path:
    """Selenium Manager's last answer: it would go to the network to give it again."""
    return project.work / "browser.json"


def _remembered(project: Project) -> tuple[Path, Path] | None:
    if not _memory(project).exists():
        return None
    told: dict[str, str] = json.loads(_memory(project).read_text(encoding="utf-8"))
    browser, driver = Path(told["browser_path"]), Path(told["driver_path"])
    return (browser, driver) if browser.is_file() and driver.is_file() else None
