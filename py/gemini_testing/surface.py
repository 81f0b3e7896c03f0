"""Drives a page of the surface in a browser, for tests."""

import json
from importlib.resources import files
from typing import Any
from urllib.parse import urljoin

from selenium.common.exceptions import JavascriptException, TimeoutException
from selenium.webdriver import Chrome

from gemini_testing.errors import PageError, PythonFailed, SurfaceError, ToolCallFailed

# Long enough for slow machines; a wait ends as soon as its condition holds.
WAIT_TIMEOUT_S = 60.0
Json = dict[str, Any] | list[Any] | str | float | bool | None
SCRIPT = files("gemini_testing").joinpath("in_page.js").read_text(encoding="utf-8")


class Surface:
    """The page, with its tools called through WebMCP, as an agent in the browser calls them.

    Args:
        driver: Selenium's driver, for everything that this class doesn't provide.
        url: The page's URL.
    """

    def __init__(self, driver: Chrome, url: str) -> None:
        self.driver = driver
        self.url = url

    def load(self, *, wait: bool = True) -> None:
        """Load the page.

        Args:
            wait: Whether to wait until Python is ready.

        Raises:
            PageError: The page did not start; the message is the reason that it shows.
        """
        if "#" in self.url:
            # If only the fragment changes, the browser loads nothing.
            self.driver.get("about:blank")
        self.driver.get(self.url)
        if wait:
            self.wait_until_ready()

    def reload(self, *, fresh: bool = False, wait: bool = True) -> None:
        """Reload the page: the Python console and declared tools are reset, files and terminals remain.

        Args:
            fresh: Whether to erase the files and everything else that the page has stored.
            wait: Whether to wait until Python is ready.
        """
        if fresh:
            # Files belong to the kernel's origin.
            kernel = self.driver.execute_script("return document.querySelector('.kernel-frame')?.src")
            # Storage that is open in a page can't be erased.
            self.driver.get("about:blank")
            for url in {self.url, kernel or self.url}:
                erased = {"origin": urljoin(url, "/").rstrip("/"), "storageTypes": "all"}
                self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", erased)
        self.load(wait=wait)

    def wait_until_ready(self) -> None:
        """Wait until Python is ready.

        Raises:
            PageError: Python did not start.
        """
        state = self.wait_for(
            "['ready', 'failed'].find((state) => state === document.documentElement.dataset.kernel)"
        )
        if state == "failed":
            reason = self.wait_for("document.querySelector('#failure pre')?.textContent")
            raise PageError("KernelDied", reason)

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and return its value.

        Raises:
            ToolCallFailed: The tool returned an error, or there is no such tool.
        """
        value: Json = json.loads(self.call_raw(tool, **arguments))
        if isinstance(value, dict) and value.get("isError") is True:
            raise ToolCallFailed(**value["error"])
        return value

    def call_raw(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool and return the text of its page tool: the JSON of its value or error.

        Raises:
            ToolCallFailed: There is no such tool.
        """
        return self._run(ToolCallFailed, "call", tool, arguments)

    def tools(self) -> list[dict[str, Any]]:
        """Return the page's tools as an agent sees them: `{name, title, description, inputSchema, annotations}`."""
        return self._run(PageError, "tools")

    def python(self, code: str) -> Any:
        """Run Python in the namespace of the page's console, where `gemini` is imported.

        Returns:
            The value of the last expression, converted to JSON.

        Raises:
            PythonFailed: The code raised an exception; `data` has its traceback.
        """
        return self._run(PythonFailed, "python", code)

    def javascript(self, body: str, *arguments: Any) -> Any:
        """Run the body of an async function in the page, with `arguments`, and return its result.

        Raises:
            PageError: The function threw an error.
        """
        return self._run(PageError, "javascript", body, list(arguments))

    def wait_for(self, condition: str, *arguments: Any, timeout_s: float = WAIT_TIMEOUT_S) -> Any:
        """Wait until a JavaScript expression, which may await, is truthy, and return its value.

        It is evaluated again whenever the document, the focus, an input or the list of tools changes, and four
        times a second, because some changes have no event.

        Raises:
            TimeoutError: The expression is still falsy after `timeout_s`.
            PageError: The expression threw an error.
        """
        lost = False
        while True:
            try:
                outcome = self._run(PageError, "waitFor", condition, list(arguments), timeout_s * 1000)
            except JavascriptException as error:
                # The page reloads itself once if only a service worker can isolate it.
                if "unloaded" not in str(error):
                    raise
                continue
            except TimeoutException:
                # The page answers before the script's timeout. The driver loses an answer that is sent
                # while the page reloads; the new page answers again.
                if lost:
                    raise
                lost = True
                continue
            if "timedOut" in outcome:
                raise TimeoutError(f"still {outcome['timedOut']} after {timeout_s:g} s: {condition}")
            return outcome["value"]

    def console(self) -> list[str]:
        """Return the lines that were written to the browser's console since the last call, each with its level."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def _run(self, kind: type[SurfaceError], action: str, *arguments: Any) -> Any:
        outcome = self.driver.execute_async_script(SCRIPT, action, list(arguments))
        if "error" in outcome:
            raise kind(**outcome["error"])
        return outcome["value"]
