"""Records what Node 20 prints for the programs in this folder: `python3 tests/web/node/record.py`."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "recorded.json"
PROGRAMS = (
    "values.js", "files.js", "modules.mjs", "scripts.js", "order.js", "asserts.js", "uncaught.js", "rejected.mjs",
    "runner.test.js",
)  # fmt: skip
# What a page can't know: durations, frames of Node's own code, and where a statement that throws begins.
REMOVED = (
    (re.compile(r"(duration_ms:? )[\d.]+"), r"\1-"),
    (re.compile(r"\n *(?:at )?(?:async )?[^\n]*(?:\(|at |async )node:[\w/]+[^\n]*?(?=(?: \{)?\n)"), ""),
    (re.compile(r"\n +(?:async )?(?:TestContext\.<anonymous>|Promise\.all) [^\n]*"), ""),
    (re.compile(r"\n *stack: \|-"), ""),
    (re.compile(r"\n *\^(?=\n)"), ""),
)


def normalized(text: str, folder: str) -> str:
    """Return a program's output without what differs from run to run or can't be equal."""
    text = text.replace(folder, "<folder>")
    for pattern, replacement in REMOVED:
        text = pattern.sub(replacement, text)
    return text


def run(name: str) -> dict[str, object]:
    """Run a program in Node."""
    done = subprocess.run(["node", name], cwd=FOLDER, capture_output=True, text=True, check=False)
    return {
        "exit_code": done.returncode,
        "stdout": normalized(done.stdout, str(FOLDER)),
        "stderr": normalized(done.stderr, str(FOLDER)),
    }


if __name__ == "__main__":
    RECORDED.write_text(
        json.dumps({name: run(name) for name in PROGRAMS}, indent=1, ensure_ascii=False) + "\n"
    )
