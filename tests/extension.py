"""Helpers for tests of the browser extension: a browser that has it, with the permission for sites or without."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from selenium.webdriver.common.action_chains import ActionChains

from gemini_companion.admission.extension import ORIGIN
from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.html_page import HtmlServer
from tests.web.names import SHARING
from tests.web.person import Background, Person

FOLDER = Path(__file__).parents[1] / ".build/extension"
PAGE = f"{ORIGIN}/index.html"
# The bar's host. Its content is in a closed root.
BAR = "document.querySelector('html > [popover=manual]')"
IN_PAGE = """
const [pattern, expression] = arguments;
const [{ id }] = await chrome.tabs.query({ url: pattern });
const func = (text) => new Function(`return (${text})`)();
const script = { target: { tabId: id }, world: "MAIN", func, args: [expression] };
return (await chrome.scripting.executeScript(script))[0].result;
"""
CLOSE_WEBSITES = (
    "for (const { id } of await chrome.tabs.query({ url: '*://*/*' })) await chrome.tabs.remove(id)"
)


@contextmanager
def opened_extension(folder: Path = FOLDER) -> Generator[Surface]:
    """Open the surface's page in a new browser with the extension."""
    driver = launch(extension=folder)
    try:
        surface = Surface(driver, PAGE)
        surface.load()
        yield surface
    finally:
        driver.quit()


def with_sites(folder: Path, *, downloads: bool = True) -> Path:
    """Copy the extension, with the permissions that a user would grant; no test can press in those prompts.

    Args:
        folder: The new folder.
        downloads: Whether the extension may manage downloads.
    """
    shutil.copytree(FOLDER, folder, copy_function=os.link)
    manifest = folder / "manifest.json"
    listed = json.loads(manifest.read_text(encoding="utf-8"))
    listed["host_permissions"] = listed.pop("optional_host_permissions")
    if downloads:
        listed["permissions"] += listed.pop("optional_permissions")
    # The copy is a link to the original.
    manifest.unlink()
    manifest.write_text(json.dumps(listed), encoding="utf-8")
    return folder


@dataclass
class Web:
    """The surface in the extension, a user who uses the browser, and sites that are all served on this computer."""

    surface: Surface
    person: Person
    server: HtmlServer
    folder: Path
    """The unpacked extension."""

    def url(self, site: str, path: str) -> str:
        """Return the URL of a page of a site, which has its own origin."""
        return f"http://{site}.test.localhost:{self.server.server_port}/{path}"

    def allow(self, site: str) -> None:
        """Have the user allow a site always."""
        call = Background(self.surface, "browser_navigate", {"url": self.url(site, "index.html")})
        self.person.sees("#approval-question")
        self.person.click("#approval-always")
        call.result()

    def go(self, site: str, path: str, tab: str | None = None) -> str:
        """Have an agent open a page, and return the tab's name."""
        to = {} if tab is None else {"tab": tab}
        return self.surface.call("browser_navigate", url=self.url(site, path), **to)["tab"]

    def another(self, site: str, path: str) -> str:
        """Have an agent open a page in one more tab, and return the tab's name."""
        return self.surface.call("browser_tabs", action="open", url=self.url(site, path))[-1]["id"]

    def in_page(self, site: str, path: str, expression: str) -> Any:
        """Evaluate an expression in the page, as its own scripts do."""
        # Patterns have no ports.
        return self.surface.javascript(IN_PAGE, f"http://{site}.test.localhost/{path}", expression)

    def own_tab(self, site: str, path: str) -> str:
        """Have the user open a tab of the browser, and return its handle."""
        driver = self.surface.driver
        before = driver.current_window_handle
        driver.switch_to.new_window("tab")
        driver.get(self.url(site, path))
        handle = driver.current_window_handle
        driver.switch_to.window(before)
        return handle

    @contextmanager
    def looking_at(self, handle: str) -> Generator[None]:
        """Look at another tab of the browser while the block runs."""
        driver = self.surface.driver
        before = driver.current_window_handle
        driver.switch_to.window(handle)
        yield
        driver.switch_to.window(before)

    def open_sharing(self) -> None:
        """Have the user open the dialog that shares tabs."""
        self.person.open_panel("browser")
        self.person.click('button "Share tabs"')

    def share(self) -> str:
        """Have the user share the only tab that isn't shared, and return its name in the surface."""
        known = {row["id"] for row in self.surface.call("browser_tabs")}
        self.open_sharing()
        self.person.click(f'{SHARING} button "Share"')
        self.person.no_longer_sees(f"{SHARING} .share")
        self.person.click(f'{SHARING} button "Close"')
        [row] = [row for row in self.surface.call("browser_tabs") if row["id"] not in known]
        return row["id"]

    def press_stop(self) -> None:
        """Have the user press Stop in the bar of the tab that the driver looks at."""
        right, top, bottom = self.surface.driver.execute_script(
            f"const {{ right, top, bottom }} = {BAR}.getBoundingClientRect(); return [right, top, bottom]"
        )
        press = ActionChains(self.surface.driver, duration=0)
        press.w3c_actions.pointer_action.move_to_location(int(right) - 30, int((top + bottom) / 2))
        press.click().perform()

    def why(self, tab: str, part: str) -> None:
        """Wait until the reason why a tab can't be read contains a text."""
        self.surface.wait_for(
            "await (async () => { const tools = await document.modelContext.getTools();"
            "const tool = tools.find(({ name }) => name === 'browser_tabs');"
            "const rows = JSON.parse(await document.modelContext.executeTool(tool, {}));"
            "return rows.find(({ id }) => id === arguments[0])?.why?.includes(arguments[1]); })()",
            tab,
            part,
            timeout_s=20,
        )

    def close_all(self) -> None:
        """Close the tabs of all sites, also those that the user opened."""
        driver = self.surface.driver
        for handle in driver.window_handles:
            driver.switch_to.window(handle)
            if driver.current_url == PAGE:
                break
        self.surface.python("for tab in [*gemini.browser.tabs][1:]: await gemini.browser.close(tab)")
        self.surface.javascript(CLOSE_WEBSITES)
