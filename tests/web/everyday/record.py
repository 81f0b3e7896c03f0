"""Records what the system's programs print for the lines in this folder: `python3 tests/web/everyday/record.py`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent
RECORDED = FOLDER / "recorded.json"
# Lines that the embedded shell fails, and the Linux passes.
OF_LINUX = FOLDER / "linux.json"


def lines(name: str) -> list[str]:
    """Return the lines of a file, which were written before anyone looked at what they print."""
    return (FOLDER / name).read_text().splitlines()


def identity() -> str:
    """Return the statements that set git's author and the time zone."""
    text = (FOLDER / "files.sh").read_text()
    return "".join(f"{row}\n" for row in text.splitlines() if row.startswith("export "))


def run(line: str, folder: Path) -> dict[str, object]:
    """Run a line in a copy of the files in a folder."""
    shutil.copytree(folder / "given", folder / "case", symlinks=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "TERM": "dumb"}
    done = subprocess.run(
        ["bash", "-c", identity() + line],
        cwd=folder / "case",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    shutil.rmtree(folder / "case")
    return {"stdout": done.stdout, "exit_code": done.returncode}


def main() -> None:
    """Record all lines, while a server answers those that send requests."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "given").mkdir()
        subprocess.run(["bash", "-c", (FOLDER / "files.sh").read_text()], cwd=folder / "given", check=True)
        server = subprocess.Popen([sys.executable, "server.py", "8877"], cwd=folder / "given")
        try:
            ask = "until curl -s localhost:8877 >/dev/null; do sleep 0.1; done"
            subprocess.run(["bash", "-c", ask], check=True)
            for source, target in (("lines.txt", RECORDED), ("linux.txt", OF_LINUX)):
                recorded = {line: run(line, folder) for line in lines(source)}
                target.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
        finally:
            server.kill()


if __name__ == "__main__":
    main()
