"""Kills hundreds of kernels at random times: no acknowledged change may be lost, and no change may be incomplete.

A longer run of tests/web/test_chaos.py. `--kills` sets the number of kernels to kill, `--seed` the first workload.
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
# After this many, everything is removed and the next seed starts.
KILLS_A_SEED = 20


def main() -> int:
    """Print the figures and return 1 at the first loss, else 0."""
    parser = argparse.ArgumentParser(prog="build.py bench chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help=f"the number of kills (default: {KILLS})")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (default: 1)")
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
    print(f"{killed} kernels died; none of {acknowledged} acknowledged calls is lost or incomplete")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
