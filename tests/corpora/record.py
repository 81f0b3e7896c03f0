"""Records what Debian prints for the cases of the corpora: `python -m tests.corpora.record [NAME…]`.

It runs the cases that have no answer yet; with `--fresh` all, which shows in a diff what another machine prints.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from .cases import Answer, Case, read, write
from .corpora import ALL, FOLDER, OF_PROGRAMS, PATH, Corpus

# On a busy machine, `python3 -m venv` takes long.
TIMEOUT_S = 300
# Background processes start with SIGINT ignored, and bash can't trap a signal that was ignored at its start.
BASH = ["env", "--default-signal=INT", "bash", "--noprofile", "--norc", "-c"]


def in_debian(corpus: Corpus, case: Case, template: Path, root: Path) -> Answer:
    """Run a case with this machine's programs in a copy of its folder at `root`."""
    shutil.rmtree(root, ignore_errors=True)
    if corpus in OF_PROGRAMS:
        root.mkdir()
        corpus.fill(root)
    else:
        shutil.copytree(template, root, symlinks=True)
    before = corpus.contents(root) if corpus.contents else {}
    done = subprocess.run(
        [*BASH, corpus.before + case.script],
        cwd=root,
        env={"PATH": PATH, **corpus.environment, **corpus.in_debian},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    stdout, stderr = (data.replace(str(root).encode(), FOLDER) for data in (done.stdout, done.stderr))
    return Answer(stdout, done.returncode, stderr if corpus.has_errors else b"", corpus.changes(before, root))


@contextmanager
def _serving(corpus: Corpus, template: Path) -> Generator[None]:
    """Run the corpus's servers."""
    if not corpus.service:
        yield
        return
    script = f"{corpus.service}; echo ready; wait"
    server = subprocess.Popen(
        ["setsid", "bash", "-c", script], cwd=template, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        server.stdout.readline()
        yield
    finally:
        os.killpg(server.pid, 15)
        server.wait()


def record(corpus: Corpus, *, fresh: bool) -> int:
    """Record the answers of a corpus, and return how many cases ran."""
    os.umask(0o022)
    count = 0
    with tempfile.TemporaryDirectory() as name:
        template, root = Path(name, "template"), Path(name, "case")
        template.mkdir()
        corpus.fill(template)
        with _serving(corpus, template):
            for path in corpus.topics():
                cases = read(path)
                new = [
                    replace(case, answer=in_debian(corpus, case, template, root))
                    if fresh or case.answer is None
                    else case
                    for case in cases
                ]
                count += sum(one is not other for one, other in zip(cases, new, strict=True))
                write(path, new)
    return count


def main() -> None:
    """Record the corpora that the arguments name, or all."""
    names = [word for word in sys.argv[1:] if not word.startswith("--")] or list(ALL)
    for name in names:
        print(f"{name}: {record(ALL[name], fresh='--fresh' in sys.argv)} recorded")


if __name__ == "__main__":
    main()
