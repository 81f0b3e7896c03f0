"""Firefox by WebDriver BiDi, which needs no other program than Firefox itself."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Generator
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.selenium_manager import SeleniumManager
from websockets.sync.client import ClientConnection, connect

PROGRAMS = ("firefox-esr", "firefox")
ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# Only requests to the page's own server; no first-run pages.
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.enabled": False,
}
# A page that starts on a busy machine.
TIMEOUT_S = 150
# The names of keys in WebDriver, https://w3c.github.io/webdriver/#keyboard-actions.
CONTROL, ENTER = "\ue009", "\ue007"


def find_firefox(*, downloads: bool = False) -> str | None:
    """Return the program, or None where Firefox isn't installed and can't be downloaded."""
    installed = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if installed is not None or not downloads:
        return installed
    with contextlib.suppress(WebDriverException):
        found = SeleniumManager().binary_paths(["--browser", "firefox", "--skip-driver-in-path"])
        return found["browser_path"] or None
    return None


class Firefox:
    """One window, with the part of Selenium's driver that `gemini_testing.Surface` uses.

    Args:
        socket: A connection of WebDriver BiDi.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self.log: list[str] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])
        self._context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **params: Any) -> Any:
        """Send a command and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=TIMEOUT_S))
            if message.get("method") == "log.entryAdded":
                entry = message["params"]
                self.log.append(f"{entry['level']}: {entry['text']}")
            elif message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]

    def get(self, url: str) -> None:
        self.send("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def reload(self) -> None:
        self.send("browsingContext.reload", context=self._context, wait="complete")

    def set_size(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self._context, viewport=size)

    def execute_async_script(self, script: str, *arguments: Any) -> Any:
        """Run a script whose last argument is a function that ends it."""
        called = f"""async (text) => {{
            const run = new Function({json.dumps(script)});
            const value = await new Promise((done) => run(...JSON.parse(text), done));
            return JSON.stringify(value ?? null);
        }}"""
        given = {"type": "string", "value": json.dumps(arguments)}
        result = self.send(
            "script.callFunction",
            functionDeclaration=called,
            arguments=[given],
            awaitPromise=True,
            target={"context": self._context},
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])

    def press(self, *keys: str) -> None:
        """Press keys together, as the user does."""
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def type(self, text: str) -> None:
        for character in text:
            self.press(character)

    def click(self, x: float, y: float) -> None:
        """Press the mouse at a point of the window, in CSS pixels."""
        actions = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": actions})

    def _act(self, source: dict[str, Any]) -> None:
        self.send("input.performActions", context=self._context, actions=[source])

    def quit(self) -> None:
        self.send("browser.close")


class Started:
    """A process of Firefox, which ends with the block.

    Args:
        program: The program.
        profile: An empty folder.
    """

    def __init__(self, program: str, profile: Path) -> None:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        ]
        (profile / "user.js").write_text("\n".join(lines))
        command = [program, "--headless", "--remote-debugging-port=0", "--profile", profile, "about:blank"]
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self._reading: threading.Thread | None = None

    def __enter__(self) -> str:
        """Return the address of its WebDriver BiDi."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if found := ADDRESS.search(line):
                # It would stop once the pipe is full.
                self._reading = threading.Thread(target=self._process.stderr.read, daemon=True)
                self._reading.start()
                return found[1]
        raise AssertionError(f"Firefox ended with {self._process.wait()}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait()
        if self._reading is not None:
            self._reading.join()
        assert self._process.stderr is not None
        self._process.stderr.close()


@contextlib.contextmanager
def opened_firefox(program: str, profile: Path, size: tuple[int, int] = (1400, 900)) -> Generator[Firefox]:
    """Start Firefox with an empty profile, and yield its window."""
    with (
        Started(program, profile) as address,
        connect(f"{address}/session", max_size=None, compression=None) as socket,
    ):
        browser = Firefox(socket)
        browser.set_size(*size)
        yield browser
        browser.quit()
