"""Browsers that are killed, fifty times, while MCP clients wait for their pages: every call ends.

What tests/web/test_companion_load.py does, for longer. `--kills` says how many browsers are killed.
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
    """Print the figures; 1 where a call never ended."""
    parser = argparse.ArgumentParser(prog="build.py bench kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help=f"{KILLS} unless told otherwise")
    parser.add_argument("--seed", type=int, default=1, help="1 unless told otherwise")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        ended = asyncio.run(kill_browsers(DIST, Path(folder), options.kills, options.seed))
    print(json.dumps({"kills": options.kills, **asdict(ended)}))
    return int(ended.lost > 0)


if __name__ == "__main__":
    raise SystemExit(main())
