"""WebKitGTK's MiniBrowser, on a screen in memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver.common.options import ArgOptions
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service
from selenium.webdriver.webkitgtk.webdriver import WebDriver

DRIVER = "WebKitWebDriver"
SCREEN = "Xvfb"
FOLDERS = ("/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser")
TIMEOUT_S = 180


def find_webkit() -> Path | None:
    """Return the browser, or None where it, its driver or a screen in memory isn't installed."""
    if not (shutil.which(DRIVER) and shutil.which(SCREEN)):
        return None
    return next((path for pattern in FOLDERS for path in sorted(Path("/").glob(pattern[1:]))), None)


@contextmanager
def screen(size: str = "1400x900x24") -> Generator[str]:
    """Start a screen in memory, and yield its name for DISPLAY."""
    read, write = os.pipe()
    command = [SCREEN, "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with open(read) as numbers:
                yield f":{numbers.readline().strip()}"
        finally:
            server.terminate()


@contextmanager
def opened_webkit(program: Path, home: Path) -> Generator[WebDriver]:
    """Start the browser with an empty profile."""
    with screen() as display:
        options: ArgOptions = Options()
        options.binary_location = str(program)  # pyright: ignore[reportAttributeAccessIssue]
        options.add_argument("--automation")
        options.add_argument("--full-screen")
        env = {
            **os.environ,
            "DISPLAY": display,
            "HOME": str(home),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "GDK_BACKEND": "x11",
        }
        with warnings.catch_warnings():
            # Selenium's class for this browser calls its own old constructor.
            warnings.simplefilter("ignore", DeprecationWarning)
            driver = WebDriver(options=options, service=Service(shutil.which(DRIVER), env=env))  # pyright: ignore
        try:
            driver.set_script_timeout(TIMEOUT_S)
            yield driver
        finally:
            driver.quit()
