"""Runs the command `control-surface` as `python -m gemini_companion`."""

import sys

from gemini_companion.cli import main

sys.exit(main())
