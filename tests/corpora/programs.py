"""Runs scripts with our programs in this process: commands, `|`, `;`, `<`, `>`, and words in quotes."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path

from gemini_userland import COMMANDS, run
from gemini_userland.invocation import Invocation
from tests.unit.userland.conftest import connect

from .cases import Answer, Case
from .corpora import FOLDER, Corpus

OPERATORS = (";", "|", "<", ">")
State = dict[str, tuple[int, int, int, int]]


def state(root: Path) -> State:
    """Return what tells whether paths below a folder have changed: times, modes, sizes and numbers."""
    found: State = {}
    for folder, folders, names in os.walk(root):
        for name in (*folders, *names):
            path = os.path.join(folder, name)
            about = os.lstat(path)
            found[path] = (about.st_mtime_ns, about.st_mode, about.st_size, about.st_ino)
    return found


class Runner:
    """Runs the cases of a corpus; the folder is made again after a case that changed it.

    Args:
        corpus: The corpus.
        root: The folder, which doesn't exist yet.
    """

    def __init__(self, corpus: Corpus, root: Path) -> None:
        self._corpus = corpus
        self._root = root
        self._before: dict[str, bytes] = {}
        self._state: State | None = None

    async def run(self, case: Case) -> tuple[Answer, bytes]:
        """Run a case; return the answer, and standard error also where the corpus doesn't compare it."""
        corpus, root = self._corpus, self._root
        if self._state is None or self._state != state(root):
            self._create()
        stdout, stderr, code = await _run_script(
            case.script, root, {"PATH": os.environ["PATH"], **corpus.environment}
        )
        changed = state(root) != self._state
        files = corpus.changes(self._before, root) if changed else {}
        stdout, stderr = (data.replace(str(root).encode(), FOLDER) for data in (stdout, stderr))
        return Answer(stdout, code, stderr if corpus.has_errors else b"", files), stderr

    def _create(self) -> None:
        shutil.rmtree(self._root, ignore_errors=True)
        self._root.mkdir()
        self._corpus.fill(self._root)
        self._before = self._corpus.contents(self._root) if self._corpus.contents else {}
        self._state = state(self._root)


async def _run_script(script: str, root: Path, environment: dict[str, str]) -> tuple[bytes, bytes, int]:
    stdout, stderr, code = bytearray(), bytearray(), 0
    for pipeline in _split(_words(script), ";"):
        data = b""
        for command in _split(pipeline, "|"):
            words, source, target = _redirections(command)
            stdin = (root / source).read_bytes() if source else data
            invocation = Invocation(words, stdin=stdin, cwd=str(root), env=dict(environment))
            invocation.stdin_size = len(stdin) if source else None
            connect(invocation)
            code = await _run(invocation)
            data = invocation.stdout.bytes()
            stderr += invocation.stderr.bytes()
            if target:
                (root / target).write_bytes(data)
                data = b""
        stdout += data
    return bytes(stdout), bytes(stderr), code


async def _run(invocation: Invocation) -> int:
    """Run a command, or `cat`, `echo` and `printf`, which are the shell's."""
    match invocation.argv:
        case ["cat", *names] if not any(name.startswith("-") for name in names):
            for name in names:
                path = Path(invocation.path(name))
                if not path.exists():
                    invocation.error(f"{name}: No such file or directory")
                    return 1
                invocation.stdout.write(path.read_bytes())
            return 0
        case ["echo", *words]:
            invocation.print(" ".join(words))
            return 0
        case ["printf", text]:
            invocation.stdout.write(text.encode("latin-1").decode("unicode_escape").encode("latin-1"))
            return 0
        case _:
            return await run(invocation, COMMANDS)


def _words(script: str) -> list[str]:
    """Split a script into words, each after a mark, and operators without one."""
    found = re.findall(r"""[;|<>]|(?:\$?'[^']*'|"[^"]*"|\\.|[^\s;|<>'"\\])+""", script)
    return [word if word in OPERATORS else "=" + _unquoted(word) for word in found]


def _unquoted(word: str) -> str:
    if match := re.fullmatch(r"(.*?)\$'([^']*)'(.*)", word):
        raw = match[2].encode("latin-1").decode("unicode_escape").encode("latin-1")
        return _unquoted(match[1]) + raw.decode("utf-8", "surrogateescape") + _unquoted(match[3])
    return shlex.split(word)[0] if word else ""


def _split(words: list[str], operator: str) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == operator:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _redirections(words: list[str]) -> tuple[list[str], str, str]:
    """Return the words of a command without redirections, and the files of its input and its output."""
    files = {"<": "", ">": ""}
    found: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in files:
            files[word] = next(rest)[1:]
        else:
            found.append(word[1:])
    return found, files["<"], files[">"]
