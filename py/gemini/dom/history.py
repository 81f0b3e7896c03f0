"""Where a tab has been, for back and forward."""


class History:
    """URLs in the order of their visits, and which of them is shown."""

    def __init__(self) -> None:
        self._urls: list[str] = []
        self._at = -1

    def visit(self, url: str) -> None:
        """A document was shown: the one that `step` led to, or a new one, after which nothing lies ahead."""
        if self._at >= 0 and self._urls[self._at] == url:
            return
        self._at += 1
        self._urls[self._at :] = [url]

    def renamed(self, url: str) -> None:
        """The document that is shown gave itself another URL."""
        if self._at >= 0:
            self._urls[self._at] = url

    def step(self, delta: int) -> str | None:
        """Go back (-1) or forward (1), to the URL that is returned; None, and nothing changes, at the end."""
        if not 0 <= self._at + delta < len(self._urls):
            return None
        self._at += delta
        return self._urls[self._at]
