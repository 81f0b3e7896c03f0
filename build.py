"""Builds, serves, tests and measures the surface: `python3 build.py --help`.

This file parses on any Python, so an old version reports a clear message instead of a syntax error.
"""

import os
import sys

if sys.version_info < (3, 11):
    sys.exit(
        "build.py needs Python 3.11 or newer, but this is Python %d.%d; use a newer version, "
        "such as python3.12 build.py." % sys.version_info[:2]
    )

# The processes of a build, and the companion that it starts, would each compile the same modules again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The builder imports gemini_companion and gemini_testing from py/.
sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))

from builder.commands import main

if __name__ == "__main__":
    sys.exit(main())
