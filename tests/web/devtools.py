"""A session of the Chrome DevTools Protocol with a page, for its events, which the driver doesn't pass on."""

from __future__ import annotations

import itertools
import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen

from selenium.webdriver.chrome.webdriver import WebDriver
from websockets.sync.client import ClientConnection, connect

from gemini_testing.surface import WAIT_TIMEOUT_S


class DevTools:
    """The session. Events that come during a call wait for `event`."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._events: list[dict[str, Any]] = []

    def call(self, method: str, *, session: str | None = None, **params: Any) -> dict[str, Any]:
        """Call a method, of a target that is attached to this one if its session is passed, and return its result."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        self._socket.send(json.dumps(message if session is None else {**message, "sessionId": session}))
        while (message := self._receive()).get("id") != number:
            self._events.append(message)
        assert "error" not in message, message
        return message["result"]

    def event(self, method: str) -> dict[str, Any]:
        """Wait for the next event of a kind, and return its facts."""
        while True:
            for event in self._events:
                if event["method"] == method:
                    self._events.remove(event)
                    return event["params"]
            self._events.append(self._receive())

    def _receive(self) -> dict[str, Any]:
        return json.loads(self._socket.recv(timeout=WAIT_TIMEOUT_S))


@contextmanager
def devtools(driver: WebDriver, kind: str = "page") -> Generator[DevTools]:
    """Open a session with the driver's page, or its `service_worker`, until the block ends."""
    browser = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
    with urlopen(f"http://{browser}/json/list") as answer:
        targets = [row for row in json.load(answer) if row["type"] == kind]
    if kind == "page":
        targets = [row for row in targets if row["id"] == driver.current_window_handle]
    with connect(targets[0]["webSocketDebuggerUrl"], max_size=None) as socket:
        yield DevTools(socket)
