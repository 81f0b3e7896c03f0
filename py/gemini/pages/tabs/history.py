"""The history of a tab, for back and forward."""


class History:
    """The visited URLs in order, and the current one."""

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._index = -1

    def visit(self, url: str) -> None:
        """Record a visit. If `step` didn't lead to this URL, drop the entries ahead."""
        if self._index >= 0 and self._urls[self._index] == url:
            return
        self._index += 1
        self._urls[self._index :] = [url]

    def replace(self, url: str) -> None:
        """Replace the URL of the current entry."""
        if self._index >= 0:
            self._urls[self._index] = url

    def step(self, delta: int) -> str | None:
        """Go back (-1) or forward (1), and return the URL. At the end, return None and change nothing."""
        if not 0 <= self._index + delta < len(self._urls):
            return None
        self._index += delta
        return self._urls[self._index]
