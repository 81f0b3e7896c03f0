"""A page that a benchmark measures by figures with limits."""

import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from gemini_testing.browser import launch  # noqa: E402 - found by the line above
from gemini_testing.server import serving  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"


@contextmanager
def opened() -> Generator[Surface]:
    """Open a new page, which isn't loaded yet; it ends with the block."""
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            yield Surface(driver, url)
        finally:
            driver.quit()


def report(measure: Callable[[Surface], dict[str, Any]], limits: Mapping[str, float]) -> int:
    """Print the figures that are measured in a new page; return 1 if one exceeds its limit, else 0.

    Args:
        measure: Returns each figure by its name.
        limits: The largest value of some figures.
    """
    with opened() as surface:
        found = measure(surface)
    print(json.dumps(found, indent=2))
    return 0 if all(found[name] <= limit for name, limit in limits.items()) else 1
