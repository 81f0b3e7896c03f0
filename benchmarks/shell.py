"""Compares the embedded shell with bash: the share of one-liners with identical output and exit code.

It also measures, on the same page, a statement, and `grep -r` as a ratio to walking and reading in plain Python.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from _page import opened  # noqa: E402 - found by the line above

from gemini_testing.surface import Surface  # noqa: E402
from tests.corpora.corpora import SEEN, UNSEEN, Corpus  # noqa: E402
from tests.corpora.page import in_page  # noqa: E402

MIN_SHARE = 0.92
MAX_GREP_RATIO = 5.0

IN_BROWSER = """
import os, tempfile, time
from gemini.computer.shell.backend import Tty
from gemini.computer.shell.embedded import ShellBackend

STATEMENTS = 5_000

async def no_input(prompt, hidden):
    return None

async def quiet(number, directory):
    return await ShellBackend().open(Tty(number, lambda stream, data: None, no_input), directory)

async def statement_us():
    session = await quiet(999, "/tmp")
    times = []
    for _ in range(5):
        start = time.perf_counter()
        await session.run(f"i=0; while ((i < {STATEMENTS})); do ((i += 1)); done", None)
        times.append((time.perf_counter() - start) / STATEMENTS / 2 * 1e6)
    await session.close()
    return sorted(times)[2]

def make_tree(root, files=10_000, size=5_000):
    line = b"the quick brown fox jumps over the lazy dog, again and again\\n"
    for number in range(files):
        folder = f"{root}/{number // 100}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{number}.txt", "wb") as file:
            file.write((line * (size // len(line) + 1))[:size] + (b"needle\\n" if number % 1000 == 0 else b""))

def walk(root):
    found = 0
    for folder, _, names in os.walk(root):
        for name in names:
            with open(f"{folder}/{name}", "rb") as file:
                found += b"needle" in file.read()
    return found

async def grep_times():
    root = tempfile.mkdtemp()
    make_tree(root)
    session = await quiet(998, root)
    rows = []
    for _ in range(3):
        start = time.perf_counter()
        assert walk(root) == 10
        middle = time.perf_counter()
        done = await session.run("test $(grep -r needle . | wc -l) = 10", None)
        assert done.exit_code == 0
        rows.append((time.perf_counter() - middle, middle - start))
    await session.close()
    return sorted(rows)[1]
"""


def differing(surface: Surface, corpus: Corpus) -> tuple[int, list[str]]:
    """Return the number of a corpus's cases, and the titles of those with another answer than bash's."""
    cases = corpus.cases()
    answers = in_page(surface, corpus, cases)
    return len(cases), [case.title for case, ours in zip(cases, answers, strict=True) if ours != case.answer]


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with opened() as surface:
        surface.load()
        surface.python(IN_BROWSER)
        results = {corpus.name: differing(surface, corpus) for corpus in (SEEN, UNSEEN)}
        statement = surface.python("await statement_us()")
        grep, plain = surface.python("await grep_times()")
    good = True
    for name, (count, different) in results.items():
        share = 1 - len(different) / count
        good = good and share >= MIN_SHARE
        print(f"{name}: {count - len(different)} of {count} one-liners as in bash 5.2: {share:.1%} (92 %)")
        print("".join(f"  differs: {one}\n" for one in different), end="")
    print(f"a statement takes {statement:.0f} us")
    print(f"grep -r over 10,000 files (50 MB) takes {grep / plain:.2f} times walking and reading (5)")
    return 0 if good and grep / plain <= MAX_GREP_RATIO else 1


if __name__ == "__main__":
    raise SystemExit(main())
