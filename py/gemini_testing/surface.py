"""A page of the surface in a browser, as tests drive it."""

import json
from importlib.resources import files
from typing import Any
from urllib.parse import urljoin

from selenium.common.exceptions import JavascriptException
from selenium.webdriver import Chrome

from gemini_testing.errors import PageError, PythonFailed, SurfaceError, ToolCallFailed

# What a test may have to wait for on a slow machine; whatever it waits for ends the wait.
PATIENCE_S = 60.0
Json = dict[str, Any] | list[Any] | str | float | bool | None
SCRIPT = files("gemini_testing").joinpath("in_page.js").read_text(encoding="utf-8")


class Surface:
    """The page, and its tools as an agent in the browser calls them, through WebMCP.

    Args:
        driver: Selenium's driver, for whatever is not offered here.
        url: The page's address.
    """

    def __init__(self, driver: Chrome, url: str) -> None:
        self.driver = driver
        self.url = url

    def load(self, *, wait: bool = True) -> None:
        """Go to the page, and wait until Python is ready unless told otherwise.

        Raises:
            PageError: it did not start; the message is the reason that the page shows.
        """
        if "#" in self.url:
            # Where nothing but the fragment is another one, a browser loads nothing.
            self.driver.get("about:blank")
        self.driver.get(self.url)
        if wait:
            self.wait_until_ready()

    def reload(self, *, fresh: bool = False, wait: bool = True) -> None:
        """Load the page again: the Python console and declared tools are new, files and terminals stay.

        Args:
            fresh: True erases the files and whatever else the page has stored, as if it was never visited.
            wait: Whether to wait until Python is ready.
        """
        if fresh:
            # Files belong to the kernel's origin.
            kernel = self.driver.execute_script("return document.querySelector('.kernel-frame')?.src")
            # Storage that a page has open can't be erased.
            self.driver.get("about:blank")
            for url in {self.url, kernel or self.url}:
                erased = {"origin": urljoin(url, "/").rstrip("/"), "storageTypes": "all"}
                self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", erased)
        self.load(wait=wait)

    def wait_until_ready(self) -> None:
        """Wait until Python is ready.

        Raises:
            PageError: it can't start.
        """
        state = self.wait_for(
            "['ready', 'failed'].find((state) => state === document.documentElement.dataset.kernel)"
        )
        if state == "failed":
            reason = self.wait_for("document.querySelector('#failure pre')?.textContent")
            raise PageError("KernelDied", reason)

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and get its value.

        Raises:
            ToolCallFailed: the tool answered with an error, or there is no such tool.
        """
        value: Json = json.loads(self.call_raw(tool, **arguments))
        if isinstance(value, dict) and value.get("isError") is True:
            raise ToolCallFailed(**value["error"])
        return value

    def call_raw(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool and get the text that its page tool returns: JSON, of an error too.

        Raises:
            ToolCallFailed: there is no such tool.
        """
        return self._run(ToolCallFailed, "call", tool, arguments)

    def tools(self) -> list[dict[str, Any]]:
        """The page's tools as an agent sees them: name, description, inputSchema, annotations."""
        return self._run(PageError, "tools")

    def python(self, code: str) -> Any:
        """Run Python in the namespace of the page's console, where `gemini` is at hand.

        Returns:
            The value of a last expression, as JSON carries it.

        Raises:
            PythonFailed: the code raised; `data` has its traceback.
        """
        return self._run(PythonFailed, "python", code)

    def javascript(self, body: str, *arguments: Any) -> Any:
        """Run the body of an async function in the page, with `arguments`, and get what it returns.

        Raises:
            PageError: it threw.
        """
        return self._run(PageError, "javascript", body, list(arguments))

    def wait_for(self, condition: str, *arguments: Any, timeout_s: float = PATIENCE_S) -> Any:
        """Wait until a JavaScript expression, which may await, gives something true, and get what it gives.

        It is looked at again whenever the document, the focus, an input or the list of tools changes.

        Raises:
            TimeoutError: that didn't happen.
            PageError: the expression threw.
        """
        while True:
            try:
                outcome = self._run(PageError, "waitFor", condition, list(arguments), timeout_s * 1000)
            except JavascriptException as error:
                # The page was loaded anew, as it does once where only a service worker can isolate it.
                if "unloaded" not in str(error):
                    raise
                continue
            if "timedOut" in outcome:
                raise TimeoutError(f"after {timeout_s:g} s still {outcome['timedOut']}: {condition}")
            return outcome["value"]

    def console(self) -> list[str]:
        """What was written to the browser's console since the last time, each with its level."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.driver.get_log("browser")]

    def _run(self, kind: type[SurfaceError], action: str, *arguments: Any) -> Any:
        outcome = self.driver.execute_async_script(SCRIPT, action, list(arguments))
        if "error" in outcome:
            raise kind(**outcome["error"])
        return outcome["value"]
