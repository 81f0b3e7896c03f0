"""Records the tasks of a page's thread with the browser's tracing, which knows how long each was really computed.

On a machine that other programs use, a task of 10 ms takes 100 when another thread has the core. Its CPU time doesn't
grow, so it shows the share of the page.
"""

import json
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

from selenium.webdriver import Chrome
from websockets.sync.client import connect

CONFIG = {"includedCategories": ["toplevel", "blink.user_timing"], "excludedCategories": ["*"]}
TASK = "ThreadControllerImpl::RunTask"


@dataclass
class Task:
    """A task of the page's thread. Times are in milliseconds; `start` is the browser's clock."""

    start: float
    wall: float
    cpu: float


class Trace:
    """Records all pages of a browser from `start` to `stop`. A page finds itself by `performance.mark`."""

    def __init__(self, driver: Chrome) -> None:
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urlopen(f"http://{address}/json/version") as answer:
            url: str = json.load(answer)["webSocketDebuggerUrl"]
        self._socket = connect(url, max_size=None)
        self._events: list[dict[str, Any]] = []

    def start(self) -> None:
        """Start, without the events of an earlier recording."""
        self._events = []
        self._send("Tracing.start", transferMode="ReportEvents", traceConfig=CONFIG)
        while "id" not in self._receive():
            pass

    def stop(self) -> None:
        """Stop, and wait for the events."""
        self._send("Tracing.end")
        while self._receive().get("method") != "Tracing.tracingComplete":
            pass

    def marks(self, name: str) -> list[float]:
        """Return the times of `performance.mark(name)`."""
        return sorted(mark["ts"] / 1000 for mark in self._marks(name))

    def tasks(self, mark: str) -> list[Task]:
        """Return the tasks of the thread that called `performance.mark(mark)`, in their order."""
        threads = {(event["pid"], event["tid"]) for event in self._marks(mark)}
        return sorted(
            (
                Task(event["ts"] / 1000, event["dur"] / 1000, event["tdur"] / 1000)
                for event in self._events
                if event["name"] == TASK and event["ph"] == "X" and (event["pid"], event["tid"]) in threads
            ),
            key=lambda task: task.start,
        )

    def close(self) -> None:
        """Close the connection to the browser."""
        self._socket.close()

    def _marks(self, name: str) -> list[dict[str, Any]]:
        return [event for event in self._events if event["name"] == name and "user_timing" in event["cat"]]

    def _send(self, method: str, **params: Any) -> None:
        self._socket.send(json.dumps({"id": 1, "method": method, "params": params}))

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv())
        if "error" in message:
            raise RuntimeError(f"The browser can't trace: {message['error']}")
        if message.get("method") == "Tracing.dataCollected":
            self._events += message["params"]["value"]
        return message
