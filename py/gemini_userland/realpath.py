"""`realpath`: resolve links and relative paths."""

from __future__ import annotations

import errno
import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="emLPqsz",
    long={
        "canonicalize-existing": "e",
        "canonicalize-missing": "m",
        "logical": "L",
        "physical": "P",
        "quiet": "q",
        "strip": "s",
        "no-symlinks": "s",
        "zero": "z",
        "relative-to=": "relative-to",
        "relative-base=": "relative-base",
    },
    help="""
Usage: realpath [OPTION]... FILE...
Print the absolute path of each FILE, with links and dots resolved. All parts except the last must exist.

  -e, --canonicalize-existing  the last part must exist, too
  -m, --canonicalize-missing   no part must exist
  -L, --logical                resolve '..' before links
  -P, --physical               resolve links before '..' (default)
  -s, --strip, --no-symlinks   don't resolve links
      --relative-to=DIR        print paths relative to DIR
      --relative-base=DIR      print paths relative to DIR only if they are below it
  -q, --quiet                  don't report missing paths
  -z, --zero                   end each path with a NUL character
""",
)

LINK_LIMIT = 40
"""The number of links in a path that counts as a loop, as in Linux."""


async def realpath(invocation: Invocation) -> int:
    """Print each operand's real path; return 1 if one can't be resolved."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand")
    resolve = _Resolver(invocation, given)
    base = given.last("relative-base")
    near = base if (relative_to := given.last("relative-to")) is None else relative_to
    try:
        below = None if base is None else resolve(base)
        start = None if near is None else resolve(near)
    except OSError as problem:
        invocation.error(f"{base or near}: {problem.strerror}")
        return 1
    status = 0
    for operand in given.operands:
        try:
            path = resolve(operand)
        except OSError as problem:
            status = 1
            if "q" not in given:
                invocation.error(f"{operand or repr(operand)}: {problem.strerror}")
            continue
        relative = start is not None and (below is None or (_is_in(path, below) and _is_in(start, below)))
        shown = os.path.relpath(path, start) if relative else path
        invocation.print(shown, end="\0" if "z" in given else "\n")
    return status


def _is_in(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/") + "/")


class _Resolver:
    """Resolves paths according to the options."""

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._path = invocation.path
        mode = given.last_of("e", "m")
        self._last_must_exist = mode == "e"
        self._rest_must_exist = mode != "m"
        handling = given.last_of("L", "P", "s")
        self._follows_links = handling != "s"
        self._dots_first = handling in ("L", "s")

    def __call__(self, name: str) -> str:
        """Return the canonical path.

        Raises:
            OSError: A component that must exist is missing, or there are too many links.
        """
        if not name:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        path = self._path(name)
        if self._dots_first:
            path = os.path.normpath(path) + ("/" if path.endswith("/") else "")
        left = path.split("/")[::-1]
        done, followed = "/", 0
        while left:
            part = left.pop()
            if part == "..":
                done = os.path.dirname(done)
            if part in ("", ".", ".."):
                continue
            # A trailing slash leaves an empty part, so the path must be a directory.
            here = os.path.join(done, part)
            target = self._link(here)
            if target is None:
                self._check(here, last=not any(left), directory=bool(left))
                done = here
                continue
            followed += 1
            if followed > LINK_LIMIT:
                raise OSError(errno.ELOOP, "Too many levels of symbolic links")
            left += target.split("/")[::-1]
            done = "/" if target.startswith("/") else done
        return os.path.normpath(done).replace("//", "/")

    def _link(self, path: str) -> str | None:
        return os.readlink(path) if self._follows_links and os.path.islink(path) else None

    def _check(self, path: str, last: bool, directory: bool) -> None:
        if not self._rest_must_exist:
            return
        if not os.path.exists(path):
            if self._last_must_exist or not last:
                raise FileNotFoundError(errno.ENOENT, "No such file or directory")
        elif directory and not os.path.isdir(path):
            raise NotADirectoryError(errno.ENOTDIR, "Not a directory")
