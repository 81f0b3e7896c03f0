"""Kernels that die at random, hundreds of times: nothing acknowledged is lost, nothing is there by halves.

What tests/web/test_chaos.py does, for longer. `--kills` says how many kernels die, `--seed` with which work it begins.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gemini_testing.browser import launch  # noqa: E402 - found by the line above
from gemini_testing.server import serving  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402
from tests.web import chaos  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"
KILLS = 500
# With one seed; then everything is removed, and the next one begins.
KILLS_A_SEED = 20


def main() -> int:
    """Print the figures; 1 at the first loss."""
    parser = argparse.ArgumentParser(prog="build.py bench chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help=f"{KILLS} unless told otherwise")
    parser.add_argument("--seed", type=int, default=1, help="the first one; 1 unless told otherwise")
    options = parser.parse_args()
    started = time.monotonic()
    killed = acknowledged = 0
    with serving(DIST) as url:
        driver = launch()
        try:
            surface = Surface(driver, url)
            surface.load()
            for seed in range(options.seed, options.seed + -(-options.kills // KILLS_A_SEED)):
                kills = min(KILLS_A_SEED, options.kills - killed)
                with tempfile.TemporaryDirectory() as folder:
                    acknowledged += chaos.survive(surface, seed, kills, Path(folder))
                killed += kills
                seconds = round(time.monotonic() - started)
                figures = {"seed": seed, "kills": killed, "acknowledged": acknowledged, "seconds": seconds}
                print(json.dumps(figures), flush=True)
        except AssertionError as lost:
            print(f"after {killed} kills: {lost}")
            return 1
        finally:
            driver.quit()
    print(
        f"{killed} kernels died; none of {acknowledged} acknowledged calls is lost, none is there by halves"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
