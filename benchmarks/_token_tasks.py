"""The tasks of `build.py bench tokens`: files and pages, what must be true at the end, and each client's ideal calls.

A client's calls are the shortest that a model could find without knowing the contents: it looks before it changes what
it doesn't know, and computes where its tools can. `answer` is what the model says at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from _token_clients import Tools

Client = Callable[[Tools], Awaitable[str]]
Files = Mapping[str, str]
FOLDER = "/project/tasks"
"""The folder of the tasks' files and pages."""
ITEMS = ["tea", "coffee", "milk", "sugar", "bread", "butter", "jam", "honey", "rice", "salt"]


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        name: Its name in the table.
        files: The files before, by path below the tasks' folder.
        is_done: Returns whether the answer and the files at the end are right.
        own: Solves it with our list of tools, full or lean.
        code: Solves it in code mode.
        shell: Solves it in a shell; None if it can't.
        playwright: Solves it with Playwright MCP; None if it can't.
        devtools: Solves it with chrome-devtools-mcp; None if it can't.
        has_lean: Whether the lean list has the tools that `own` calls.
        questions: So many questions the user answers meanwhile.
    """

    name: str
    files: Files
    is_done: Callable[[str, Files], bool]
    own: Client
    code: Client
    shell: Client | None = None
    playwright: Client | None = None
    devtools: Client | None = None
    has_lean: bool = True
    questions: int = 0


# --- Clients of files: one command, or one block of Python ---


def _shell(*commands: str) -> tuple[Client, Client]:
    """Return the client of our list and the one of a shell, which run the same commands."""

    async def own(tools: Tools) -> str:
        texts = [await tools.call("terminal_execute", command=command) for command in commands]
        return json.loads(texts[-1])["output"]

    async def shell(tools: Tools) -> str:
        return [await tools.call("bash", command=command) for command in commands][-1]

    return own, shell


def _code(*blocks: str) -> Client:
    """Return the client of code mode, which runs these blocks."""

    async def code(tools: Tools) -> str:
        return [await tools.call("run", code=block) for block in blocks][-1]

    return code


def _files_task(
    name: str, files: Files, is_done: Callable[[str, Files], bool], commands: list[str], blocks: list[str]
) -> Task:
    own, shell = _shell(*commands)
    return Task(name, files, is_done, own, _code(*blocks), shell)


MODULES = {
    f"rename/part{n}.py": f"from source import fetch_rows\n\n\ndef part{n}():\n    return fetch_rows({n})[:{n}]\n"
    for n in range(12)
}
CART = {
    "cart/cart.py": (
        "def total(rows):\n    return sum(row['price'] for row in rows)\n\n\n"
        "def discount(amount, percent):\n    return amount * percent / 100\n"
    ),
    "cart/test_cart.py": (
        "import unittest\nfrom cart import discount, total\n\n\nclass CartTest(unittest.TestCase):\n"
        "    def test_total(self):\n        self.assertEqual(total([{'price': 2}, {'price': 3}]), 5)\n\n"
        "    def test_discount(self):\n        self.assertEqual(discount(200, 25), 150)\n\n\n"
        "if __name__ == '__main__':\n    unittest.main()\n"
    ),
}
SALES = {
    f"sales/{month}.csv": "day,item,amount\n"
    + "".join(f"{day},{ITEMS[(day + k) % 10]},{day * 3 + k}\n" for day in range(1, 29))
    for k, month in enumerate(("january", "february", "march"))
}
SUMS = {
    item: sum(
        int(line.rpartition(",")[2])
        for text in SALES.values()
        for line in text.splitlines()[1:]
        if f",{item}," in line
    )
    for item in ITEMS
}
LOG = {
    "log/access.log": "".join(
        f'10.0.0.{n * n % 17} - - [01/Nov/2026:10:{n // 60 % 60:02}:{n % 60:02}] "GET /{n % 40} HTTP/1.1" '
        f"{500 if n % 97 == 0 else 200} {n % 900}\n"
        for n in range(2_000)
    )
}
FAILED = sum('" 500 ' in line for line in LOG["log/access.log"].splitlines())
CONFIGS = {
    f"config/{name}.json": json.dumps({"name": name, "limits": {"timeout": 5 + n, "retries": 2}}, indent=2)
    for n, name in enumerate(("mail", "web", "queue", "index", "cache", "auth", "files", "jobs"))
}
TREE = {f"tree/{n % 4}/file{n:02}.txt": f"The contents of {n % 17} are these.\n" * 3 for n in range(20)}
NOTES = {
    f"notes/{n:02}.py": "".join(
        f"# TODO: mend {n}.{k}\n" if (n + k) % 11 == 0 else f"value_{k} = {k}\n" for k in range(30)
    )
    for n in range(15)
}
TODOS = sum(text.count("TODO") for text in NOTES.values())


def _has_sums(files: Files) -> bool:
    report = files.get("sales/report.md", "")
    return all(re.search(rf"{item}\D+{amount}\b", report) for item, amount in SUMS.items())


SUM_SCRIPT = (
    "import csv, glob, collections; t = collections.Counter()\n"
    "for f in glob.glob('*.csv'):\n  for r in csv.DictReader(open(f)): t[r['item']] += int(r['amount'])\n"
    "f = open('report.md', 'w'); f.write('| item | amount |\\n|---|---|\\n')\n"
    "f.writelines(f'| {i} | {a} |\\n' for i, a in t.most_common()); f.close()"
)
OF_FILES = [
    _files_task(
        "rename a function in twelve files",
        MODULES,
        lambda answer, files: (
            all("load_rows(" in files[path] for path in MODULES)
            and not any("fetch_rows" in files[path] for path in MODULES)
        ),
        ["sed -i 's/\\bfetch_rows\\b/load_rows/g' /project/tasks/rename/*.py"],
        [
            "import pathlib, re\nfor p in pathlib.Path('/project/tasks/rename').glob('*.py'):\n"
            "    p.write_text(re.sub(r'\\bfetch_rows\\b', 'load_rows', p.read_text()))"
        ],
    ),
    _files_task(
        "find a failing test, and mend the code",
        CART,
        lambda answer, files: "OK" in answer and files["cart/test_cart.py"] == CART["cart/test_cart.py"],
        [
            "cd /project/tasks/cart && python -m unittest 2>&1 | tail -12; cat cart.py",
            "sed -i 's|amount \\* percent / 100|amount * (100 - percent) / 100|' cart.py && "
            "python -m unittest 2>&1 | tail -1",
        ],
        [
            "r = terminal.execute('cd /project/tasks/cart && python -m unittest 2>&1 | tail -12; cat cart.py')\n"
            "print(r.output)",
            "files.edit('/project/tasks/cart/cart.py', 'percent / 100', '(100 - percent) / 100')\n"
            "print(terminal.execute('python -m unittest 2>&1 | tail -1').output)",
        ],
    ),
    _files_task(
        "a report from three CSV files",
        SALES,
        lambda answer, files: _has_sums(files),
        [
            "cd /project/tasks/sales && head -3 *.csv",
            f'python3 -c "{SUM_SCRIPT}"',
        ],
        [
            "import os\nos.chdir('/project/tasks/sales')\nfor f in os.listdir(): print(f, open(f).read()[:40])",
            SUM_SCRIPT,
        ],
    ),
    _files_task(
        "failures in a log of 2,000 lines",
        LOG,
        lambda answer, files: str(FAILED) in answer,
        ["head -2 /project/tasks/log/access.log", "grep -c '\" 500 ' /project/tasks/log/access.log"],
        [
            "log = open('/project/tasks/log/access.log').readlines()\nlog[:2]",
            "sum('\" 500 ' in line for line in log)",
        ],
    ),
    _files_task(
        "one setting in eight JSON files",
        CONFIGS,
        lambda answer, files: all(json.loads(files[path])["limits"]["timeout"] == 30 for path in CONFIGS),
        [
            "cd /project/tasks/config && cat mail.json",
            'sed -i \'s/"timeout": [0-9]*/"timeout": 30/\' *.json',
        ],
        [
            "import pathlib\nps = [*pathlib.Path('/project/tasks/config').glob('*.json')]\nps[0].read_text()",
            "import re\nfor p in ps: p.write_text(re.sub(r'(\"timeout\": )\\d+', r'\\g<1>30', p.read_text()))",
        ],
    ),
    _files_task(
        "files with equal contents in a tree",
        TREE,
        lambda answer, files: (
            all(name in answer for name in ("file00", "file17", "file01", "file18", "file02", "file19"))
            and "file05" not in answer
        ),
        ["cd /project/tasks/tree && md5sum */* | sort | uniq -w32 -D"],
        [
            "import pathlib, collections\nd = collections.defaultdict(list)\n"
            "for p in pathlib.Path('/project/tasks/tree').rglob('*.txt'): d[p.read_bytes()].append(p.name)\n"
            "[v for v in d.values() if len(v) > 1]"
        ],
    ),
    _files_task(
        "a list of all TODOs, with lines",
        NOTES,
        lambda answer, files: files.get("notes/TODO.md", "").count("TODO:") == TODOS,
        ["cd /project/tasks/notes && grep -n TODO: *.py > TODO.md"],
        [
            "import pathlib\nd = pathlib.Path('/project/tasks/notes')\n(d / 'TODO.md').write_text(''.join("
            "f'{p.name}:{n}:{l}\\n' for p in d.glob('*.py') "
            "for n, l in enumerate(p.read_text().splitlines(), 1) if 'TODO:' in l))"
        ],
    ),
]
