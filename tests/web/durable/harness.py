"""Pyodide workers with durable files in headless Chromium, which tests can kill."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from gemini_testing.chromium import find_browser, find_driver
from gemini_testing.server import serving
from tests.compiling import compiled

PROJECT = Path(__file__).parents[3]
DIST = PROJECT / "dist"
ROOTS = ["/project", "/home"]

CALL_HARNESS = (
    "const done = arguments[arguments.length - 1]; harness(...[...arguments].slice(0, -1)).then(done);"
)


class BrowserError(Exception):
    """An error of the page's or the worker's JavaScript, with the attributes of the JavaScript error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['name']}: {error['message']}")
        self.name: str = error["name"]
        self.message: str = error["message"]
        self.reason: str | None = error.get("reason")
        self.unsaved: list[str] = error.get("unsaved") or []
        self.count: int | None = error.get("count")


@contextlib.contextmanager
def site(folder: Path) -> Generator[str]:
    """Serve the page, the modules under test and Pyodide while the block runs. Yields the URL.

    Args:
        folder: An empty folder for copies of the served files.
    """
    shutil.copytree(Path(__file__).parent / "page", folder, dirs_exist_ok=True)
    shutil.copytree(compiled("kernel/durable/files.ts", "kernel/durable/checksum.ts"), folder / "modules")
    [pyodide], [lock] = DIST.glob("pyodide-*"), DIST.glob("surface-*/packages/pyodide-lock.json")
    shutil.copytree(pyodide, folder / "pyodide")
    shutil.copy(lock, folder / "pyodide")
    with serving(folder) as url:
        yield url


class Browser:
    """Chromium with one profile, showing the test page.

    Args:
        url: The page's address.
        profile: The folder of the browser's profile.
        cookies: Whether pages may store data.
    """

    def __init__(self, url: str, profile: Path, *, cookies: bool = True) -> None:
        self.url = url
        self._profile = profile
        self._cookies = cookies
        self._spare: Kernel | None = None
        self.driver = self._launch()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.driver.quit()

    def kernel(self, *, spare: bool = True) -> Kernel:
        """Return a worker whose Pyodide boots. With `spare`, boot the next worker in advance."""
        fresh = self._spare or Kernel(self)
        self._spare = Kernel(self) if spare else None
        return fresh

    def ask(self, method: str, *parameters: Any) -> Any:
        outcome = self.driver.execute_async_script(CALL_HARNESS, method, *parameters)
        if "error" in outcome:
            raise BrowserError(outcome["error"])
        return outcome["value"]

    def reload(self) -> None:
        self._spare = None
        self.driver.get(self.url)

    def kill(self) -> None:
        """Kill every process of the browser, and restart it with its profile."""
        service = self.driver.service.process
        assert service is not None
        for pid in sorted(_descendants(service.pid)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.driver.service.stop()
        for lock in self._profile.glob("Singleton*"):
            lock.unlink()
        self._spare = None
        self.driver = self._launch()

    def limit_storage(self, quota: int | None) -> None:
        """Override the origin's quota in bytes; None removes the override."""
        limit = {} if quota is None else {"quotaSize": quota}
        self.driver.execute_cdp_cmd(
            "Storage.overrideQuotaForOrigin", {"origin": self.url.rstrip("/"), **limit}
        )

    def used_storage(self) -> int:
        """Return the bytes that the browser counts against the quota."""
        return int(self.driver.execute_cdp_cmd("Storage.getUsageAndQuota", {"origin": self.url})["usage"])

    def journal(self, name: str, file: str) -> bytes:
        return base64.b64decode(self.ask("read", name, file))

    def overwrite_journal(self, name: str, file: str, contents: bytes) -> None:
        self.ask("write", name, file, base64.b64encode(contents).decode())

    def _launch(self) -> Chrome:
        browser, program = find_browser(), find_driver()
        assert browser and program, "these tests need Chromium and ChromeDriver"
        options = Options()
        options.binary_location = str(browser)
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self._profile}"):
            options.add_argument(flag)
        if not self._cookies:
            options.add_experimental_option("prefs", {"profile.default_content_setting_values.cookies": 2})
        # A name that isn't loopback makes an http page insecure.
        options.add_argument("--host-resolver-rules=MAP insecure.test 127.0.0.1")
        driver = Chrome(options=options, service=Service(str(program)))
        driver.set_script_timeout(120)
        driver.get(self.url)
        return driver


@dataclass(frozen=True)
class Death:
    """A worker's death.

    Attributes:
        acknowledged: The last acknowledged transaction.
        at: The storage operation that it interrupted, if any.
    """

    acknowledged: int
    at: str | None


class Kernel:
    """A worker with Pyodide and durable files."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.id: int = browser.ask("spawn")

    def ask(self, command: str, *parameters: Any) -> Any:
        return self._browser.ask("ask", self.id, command, *parameters)

    def open(self, name: str = "files", **options: Any) -> dict[str, Any]:
        """Mount the journal `name`, and return the report."""
        return self.ask("open", {"roots": ROOTS, "name": name, **options})

    def commit(self) -> dict[str, int]:
        return self.ask("commit")

    def python(self, source: str) -> Any:
        return self.ask("python", source)

    def javascript(self, source: str, parameter: Any = None) -> Any:
        """Run an async function body with `pyodide`, `FS`, `durable` and `parameter` in the worker."""
        return self.ask("javascript", source, parameter)

    def read_tree(self) -> dict[str, list[Any]]:
        """Return each path under /project with its type, permissions, mtime and digest."""
        return json.loads(self.python("read_tree('/project')"))

    def terminate(self) -> None:
        self._browser.ask("terminate", self.id)

    def kill_during(self, transaction: int, ms: float, command: str, *parameters: Any) -> Death:
        """Start a command, and kill the worker `ms` after it acknowledged a transaction."""
        acknowledged = self._browser.ask("killDuring", self.id, transaction, ms, command, *parameters)
        return Death(acknowledged, None)

    def kill_inside(self, method: str, nth: int, point: str, command: str, *parameters: Any) -> Death:
        """Start a command, and kill the worker before, within or after its nth call of a storage method.

        Only a write can be interrupted within. A worker with fewer calls is killed at the end of the command.
        """
        self.ask("stopAt", method, nth, point)
        outcome = self._browser.ask("killWhenStopped", self.id, command, *parameters)
        return Death(outcome["acknowledged"], outcome["stopped"])


def _descendants(pid: int) -> set[int]:
    """Return the descendants of process `pid`."""
    parents = {int(path.name): _parent(path) for path in Path("/proc").glob("[0-9]*")}
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


def _parent(process: Path) -> int:
    try:
        # After the command's name in parentheses come the state and the parent.
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0
