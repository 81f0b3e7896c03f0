"""The tests of `find` that look at a file's type, size, permissions and owner.

Source: the GNU findutils manual, "Type", "Size", "Owner", "Mode Bits".
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Mapping

from gemini_userland.find.entry import Entry, letter_of
from gemini_userland.find.names import Predicate
from gemini_userland.find.owners import group_names, is_group, is_user, user_names
from gemini_userland.find.query import FindError, Query
from gemini_userland.modes import parse_mode

UNITS = {"b": 512, "c": 1, "w": 2, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30, "": 512}


def compare(option: str, text: str) -> Callable[[int], bool]:
    """Return the comparison that `+n`, `-n` or `n` stands for.

    Raises:
        FindError: `text` isn't such a number.
    """
    match = re.fullmatch(r"([-+]?)(\d+)", text)
    if match is None:
        raise FindError(f"invalid argument `{text}' to `{option}'")
    sign, number = match[1], int(match[2])
    if sign == "+":
        return lambda value: value > number
    return (lambda value: value < number) if sign == "-" else lambda value: value == number


def _types(option: str, text: str) -> set[str]:
    if text == "":
        raise FindError(f"Arguments to {option} should contain at least one letter")
    if text.endswith(","):
        raise FindError(
            f"Last file type in list argument to {option} is missing, i.e., list is ending on: ','"
        )
    for letter in text.split(","):
        if letter[:1] == "D":
            raise FindError(f"{option} D is not supported: there are no Solaris doors here")
        if letter[:1] not in set("bcdflps"):
            raise FindError(f"Unknown argument to {option}: {letter[:1]}")
        if len(letter) > 1:
            raise FindError(f"Must separate multiple arguments to {option} using: ','")
    return set(text.split(","))


def type_test(query: Query, option: str, text: str) -> Predicate:
    """Return the test of `-type`, or of `-xtype`, which looks at the other end of a link.

    Raises:
        FindError: The list of types is invalid.
    """
    types = _types(option, text)
    if option == "-type":
        if types == {"d"}:
            return lambda entry: entry.is_folder
        return lambda entry: entry.kind in types

    def test(entry: Entry) -> bool:
        if entry.follows:
            return letter_of(os.lstat(entry.place).st_mode) in types
        return far_type(entry) in types

    return test


def far_type(entry: Entry) -> str:
    """Return the type of the file that a link leads to; `l` if it leads nowhere."""
    if entry.kind != "l":
        return entry.kind
    try:
        return letter_of(os.stat(entry.place).st_mode)
    except OSError:
        return "l"


def size_test(text: str) -> Predicate:
    """Return the test of `-size`, which rounds sizes up to whole units.

    Raises:
        FindError: The size is invalid.
    """
    match = re.fullmatch(r"([-+]?\d+)([bcwkMG]?)", text)
    if match is None:
        if text == "":
            raise FindError("invalid null argument to -size")
        if text[-1] in UNITS or text[-1].isdigit():
            raise FindError(f"Invalid argument `{text}' to -size")
        raise FindError(f"invalid -size type `{text[-1]}'")
    accepts, unit = compare("-size", match[1]), UNITS[match[2]]
    return lambda entry: accepts(-(-entry.status.st_size // unit))


def is_empty(entry: Entry) -> bool:
    """Return whether a file or a folder has no content."""
    if entry.is_folder:
        with os.scandir(entry.place) as found:
            return next(found, None) is None
    return entry.kind == "f" and entry.status.st_size == 0


def mode_test(text: str) -> Predicate:
    """Return the test of `-perm`.

    Raises:
        FindError: The mode is invalid.
    """
    kind = text[:1] if text[:1] in ("-", "/") else ""
    try:
        bits = parse_mode(text[len(kind) :])
        in_folders = parse_mode(text[len(kind) :], directory=True)
    except ValueError as error:
        raise FindError(f"invalid mode ‘{text}’") from error

    def test(entry: Entry) -> bool:
        mode = stat.S_IMODE(entry.status.st_mode)
        wanted = in_folders if stat.S_ISDIR(entry.status.st_mode) else bits
        if kind == "-":
            return mode & wanted == wanted
        if kind == "/":
            return wanted == 0 or mode & wanted != 0
        return mode == wanted

    return test


def access_test(bit: int) -> Predicate:
    """Return the test of `-readable`, `-writable` or `-executable`: R_OK, W_OK or X_OK of `os`."""
    return lambda entry: os.access(entry.place, bit)


def user_test(env: Mapping[str, str], text: str) -> Predicate:
    """Return the test of `-user`.

    Raises:
        FindError: There is no such user.
    """
    if is_user(env, text):
        return lambda entry: user_names(env, entry.status.st_uid) == text
    if not text.isdigit():
        raise FindError(f"‘{text}’ is not the name of a known user")
    return lambda entry: entry.status.st_uid == int(text)


def group_test(env: Mapping[str, str], text: str) -> Predicate:
    """Return the test of `-group`.

    Raises:
        FindError: There is no such group.
    """
    if is_group(env, text):
        return lambda entry: group_names(env, entry.status.st_gid) == text
    if not text.isdigit():
        raise FindError(f"‘{text}’ is not the name of an existing group")
    return lambda entry: entry.status.st_gid == int(text)


def same_file_test(query: Query, text: str) -> Predicate:
    """Return the test of `-samefile`.

    Raises:
        FindError: The file doesn't exist.
    """
    try:
        path = query.invocation.path(text)
        other = os.lstat(path) if query.follow == "P" else os.stat(path)
    except OSError as error:
        raise FindError(f"‘{text}’: {error.strerror}") from error
    return lambda entry: os.path.samestat(entry.status, other)
