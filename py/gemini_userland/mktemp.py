"""`mktemp`: create a file or directory with a unique name."""

from __future__ import annotations

import os
import secrets
import string

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="duqp:t",
    long={"directory": "d", "dry-run": "u", "quiet": "q", "suffix=": "suffix", "tmpdir=?": "p"},
    help="""
Usage: mktemp [OPTION]... [TEMPLATE]
Create an empty file that only its owner may access, and print its name.

The last sequence of three or more X in TEMPLATE is replaced with random letters and digits. The default TEMPLATE
is tmp.XXXXXXXXXX in the directory for temporary files: $TMPDIR, or /tmp.

  -d, --directory         create a directory
  -p DIR, --tmpdir[=DIR]  create it in DIR, or in the directory for temporary files
  -t                      create it in the directory for temporary files; TEMPLATE has no slash
      --suffix=SUFFIX     append SUFFIX to the name
  -u, --dry-run           create nothing, print an unused name
  -q, --quiet             fail without a message
""",
)

ALPHABET = string.ascii_letters + string.digits
ATTEMPTS = 100


class BadTemplate(ValueError):
    """A template is invalid; the message says why."""


async def mktemp(invocation: Invocation) -> int:
    """Create a file or directory that only its owner may access, and print its path."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) > 1:
        return SYNTAX.usage_error(invocation, "too many templates")
    try:
        start, count, suffix = _split(given, invocation.env.get("TMPDIR"))
    except BadTemplate as problem:
        invocation.error(str(problem))
        return 1
    try:
        invocation.print(_make(invocation, given, start, count, suffix))
    except OSError as problem:
        if "q" not in given:
            kind = "directory" if "d" in given else "file"
            template = start + "X" * count + suffix
            invocation.error(f"failed to create {kind} via template '{template}': {problem.strerror}")
        return 1
    return 0


def _split(given: Arguments, tmpdir: str | None) -> tuple[str, int, str]:
    """Split the template into (text before the Xs, number of Xs, text after)."""
    template = given.operands[0] if given.operands else "tmp.XXXXXXXXXX"
    end = template.rfind("X") + 1
    suffix = template[end:]
    if (extra := given.last("suffix")) is not None:
        if suffix:
            raise BadTemplate(f"with --suffix, template '{template}' must end in X")
        suffix = extra
    if "/" in suffix:
        raise BadTemplate(f"invalid suffix '{suffix}', contains directory separator")
    start = template[:end].rstrip("X")
    if end - len(start) < 3:
        raise BadTemplate(f"too few X's in template '{template}'")
    return _place(given, start, tmpdir), end - len(start), suffix


def _place(given: Arguments, start: str, tmpdir: str | None) -> str:
    if "t" in given:
        if "/" in start:
            raise BadTemplate(f"invalid template, '{given.operands[0]}', contains directory separator")
        return os.path.join(tmpdir or given.last("p") or "/tmp", start)
    if given.operands and "p" not in given:
        return start
    if start.startswith("/"):
        raise BadTemplate(f"invalid template, '{given.operands[0]}'; with --tmpdir, it may not be absolute")
    return os.path.join(given.last("p") or tmpdir or "/tmp", start)


def _make(invocation: Invocation, given: Arguments, start: str, count: int, suffix: str) -> str:
    for _ in range(ATTEMPTS):
        name = start + "".join(secrets.choice(ALPHABET) for _ in range(count)) + suffix
        path = invocation.path(name)
        try:
            if "u" in given:
                if os.path.lexists(path):
                    continue
            elif "d" in given:
                os.mkdir(path, 0o700)
            else:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            continue
        return name
    raise FileExistsError(17, "File exists")
