"""What is to be installed: arguments and requirement files, each turned into what micropip takes."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit

from gemini.python.pip.problem import PipProblem
from gemini_userland.invocation import Invocation

EDITABLE = (
    "editable installs are not possible here, since nothing can be built.\n"
    "Run Python in that directory, or build a wheel elsewhere and install that."
)
SOURCE = "is source code, and nothing can be built here: install a wheel (a file that ends in .whl)."
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


@dataclass(frozen=True)
class Wanted:
    """One thing to install.

    Attributes:
        text: A requirement as PEP 508 has it, or a URL (`emfs:` for a file of this filesystem).
        local: It is a wheel in this filesystem.
    """

    text: str
    local: bool = False

    @property
    def name(self) -> str:
        """The package's name, as far as it can be told without opening anything."""
        if self.text.startswith(("emfs:", "http:", "https:")):
            return os.path.basename(unquote(urlsplit(self.text).path)).partition("-")[0]
        match = _NAME.match(self.text)
        return match.group() if match else self.text


@dataclass
class Requirements:
    """What all arguments and files say together."""

    wanted: list[Wanted] = field(default_factory=list[Wanted])
    constraints: list[str] = field(default_factory=list[str])
    index_urls: list[str] = field(default_factory=list[str])
    pre: bool = False

    def add(self, argument: str, directory: str) -> None:
        """Add a requirement, its path taken from `directory`; raises PipProblem if it can't work."""
        text, _, _ = argument.partition(" #")
        text = text.strip()
        if text.startswith("file:"):
            text = unquote(urlsplit(text).path)
        if re.match(r"(git|hg|svn|bzr)\+|.*@\s*(git|hg|svn|bzr)\+", text):
            raise PipProblem(f"{text} {SOURCE}")
        path = os.path.join(directory, os.path.expanduser(text))
        if text.endswith(".whl") and "://" not in text:
            if not os.path.isfile(path):
                raise PipProblem(f"Requirement '{text}' looks like a filename, but the file does not exist")
            self.wanted.append(Wanted("emfs:" + quote(os.path.normpath(path)), local=True))
            return
        is_path = text.startswith((".", "/", "~")) or (os.sep in text and "://" not in text)
        if is_path or re.search(r"\.(tar\.\w+|tgz|zip)$", urlsplit(text).path):
            raise PipProblem(f"{text} {SOURCE}")
        if not text.startswith(("http:", "https:")) and not _NAME.match(text):
            raise PipProblem(f"Invalid requirement: '{text}'")
        self.wanted.append(Wanted(text))

    def read(self, invocation: Invocation, path: str, as_constraints: bool = False) -> None:
        """Add what a requirement file says (pip's format: options, comments, continued lines)."""
        try:
            data = invocation.stdin if path == "-" else _content(path)
        except OSError as problem:
            raise PipProblem(
                f"Could not open requirements file: [Errno {problem.errno}] {problem.strerror}: '{path}'"
            ) from problem
        for line in _lines(data.decode("utf-8", "replace")):
            self._line(invocation, line, path, as_constraints)

    def _line(self, invocation: Invocation, line: str, path: str, as_constraints: bool) -> None:
        directory = os.path.dirname(path)
        if not line.startswith("-"):
            requirement = re.sub(r"\s--(hash|config-settings?|global-option)[= ].*", "", line)
            if as_constraints:
                self.constraints.append(requirement)
            else:
                self.add(requirement, directory)
            return
        option, _, value = line.replace("=", " ", 1).partition(" ")
        value = shlex.split(value)[0] if value.strip() else ""
        if option in ("-r", "--requirement"):
            self.read(invocation, os.path.join(directory, value), as_constraints)
        elif option in ("-c", "--constraint"):
            self.read(invocation, os.path.join(directory, value), as_constraints=True)
        elif option in ("-e", "--editable"):
            raise PipProblem(f"{value}: {EDITABLE}")
        elif option in ("-i", "--index-url"):
            self.index_urls.insert(0, value)
        elif option == "--extra-index-url":
            self.index_urls.append(value)
        elif option == "--pre":
            self.pre = True
        elif option not in ("--prefer-binary", "--only-binary", "--trusted-host", "--require-hashes"):
            raise PipProblem(f"{path}: option {option} is not supported here")


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _lines(text: str) -> Iterator[str]:
    joined = re.sub(r"\\\r?\n", "", text)
    bare = (re.sub(r"(^|\s+)#.*$", "", line).strip() for line in joined.splitlines())
    return (line for line in bare if line)


def canonical(name: str) -> str:
    """Return the name under which PEP 503 compares packages."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names_only(arguments: Sequence[str]) -> list[str]:
    """Return package names; raises PipProblem for what is none."""
    for one in arguments:
        if not _NAME.fullmatch(one):
            raise PipProblem(f"Invalid requirement: '{one}'")
    return list(arguments)
