"""Starts Chromium with the options that the surface needs."""

from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from gemini_testing.chromium import NO_ADDRESS_MENU, WEBMCP, find_browser, find_driver

FLAGS = (
    # Containers rarely allow the sandbox, and tests load only their own pages.
    "--no-sandbox",
    # /dev/shm is often too small in containers.
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    # The browser must send requests only to the page's own server.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page that asks for a screen gets the browser's test picture; there is no dialog that a test could press.
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    # Elements have `computedRole` and `computedName`: a test finds a button by its name in one look at the page.
    "--enable-blink-features=ComputedAccessibilityInfo",
)
# With it, Chromium lets frames of other sites store data apart, even where it blocks their cookies.
PARTITIONS = "ThirdPartyStoragePartitioning"
BLOCKS_THIRD_PARTIES = 1
# The limit for one script in the page; each wait has its own, shorter limit.
SCRIPT_TIMEOUT_S = 120


def launch(
    *,
    webmcp: bool = True,
    headed: bool = False,
    dark: bool = False,
    size: tuple[int, int] = (1400, 900),
    profile: Path | None = None,
    extension: Path | None = None,
    third_party_storage: bool = True,
) -> Chrome:
    """Start Chromium, by default with an empty profile.

    The environment variables CHROME_BIN and SE_CHROMEDRIVER name the browser and the driver; by default they are
    searched for on the PATH and in the standard locations. Selenium Manager downloads a missing one.

    Args:
        webmcp: Whether WebMCP is enabled.
        headed: Whether the window is visible.
        dark: Whether the user prefers dark colors.
        size: Width and height of the viewport, in pixels.
        profile: A folder for the profile, which then persists.
        extension: The folder of an unpacked extension to install.
        third_party_storage: Whether frames of other sites than the page's may store data.
    """
    program = find_driver()
    options = _options(webmcp, headed, profile, third_party_storage)
    if extension is not None:
        # Chromium installs extensions only by WebDriver BiDi.
        options.set_capability("webSocketUrl", True)
        options.enable_webextensions = True
        # `emulate` sets the size of one tab only, and an extension opens others.
        options.add_argument(f"--window-size={size[0]},{size[1]}")
    driver = Chrome(options=options, service=Service(str(program) if program else None))
    if extension is not None:
        driver.webextension.install(path=str(extension))
    emulate(driver, dark=dark, size=size)
    return driver


def emulate(
    driver: Chrome,
    *,
    dark: bool = False,
    size: tuple[int, int] = (1400, 900),
    scale: float = 1,
    saves_data: bool = False,
) -> None:
    """Set up a new tab.

    Args:
        driver: Selenium's driver.
        dark: Whether the user prefers dark colors.
        size: Width and height of the viewport, in pixels.
        scale: The screen's pixels for each of the page's, which zooming also changes.
        saves_data: Whether the user asks pages to save data; the page then doesn't prepare a faster next start.
    """
    driver.set_script_timeout(SCRIPT_TIMEOUT_S)
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": scale, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    driver.execute_cdp_cmd("Emulation.setDataSaverOverride", {"dataSaverEnabled": saves_data})


def _options(webmcp: bool, headed: bool, profile: Path | None, third_party_storage: bool) -> Options:
    options = Options()
    browser = find_browser()
    if browser is not None:
        options.binary_location = str(browser)
    for flag in FLAGS:
        options.add_argument(flag)
    # Of two such flags, the browser reads the last.
    options.add_argument(NO_ADDRESS_MENU if third_party_storage else f"{NO_ADDRESS_MENU},{PARTITIONS}")
    if not third_party_storage:
        options.add_experimental_option("prefs", {"profile.cookie_controls_mode": BLOCKS_THIRD_PARTIES})
    if not headed:
        options.add_argument("--headless=new")
    if webmcp:
        options.add_argument(WEBMCP)
    if profile is not None:
        options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options
