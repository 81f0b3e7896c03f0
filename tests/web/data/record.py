"""Records what Debian 12's jq and rg print for the lines in this folder: `python3 tests/web/data/record.py`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "recorded.json"
FILES = {
    "a.json": '{"a":1,"b":[1,2],"c":{"d":"x"}}\n',
    "l.ndjson": '{"n":1}\n{"n":2}\n{"n":3}\n',
    "t.txt": "line1\nline2\n",
    "arr.json": '[{"k":"x","v":true},{"k":"y","v":false}]',
    "src/a.py": 'import os\ndef foo():\n    return "Foo bar"\n',
    "src/b.txt": "foo bar\nFOO\nfoobar\n",
    "src/sub/c.js": "const foo = 1;\n",
    ".hid/h.txt": "hidden foo\n",
    ".gitignore": "ign\n",
    "ign/i.txt": "foo ignored\n",
    ".git/HEAD": "ref: refs/heads/main\n",
}


def lines(name: str) -> list[str]:
    """Return the lines of a command."""
    return (FOLDER / f"{name}.txt").read_text().splitlines()


def run(line: str) -> dict[str, object]:
    """Run a line in a folder with the files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        environment = {"PATH": os.environ["PATH"], "HOME": "/home/user", "LANG": "C.UTF-8"}
        command = ["bash", "-c", line]
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    return {"stdout": done.stdout, "exit_code": done.returncode}


if __name__ == "__main__":
    recorded = {name: {line: run(line) for line in lines(name)} for name in ("jq", "rg")}
    RECORDED.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
