"""Records what bash and Debian's programs print for the blocks in this folder: `python -m tests.bash.blocks.record`.

It runs only blocks that have no answer yet; with `--fresh` it runs all.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from tests.bash.cases import Answer, OneLiner, in_bash, load

RECORDED = Path(__file__).with_name("recorded.json")


def recorded() -> dict[str, Answer]:
    """Return the answer of Debian 12 to each block, by its name."""
    return {name: Answer(*answer) for name, answer in json.loads(RECORDED.read_text()).items()}


def blocks() -> list[OneLiner]:
    """Return all blocks, which were written before they ran here."""
    return load("blocks")


def main() -> None:
    """Record the answers to the blocks that have none yet, or to all."""
    known = {} if "--fresh" in sys.argv else recorded()
    with tempfile.TemporaryDirectory() as name:
        case = Path(name) / "case"
        answers = {block.name: known.get(block.name) or in_bash(block, case) for block in blocks()}
    lists = {name: [answer.stdout, answer.exit_code] for name, answer in answers.items()}
    RECORDED.write_text(json.dumps(lists, indent=0) + "\n")


if __name__ == "__main__":
    main()
