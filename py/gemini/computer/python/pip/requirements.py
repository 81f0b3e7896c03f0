"""Parse pip's arguments and requirement files into requirements that micropip accepts."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit

from gemini.computer.python.pip.errors import PipError
from gemini_userland.invocation import Invocation

SOURCE = "is an archive of source code, which can't be built here: install a wheel or a directory."
HASH = re.compile(r"--hash[= ](\w+):(\w+)")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


@dataclass(frozen=True)
class Requirement:
    """One package to install.

    Attributes:
        text: A PEP 508 requirement or a URL (`emfs:` for a file in Pyodide's filesystem).
        local: The package is a wheel or a project in this filesystem.
        directory: The project's directory, absolute; `text` has its extras.
        editable: The project should be used from its directory.
    """

    text: str
    local: bool = False
    directory: str = ""
    editable: bool = False

    @property
    def name(self) -> str:
        """The package's name, guessed from the text or the file name of the URL."""
        if self.text.startswith(("emfs:", "http:", "https:")):
            return os.path.basename(unquote(urlsplit(self.text).path)).partition("-")[0]
        match = _NAME.match(self.text)
        return match.group() if match else self.text

    @property
    def extras(self) -> list[str]:
        """The names in brackets behind the package's name."""
        match = re.match(r"[^\[@;]*\[([^\]]*)\]", self.text)
        return [name.strip() for name in match[1].split(",")] if match else []


@dataclass
class Requirements:
    """The requirements and options that the arguments and the requirement files add up to.

    Attributes:
        hashes: The SHA-256 that a package's wheel may have, in hexadecimal, by canonical name.
        needs_hashes: Whether each package must have one of them.
    """

    items: list[Requirement] = field(default_factory=list[Requirement])
    constraints: list[str] = field(default_factory=list[str])
    index_urls: list[str] = field(default_factory=list[str])
    pre: bool = False
    hashes: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    needs_hashes: bool = False

    def add(self, argument: str, directory: str, *, editable: bool = False) -> None:
        """Add a requirement; a relative path starts at `directory`.

        Raises:
            PipError: The requirement is invalid, or must be built.
        """
        text, _, _ = argument.partition(" #")
        text = text.strip()
        if text.startswith("file:"):
            text = unquote(urlsplit(text).path)
        if re.match(r"(git|hg|svn|bzr)\+|.*@\s*(git|hg|svn|bzr)\+", text):
            raise PipError(f"{text} {SOURCE}")
        path = os.path.join(directory, os.path.expanduser(text))
        if text.endswith(".whl") and "://" not in text:
            if not os.path.isfile(path):
                raise PipError(f"Requirement '{text}' looks like a filename, but the file does not exist")
            self.items.append(Requirement("emfs:" + quote(os.path.normpath(path)), local=True))
            return
        is_path = text.startswith((".", "/", "~")) or (os.sep in text and "://" not in text)
        place, extras = _without_extras(path)
        if is_path and os.path.isdir(place):
            self.items.append(
                Requirement(extras, local=True, directory=os.path.normpath(place), editable=editable)
            )
            return
        if editable:
            raise PipError(
                f"{text} is not a valid editable requirement: it must be a directory with a project."
            )
        if is_path or re.search(r"\.(tar\.\w+|tgz|zip)$", urlsplit(text).path):
            raise PipError(f"{text} {SOURCE}")
        if not text.startswith(("http:", "https:")) and not _NAME.match(text):
            raise PipError(f"Invalid requirement: '{text}'")
        url, _, fragment = text.partition("#")
        self.items.append(Requirement(url))
        self.hashes.setdefault(canonical(self.items[-1].name), set()).update(
            re.findall(r"(?:^|&)sha256=(\w+)", fragment)
        )

    def _requirement(self, line: str, directory: str, as_constraint: bool) -> None:
        requirement = re.sub(r"\s--(hash|config-settings?|global-option)[= ].*", "", line)
        if as_constraint:
            self.constraints.append(requirement)
        else:
            self.add(requirement, directory)
            self._allow(self.items[-1], HASH.findall(line))

    def _allow(self, requirement: Requirement, hashes: Sequence[tuple[str, str]]) -> None:
        """Require one of these hashes, given by algorithm; as in pip, all packages need some then."""
        if hashes:
            self.needs_hashes = True
            known = {value.lower() for algorithm, value in hashes if algorithm == "sha256"}
            self.hashes.setdefault(canonical(requirement.name), set()).update(known)

    def accepts(self, name: str, digest: str | None) -> bool:
        """Return whether a package may be installed from a wheel with this SHA-256; None if that is unknown."""
        allowed = self.hashes.get(canonical(name)) or set()
        return digest in allowed if allowed or self.needs_hashes else True

    def read(self, invocation: Invocation, path: str, as_constraints: bool = False) -> None:
        """Add the requirements and options of a requirement file in pip's format.

        Args:
            invocation: Provides the content if `path` is `-`.
            path: An absolute path, or `-` for standard input.
            as_constraints: Add the requirements as constraints.

        Raises:
            PipError: The file can't be read, or a line of it can't be used.
        """
        try:
            data = invocation.stdin if path == "-" else _content(path)
        except OSError as problem:
            raise PipError(
                f"Could not open requirements file: [Errno {problem.errno}] {problem.strerror}: '{path}'"
            ) from problem
        for line in _lines(data.decode("utf-8", "replace")):
            self._line(invocation, line, path, as_constraints)

    def _line(self, invocation: Invocation, line: str, path: str, as_constraints: bool) -> None:
        directory = os.path.dirname(path)
        if not line.startswith("-"):
            self._requirement(line, directory, as_constraints)
            return
        option, _, value = line.replace("=", " ", 1).partition(" ")
        value = shlex.split(value)[0] if value.strip() else ""
        if option in ("-r", "--requirement"):
            self.read(invocation, os.path.join(directory, value), as_constraints)
        elif option in ("-c", "--constraint"):
            self.read(invocation, os.path.join(directory, value), as_constraints=True)
        elif option in ("-e", "--editable"):
            self.add(value if value.startswith((".", "/", "~")) else f"./{value}", directory, editable=True)
        elif option in ("-i", "--index-url"):
            self.index_urls.insert(0, value)
        elif option == "--extra-index-url":
            self.index_urls.append(value)
        elif option == "--pre":
            self.pre = True
        elif option == "--require-hashes":
            self.needs_hashes = True
        elif option not in ("--prefer-binary", "--only-binary", "--trusted-host"):
            raise PipError(f"{path}: option {option} is not supported here")


def _without_extras(path: str) -> tuple[str, str]:
    """Return a path and the extras behind it, such as `[test]`."""
    found = re.fullmatch(r"(.*?)(\[[^\]/]*\])?", path, re.DOTALL)
    return (path, "") if found is None else (found[1], found[2] or "")


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _lines(text: str) -> Iterator[str]:
    joined = re.sub(r"\\\r?\n", "", text)
    bare = (re.sub(r"(^|\s+)#.*$", "", line).strip() for line in joined.splitlines())
    return (line for line in bare if line)


def canonical(name: str) -> str:
    """Return the normalized name of a package (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names_only(arguments: Sequence[str]) -> list[str]:
    """Return the arguments if all of them are package names; raise PipError otherwise."""
    for one in arguments:
        if not _NAME.fullmatch(one):
            raise PipError(f"Invalid requirement: '{one}'")
    return list(arguments)
