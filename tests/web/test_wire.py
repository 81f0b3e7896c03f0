"""The transfer size of a first visit."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.server import Handler, Server

MOST = 9_000_000


class Counting(Handler):
    """Counts the sent bytes by path."""

    sent: dict[str, int]

    def setup(self) -> None:
        super().setup()
        write = self.wfile.write

        def count(data: Any) -> int:
            self.sent[self.path] = self.sent.get(self.path, 0) + len(data)
            return write(data)

        self.wfile.write = count


def test_the_first_result_needs_at_most_9_mb(surface_dist: Path) -> None:
    with Server(surface_dist) as server:
        sent: dict[str, int] = {}
        server.RequestHandlerClass = type("Handler", (Counting,), {"sent": sent})
        Thread(target=server.serve_forever).start()
        driver = launch()
        try:
            surface = Surface(driver, server.url)
            surface.load()
            assert surface.call("terminal_execute", command="echo here")["stdout"] == "here\n"
            first = sum(sent.values())
            assert surface.wait_for("document.documentElement.dataset.offline") == "saved"
            before = sum(sent.values())
            surface.load()
            assert surface.call("terminal_execute", command="echo again")["stdout"] == "again\n"
            second = sum(sent.values()) - before
        finally:
            driver.quit()
            server.shutdown()
    print(f"{first:,} bytes until the first result, {second:,} on the next visit")
    assert first <= MOST
    # The browser caches everything under a hash.
    assert second < 10_000
