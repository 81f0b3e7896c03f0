"""`python -m gemini_companion` is the command `control-surface`."""

import sys

from gemini_companion.cli import main

sys.exit(main())
