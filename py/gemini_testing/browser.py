"""Starts Chromium as the surface needs it."""

from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from gemini_testing.chromium import WEBMCP, find_browser, find_driver

FLAGS = (
    # Containers seldom allow the sandbox, and the pages are the tests' own.
    "--no-sandbox",
    # Their /dev/shm is often too small.
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    # Nothing but the page's own server is asked for anything.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# The longest that one script may take in the page; each wait has a shorter limit of its own.
SCRIPT_TIMEOUT_S = 120


def launch(
    *,
    webmcp: bool = True,
    headed: bool = False,
    dark: bool = False,
    size: tuple[int, int] = (1400, 900),
    profile: Path | None = None,
) -> Chrome:
    """Start Chromium with an empty profile, unless told otherwise.

    It is the one that the variable CHROME_BIN names, else of the usual places, with the driver that SE_CHROMEDRIVER
    names, else of the PATH; Selenium Manager fetches what is not there.

    Args:
        webmcp: Whether WebMCP is on.
        headed: Whether it can be seen.
        dark: Whether the person prefers dark colours.
        size: Width and height of the window's inside, in pixels.
        profile: A folder that keeps what pages store, for the next start.
    """
    program = find_driver()
    driver = Chrome(
        options=_options(webmcp, headed, profile), service=Service(str(program) if program else None)
    )
    driver.set_script_timeout(SCRIPT_TIMEOUT_S)
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    return driver


def _options(webmcp: bool, headed: bool, profile: Path | None) -> Options:
    options = Options()
    browser = find_browser()
    if browser is not None:
        options.binary_location = str(browser)
    for flag in FLAGS:
        options.add_argument(flag)
    if not headed:
        options.add_argument("--headless=new")
    if webmcp:
        options.add_argument(WEBMCP)
    if profile is not None:
        options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options
