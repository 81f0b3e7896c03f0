"""The names of users and groups."""

from __future__ import annotations

from collections.abc import Mapping


def user_names(env: Mapping[str, str], number: int) -> str:
    """Return the name of a user, or the number if there is no such user."""
    try:
        import pwd
    except ModuleNotFoundError:  # Emscripten has no user database
        return env.get("USER", "user")
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def group_names(env: Mapping[str, str], number: int) -> str:
    """Return the name of a group, or the number if there is no such group."""
    try:
        import grp
    except ModuleNotFoundError:
        return env.get("USER", "user")
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def is_user(env: Mapping[str, str], name: str) -> bool:
    """Return whether there is a user of that name."""
    try:
        import pwd
    except ModuleNotFoundError:
        return name in ("root", env.get("USER", "user"))
    return any(user.pw_name == name for user in pwd.getpwall())


def is_group(env: Mapping[str, str], name: str) -> bool:
    """Return whether there is a group of that name."""
    try:
        import grp
    except ModuleNotFoundError:
        return name in ("root", env.get("USER", "user"))
    return any(group.gr_name == name for group in grp.getgrall())
