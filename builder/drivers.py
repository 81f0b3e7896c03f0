"""Finds or installs Chromium and ChromeDriver for the tests, and Chromium for `serve`."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from builder import environment
from builder.exclusion import one_build
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps
from gemini_testing.chromium import find_browser, find_driver

# The commands that install both, by package manager, without prompting.
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

    The system's package manager installs them if it needs no password, otherwise Selenium Manager does.

    Returns:
        The environment variables that make Selenium, pytest-pyodide and the fixtures of `gemini_testing` use them.

    Raises:
        BuildProblem: Neither could install them.
    """
    pair = _matching_pair() or _cached_pair(project)
    if pair is None:
        with steps.progress.step("installing Chromium and its driver") as step:
            pair = _from_package_manager(project, step) or _from_selenium_manager(project, step)
    browser, driver = pair
    return {
        "CHROME_BIN": str(browser),
        "SE_CHROMEDRIVER": str(driver),
        # Both are installed, so Selenium Manager needs no network.
        "SE_OFFLINE": "true",
        "SE_AVOID_STATS": "true",
    }


def for_headless_page(project: Project, steps: Steps) -> dict[str, str]:
    """Find Chromium or Chrome for a page without a window, or install it as the tests do.

    Returns:
        The environment variables that make the companion use it. They are empty if it finds a browser without them, and
        if CHROME_BIN names none, which it reports.

    Raises:
        BuildProblem: It couldn't be installed.
    """
    if find_browser() or os.environ.get("CHROME_BIN"):
        return {}
    pair = _cached_pair(project)
    if pair is None:
        with steps.progress.step("installing Chromium") as step:
            pair = _from_package_manager(project, step)
        if pair is None:
            with one_build(project.work, steps.progress):
                # Selenium Manager is a part of Selenium.
                environment.prepare(project, steps, "test")
            with steps.progress.step("installing Chromium") as step:
                pair = _from_selenium_manager(project, step)
    return {"CHROME_BIN": str(pair[0])}


def advice() -> str | None:
    """Return a line for who has no Chromium or Chrome, on how to get it; None if there is one."""
    if find_browser() or os.environ.get("CHROME_BIN"):
        return None
    manager = next((name for name in PACKAGE_MANAGERS if shutil.which(name)), "")
    commands = " && ".join(" ".join([manager, *each]) for each in PACKAGE_MANAGERS.get(manager, []))
    how = f"install Chromium by `{commands}`" if commands else "install one"
    return f"No Chromium or Chrome was found: use another browser, or {how}, and start again."


def _matching_pair() -> tuple[Path, Path] | None:
    browser, driver = find_browser(), find_driver()
    if browser and driver and _major(browser) == _major(driver):
        return browser, driver
    return None


def _major(program: Path) -> str | None:
    """Return the major version, which must be the same for a browser and its driver."""
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.\d+\.\d+", output)
    return found[1] if found else None


def _from_package_manager(project: Project, step: Step) -> tuple[Path, Path] | None:
    for command in _install_commands():
        step.show(" ".join(command))
        try:
            run(command, cwd=project.root, log=project.log("browser"), env=_quiet_environment())
        except ProgramFailed:
            # Ubuntu's apt installs a snap, which fails in a container; Selenium Manager is next.
            return None
    return _matching_pair()


def _install_commands() -> Iterator[list[str]]:
    manager = next((name for name in PACKAGE_MANAGERS if shutil.which(name)), None)
    if manager is None or sys.platform == "win32":
        return
    prefix: list[str] = []
    if manager != "brew" and os.geteuid() != 0:
        if not _sudo_needs_no_password():
            return
        prefix = ["sudo", "-n"]
    for arguments in PACKAGE_MANAGERS[manager]:
        yield [*prefix, manager, *arguments]


def _sudo_needs_no_password() -> bool:
    if shutil.which("sudo") is None:
        return False
    return subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0


def _quiet_environment() -> dict[str, str]:
    return {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}


def _from_selenium_manager(project: Project, step: Step) -> tuple[Path, Path]:
    step.show("Selenium Manager")
    try:
        output = run([project.python, "-c", SELENIUM_MANAGER], cwd=project.root, log=project.log("browser"))
    except ProgramFailed as failure:
        raise BuildProblem(
            "Chromium and ChromeDriver are needed, but neither the system's package manager nor Selenium "
            f"Manager could install them (see {project.shown(failure.log)}); install both and start again."
        ) from None
    _cache_file(project).write_text(output.strip().splitlines()[-1], encoding="utf-8")
    pair = _cached_pair(project)
    if pair is None:
        raise BuildProblem(
            f"Selenium Manager found no browser and driver; its answer is in {_cache_file(project)}."
        )
    return pair


def _cache_file(project: Project) -> Path:
    """Return the path of Selenium Manager's last answer, which saves its network requests."""
    return project.work / "browser.json"


def _cached_pair(project: Project) -> tuple[Path, Path] | None:
    if not _cache_file(project).exists():
        return None
    answer: dict[str, str] = json.loads(_cache_file(project).read_text(encoding="utf-8"))
    browser, driver = Path(answer["browser_path"]), Path(answer["driver_path"])
    return (browser, driver) if browser.is_file() and driver.is_file() else None
