"""Measures how well and how fast the text in pictures of sixty known pages is read on the device.

The right characters are the known text's, without spaces; anything read beyond it, such as an edge, is
surplus. The time is the CPU time of the browser's
renderers for one picture in two languages, with the start of Tesseract, which each picture has.

    python3 build.py bench pictures [KIND ...]
"""

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from _page import opened  # noqa: E402 - found by the line above
from _processor import renderers, seconds  # noqa: E402

from gemini_testing.surface import Surface  # noqa: E402
from tests.web.pictured_pages import KINDS, pages  # noqa: E402
from tests.web.test_picture_text import pictures, read, share_of, surplus_of  # noqa: E402

LEAST_SHARE = 0.98


def measure(surface: Surface, kind: str) -> Iterator[tuple[float, float, float]]:
    """Yield the share of right characters, the surplus, and the milliseconds of each page of a kind."""
    browser = surface.driver.service.process.pid
    shown = [page for page in pages() if page.kind == kind]
    with tempfile.TemporaryDirectory() as folder:
        for page, data in zip(shown, pictures(surface.driver, shown, Path(folder)), strict=True):
            before = seconds(renderers(browser))
            found = read(surface, "/project/page.png", data, languages="en+de")
            took = (seconds(renderers(browser)) - before) * 1000
            share, surplus = share_of(page, found["text"]), surplus_of(page, found["text"])
            print(f"{page.name}: {share:.1%}, +{surplus:.1%}, {took:,.0f} ms", file=sys.stderr, flush=True)
            yield share, surplus, took


def main(kinds: list[str]) -> int:
    """Print the table and return 1 if fewer characters are right than wanted, else 0."""
    print(
        "| pages | pictures | characters right | the worst | surplus: mean, most | CPU ms a picture: median, longest |"
    )
    print("|---|---|---|---|---|---|", flush=True)
    every: list[tuple[float, float, float]] = []
    with opened() as surface:
        surface.load()
        for kind in kinds or KINDS:
            measured = list(measure(surface, kind))
            every += measured
            print(row(kind, measured), flush=True)
    print(row("all", every))
    return 0 if statistics.mean(share for share, *_ in every) >= LEAST_SHARE else 1


def row(kind: str, measured: list[tuple[float, float, float]]) -> str:
    """Return a row of the table."""
    shares, surpluses, times = zip(*measured, strict=True)
    right = f"{statistics.mean(shares):.1%} | {min(shares):.1%}"
    more = f"{statistics.mean(surpluses):.1%}, {max(surpluses):.1%}"
    return (
        f"| {kind} | {len(shares)} | {right} | {more} | {statistics.median(times):,.0f}, {max(times):,.0f} |"
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
