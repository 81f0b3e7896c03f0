"""The memory snapshot of Python (web/kernel/snapshot.ts) that the browsers of a test run share.

A start from it takes half of the processor's time. A user's browser creates its own when the kernel is idle, which is
rare in tests, and they start with nothing stored.
"""

import base64
import hashlib
import json
import os
import re
from pathlib import Path
from urllib.parse import urldefrag, urljoin
from urllib.request import urlopen

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from gemini_testing.browser import emulate
from gemini_testing.surface import Surface

# The folder of a build, which is named by the hash of its contents.
BUILD = re.compile(r"\bsurface-[0-9a-f]{16}\b")
# A document without content, of any origin.
EMPTY = "/robots.txt"
SUFFIX = ".snapshot"
TIMEOUT_S = 10.0
# The driver's messages have a limit.
PART_BYTES = 8_000_000
FOLDER = "(await navigator.storage.getDirectory()).getDirectoryHandle('python-snapshot', { create: true })"
FIND = f"""
const done = arguments[0];
(async () => {{
  const [[name, handle]] = await Array.fromAsync((await {FOLDER}).entries());
  globalThis.file = await handle.getFile();
  return [name, file.size];
}})().then(done, (error) => done(String(error)));
"""
READ = """
const [from, to, done] = arguments;
const reader = new FileReader();
reader.onload = () => done(reader.result.split(",")[1]);
reader.readAsDataURL(file.slice(from, to));
"""
CHOOSE = "document.body.append(Object.assign(document.createElement('input'), { type: 'file' }));"
# The page starts Python only from the snapshot whose digest it remembers (web/ui/kernel/snapshot_digest.ts).
REMEMBER = "localStorage.setItem('gemini-kernel-snapshot', arguments[0]);"
WRITE = f"""
const [name, done] = arguments;
(async () => {{
  const [file] = document.querySelector("input[type=file]").files;
  const writer = await (await (await {FOLDER}).getFileHandle(name, {{ create: true }})).createWritable();
  await writer.write(file);
  await writer.close();
}})().then(() => done(true), (error) => done(String(error)));
"""


class Snapshots:
    """The snapshots of a test run, in a folder that its processes share.

    Args:
        folder: The folder, which later runs use, too.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))

    def give(self, driver: Chrome, url: str) -> bool:
        """Store the snapshot in an empty browser for the kernel of the page at `url`; return whether there is one."""
        page = _Page.at(url)
        found = page and next(self._folder.glob(f"{page.build}~*{SUFFIX}"), None)
        if not page or not found:
            return False
        driver.get(page.document)
        driver.execute_script(CHOOSE)
        driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(found.resolve()))
        wrote = driver.execute_async_script(WRITE, found.name.removesuffix(SUFFIX))
        if wrote is not True:
            raise WebDriverException(f"The snapshot of Python could not be stored: {wrote}")
        driver.get(urljoin(url, EMPTY))
        driver.execute_script(REMEMBER, f"{page.build} {hashlib.sha256(found.read_bytes()).hexdigest()}")
        return True

    def create(self, driver: Chrome, url: str) -> None:
        """Open a page and save the snapshot that it creates.

        Only one process of a run does so; the others return at once.
        """
        page = _Page.at(url)
        if not page or not self._is_first(page.build):
            return
        emulate(driver, saves_data=False)
        surface = Surface(driver, url)
        surface.load()
        try:
            surface.wait_for("document.documentElement.dataset.snapshot === 'saved'")
        except TimeoutError:
            # The browser has no room for it, or no such storage; tests work without.
            return
        driver.get(page.document)
        name, size = driver.execute_async_script(FIND)
        parts = (driver.execute_async_script(READ, at, at + PART_BYTES) for at in range(0, size, PART_BYTES))
        unfinished = self._folder / f"{name}.{self._run}"
        unfinished.write_bytes(b"".join(map(base64.b64decode, parts)))
        unfinished.rename(self._folder / f"{name}{SUFFIX}")

    def _is_first(self, build: str) -> bool:
        """Return whether no other process of the run creates the snapshot, and delete other builds' snapshots."""
        lock = self._folder / f"{build}.{self._run}.lock"
        try:
            lock.touch(exist_ok=False)
        except FileExistsError:
            return False
        for other in self._folder.iterdir():
            if other != lock:
                other.unlink()
        return True


class _Page:
    """The page at a URL.

    Attributes:
        build: The name of its build.
        document: The URL of a document without content on its kernel's origin.
    """

    def __init__(self, build: str, kernel: str) -> None:
        self.build = build
        self.document = urljoin(kernel, EMPTY)

    @classmethod
    def at(cls, url: str) -> "_Page | None":
        """Return the page, or None if the URL has no built surface."""
        url = urldefrag(url).url
        try:
            index = _read(url)
            kernel = json.loads(_read(urljoin(url, "serving.json")))["kernel"]
        except (OSError, ValueError, KeyError):
            return None
        found = BUILD.search(index)
        return cls(found[0], kernel or url) if found else None


def _read(url: str) -> str:
    with urlopen(url, timeout=TIMEOUT_S) as response:
        return response.read().decode()
