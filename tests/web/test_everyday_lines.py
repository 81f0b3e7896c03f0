"""Everyday command lines, as agents type them, print in the page what they print in Debian."""

from __future__ import annotations

import json

import pytest

from gemini_testing import Surface
from tests.web.everyday.record import FOLDER, RECORDED, identity

pytestmark = pytest.mark.extended

EXPECTED = json.loads(RECORDED.read_text())
NOT_INSTALLED = "not installed where the answers were recorded"
# The lines that print something else here, and why.
DIFFERENT = {
    "curl -sI http://127.0.0.1:8877/data.json | head -1": "answers in the page have HTTP/1.1",
    "pip list --format=freeze | grep -ci '^pip==' ; true": "pip is no package here",
    "python -m pytest -q proj 2>&1 | tail -1 | sed 's/ in .*//'": "pytest isn't installed before `pip install pytest`",
    "python3 -m http.server --help | head -1 | cut -c1-12": "Python 3.14's usage",
    'python3 -m venv .venv || echo "no venv"': "the page has one environment",
    "watch -n 1 date & sleep 0.2; kill %1; echo done": "the screen and the time",
    "ps aux | head -1": "the widths of columns are the machine's",
    "ps -ef | head -1": "the widths of columns are the machine's",
    "uptime | grep -c load": "no load is known",
    "yq '.services | keys' compose.yml": "Debian's yq is another program",
    "yq -o=json '.services.web.ports' compose.yml": "Debian's yq is another program",
    "rg -n --no-heading one files": NOT_INSTALLED,
    "rg -l two | sort": NOT_INSTALLED,
    "tree -L 1 files": NOT_INSTALLED,
    "tree -a --noreport repo -I .git": NOT_INSTALLED,
    "cal 2 2024": NOT_INSTALLED,
    "diff -u a.txt b.txt": "the times of files",
    "file a.txt arch.zip data.json": "names aren't aligned, and kinds are shorter",
    "docker ps; echo $?": "there are no containers",
    "npm test; echo $?": "there is no npm",
}


BATCH = 15


def test_everyday_lines_print_what_they_print_in_debian(surface: Surface, folder: str) -> None:
    terminal = surface.call("terminal_create", working_dir=folder)["terminal_id"]

    def run(script: str) -> None:
        surface.call("file_write", path=f"{folder}/script.sh", content=script)
        surface.call("terminal_execute", terminal_id=terminal, command=". ./script.sh", timeout_s=100)

    surface.call("file_write", path=f"{folder}/files.sh", content=(FOLDER / "files.sh").read_text())
    wait = "until curl -s localhost:8877 >/dev/null; do sleep 0.1; done"
    run("mkdir given; (cd given; . ../files.sh) >/dev/null 2>&1\n")
    run(f"{identity()}cd given; python server.py 8877 & server=$!; cd ..; {wait}\n")
    bodies = [
        f"rm -rf case; cp -a given case; cd case\n"
        f"(\n{line}\n) >../out-{at} 2>/dev/null; echo $? >../code-{at}\ncd {folder}\n"
        for at, line in enumerate(EXPECTED)
    ]
    for start in range(0, len(bodies), BATCH):
        run("".join(bodies[start : start + BATCH]))
    surface.call("terminal_execute", terminal_id=terminal, command="kill $server")
    surface.call("terminal_close", terminal_id=terminal)
    results = surface.python(
        f"[[open(f'{folder}/{{kind}}-{{at}}').read() for kind in ('out', 'code')] for at in range({len(EXPECTED)})]"
    )
    different = {}
    for (line, expected), (out, code) in zip(EXPECTED.items(), results, strict=True):
        if (out, int(code)) != (expected["stdout"], expected["exit_code"]):
            different[line] = (out, code, expected["stdout"])
    assert set(different) == set(DIFFERENT), {
        line: different.get(line) for line in set(different) ^ set(DIFFERENT)
    }


def test_there_are_eighty_lines() -> None:
    assert len(EXPECTED) >= 80
