"""Records what the system's programs answer: `python -m tests.unit.userland.shelf.record [WORD]`."""

import json
import sys
import tempfile
from pathlib import Path

from .runner import lines, system

RECORDED = Path(__file__).parent / "recorded.json"


def main() -> None:
    """Record the lines that begin with a word, or all."""
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    recorded = {line: recorded[line] for line in lines() if line in recorded}
    for line in lines():
        if len(sys.argv) > 1 and not line.startswith(sys.argv[1]):
            continue
        with tempfile.TemporaryDirectory() as root:
            recorded[line] = vars(system(line, Path(root) / "folder"))
    RECORDED.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
