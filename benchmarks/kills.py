"""Kills fifty browsers while MCP clients wait for their pages: every call must end.

A longer run of tests/web/test_companion_load.py. `--kills` sets the number of browsers to kill.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.kills import kill_browsers  # noqa: E402 - found by the line above

DIST = Path(__file__).parents[1] / "dist"
KILLS = 50


def main() -> int:
    """Print the figures and return 1 if a call never ended, else 0."""
    parser = argparse.ArgumentParser(prog="build.py bench kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help=f"the number of kills (default: {KILLS})")
    parser.add_argument("--seed", type=int, default=1, help="the random seed (default: 1)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        ended = asyncio.run(kill_browsers(DIST, Path(folder), options.kills, options.seed))
    print(json.dumps({"kills": options.kills, **asdict(ended)}))
    return int(ended.lost > 0)


if __name__ == "__main__":
    raise SystemExit(main())
