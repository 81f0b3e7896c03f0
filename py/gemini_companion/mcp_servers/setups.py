"""Configurations of MCP servers, and blocks of them as Claude Desktop, Cursor and VS Code have them.

    {"mcpServers": {NAME: {"command": …, "args": […], "env": {…}}}}       Claude Desktop, Cursor
    {"servers": {NAME: {"type": "http", "url": …, "headers": {…}}}}       VS Code

The values of variables and headers are secrets: a `ServerSetup` has only their names.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
import re
import shlex
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from gemini_companion.mcp_servers.errors import McpServerRefused
from gemini_companion.secrets.placeholders import NAME as SECRET_NAME

Row = dict[str, Any]
Kind = Literal["stdio", "http"]
MAX_SERVERS = 50
LONGEST_NAME, LONGEST_COMMAND, LONGEST_VALUE, MAX_VALUES = 64, 20_000, 8_000, 50
NAME = re.compile(r"[^\x00-\x1f\x7f]+")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# https://www.rfc-editor.org/rfc/rfc9110#section-5.1
HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# The protocol's own, which a configuration could break.
OWN_HEADERS = re.compile(r"(?i)host|content-.*|transfer-encoding|connection|accept|mcp-.*|last-event-id")
SECRET = re.compile(rf"(?:^|(?<=\s))secret:({SECRET_NAME})\Z")
WRONG_SECRET = re.compile(r"^secret:\S+\Z")
# What VS Code and Cursor fill in: ${input:token}, ${workspaceFolder}, ${env:HOME}.
PLACEHOLDER = re.compile(r"\$\{[^}]*\}")
HTTP_TYPES = {"http", "streamable-http", "streamableHttp", "streamable_http"}
KNOWN = {"type", "command", "args", "env", "cwd", "url", "headers", "disabled"}
# The names of the member with the servers, outermost first.
BLOCKS = (("mcpServers",), ("servers",), ("mcp", "servers"))


@dataclass(frozen=True)
class ServerSetup:
    """A server as the user has configured it.

    Attributes:
        name: The name that the user chose.
        kind: `stdio` for a program that the companion starts, `http` for an address.
        command, arguments, directory: The program. Without a directory it starts in the companion's.
        url: The address.
        values: The names of the program's variables, or of the headers, sorted.
        secrets: The user's secrets among their values, as `NAME=secret`.
        oauth: Whether the server's sign-in is used.
    """

    name: str
    kind: Kind
    command: str = ""
    arguments: tuple[str, ...] = ()
    directory: str = ""
    url: str = ""
    values: tuple[str, ...] = ()
    oauth: bool = False
    secrets: tuple[str, ...] = ()

    @property
    def labels(self) -> list[str]:
        """The names of variables or headers for the user, with those of their secrets."""
        secrets = dict(each.split("=") for each in self.secrets)
        return [f"{name} (the secret {secrets[name]})" if name in secrets else name for name in self.values]

    @property
    def place(self) -> str:
        """The whole command line, or the address."""
        return shlex.join([self.command, *self.arguments]) if self.kind == "stdio" else self.url

    @property
    def digest(self) -> str:
        """A digest of all that the user agrees to."""
        parts = [self.name, self.kind, self.command, self.arguments, self.directory, self.url, self.values]
        secrets = [self.secrets] if self.secrets else []
        return hashlib.sha256(json.dumps([*parts, self.oauth, *secrets]).encode()).hexdigest()


@dataclass
class Block:
    """The servers of a block.

    Attributes:
        servers: Each usable server, with the values of its variables or headers.
        refused: The reason why each other server isn't, by name.
        unused: The members that were left out, by server.
    """

    servers: list[tuple[ServerSetup, dict[str, str]]] = field(default_factory=lambda: [])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    unused: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


def read_block(text: str) -> Block:
    """Return the servers of a block of JSON.

    Raises:
        McpServerRefused: It is no such block.
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise McpServerRefused(
            f"this isn't JSON{where}", hint="Paste the whole block, with its braces, without comments."
        ) from None
    entries = _entries(given)
    if entries is None:
        raise McpServerRefused(
            "there are no servers in it", hint="A block has the member mcpServers, or servers as in VS Code."
        )
    block = Block()
    for name, entry in list(entries.items())[:MAX_SERVERS]:
        try:
            block.servers.append(_server(name, entry))
        except McpServerRefused as refused:
            block.refused[name[:LONGEST_NAME]] = refused.message
        else:
            if unused := sorted(set(cast(Row, entry)) - KNOWN):
                block.unused[name] = unused
    for name in list(entries)[MAX_SERVERS:]:
        block.refused[name[:LONGEST_NAME]] = f"there are more than {MAX_SERVERS} servers"
    return block


def _entries(given: Any) -> Row | None:
    for path in BLOCKS:
        found = given
        for member in path:
            found = cast(Row, found).get(member) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return cast(Row, found)
    return None


def _server(name: str, given: Any) -> tuple[ServerSetup, dict[str, str]]:
    if not isinstance(given, dict):
        raise McpServerRefused("its configuration isn't an object")
    entry = cast(Row, given)
    if "envFile" in entry:
        raise McpServerRefused("it reads variables from a file (envFile); write them into env instead")
    kind = entry.get("type", "stdio" if "command" in entry else "http")
    if kind == "sse":
        raise McpServerRefused("it uses the former transport sse; ask its maker for streamable HTTP")
    if kind != "stdio" and kind not in HTTP_TYPES:
        raise McpServerRefused(f"its type {str(kind)[:40]!r} is unknown")
    if placeholder := PLACEHOLDER.search(json.dumps(entry)):
        raise McpServerRefused(
            f"it needs a value for {placeholder[0][:80]}, which only the other program has: write the value itself"
        )
    if kind == "stdio":
        return stdio_setup(name, *(entry.get(key, usual) for key, usual in PROGRAM))
    return http_setup(name, entry.get("url"), entry.get("headers", {}))


PROGRAM: tuple[tuple[str, Any], ...] = (("command", None), ("args", []), ("env", {}), ("cwd", ""))


def stdio_setup(
    name: str, command: Any, arguments: Any, variables: Any, directory: Any = ""
) -> tuple[ServerSetup, dict[str, str]]:
    """Return a program's setup and the values of its variables.

    Raises:
        McpServerRefused: A part of it can't be used.
    """
    _check_name(name)
    if not isinstance(command, str) or not command.strip():
        raise McpServerRefused("it has no command")
    if not isinstance(arguments, list) or not all(
        isinstance(each, str) for each in cast(list[Any], arguments)
    ):
        raise McpServerRefused("its args aren't a list of texts")
    if not isinstance(directory, str):
        raise McpServerRefused("its cwd isn't a text")
    words = [command, *cast(list[str], arguments), directory]
    if any("\0" in each for each in words):
        raise McpServerRefused("its command line has a zero character")
    if sum(map(len, words)) > LONGEST_COMMAND:
        raise McpServerRefused(f"its command line is longer than {LONGEST_COMMAND:,} characters")
    values = _values(variables, VARIABLE, "env")
    setup = ServerSetup(
        name,
        "stdio",
        command,
        tuple(words[1:-1]),
        directory,
        values=tuple(sorted(values)),
        secrets=_secrets(values),
    )
    return setup, values


def http_setup(
    name: str, url: Any, headers: Any, *, oauth: bool | None = None
) -> tuple[ServerSetup, dict[str, str]]:
    """Return an address's setup and the values of its headers.

    Args:
        name: The server's name.
        url: The address.
        headers: The headers by name.
        oauth: Whether to use the server's sign-in; by default if no header authorizes.

    Raises:
        McpServerRefused: A part of it can't be used.
    """
    _check_name(name)
    values = _values(headers, HEADER, "headers")
    for header in values:
        if OWN_HEADERS.fullmatch(header):
            raise McpServerRefused(f"the header {header} belongs to the protocol")
    if oauth is None:
        oauth = not any(header.lower() == "authorization" for header in values)
    names = tuple(sorted(values))
    setup = ServerSetup(name, "http", url=_address(url), values=names, oauth=oauth, secrets=_secrets(values))
    return setup, values


def secret_of(value: str) -> str | None:
    """Return the name of the secret that a value ends with, as in `secret:github` or `Bearer secret:github`."""
    found = SECRET.search(value)
    return found[1] if found else None


def _secrets(values: dict[str, str]) -> tuple[str, ...]:
    found = {variable: secret_of(value) for variable, value in sorted(values.items())}
    return tuple(f"{variable}={name}" for variable, name in found.items() if name is not None)


def _address(url: Any) -> str:
    if not isinstance(url, str) or len(url) > LONGEST_VALUE or not url.isprintable() or " " in url:
        raise McpServerRefused("it has no address (url)")
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        raise McpServerRefused("its address (url) is none") from None
    if parts.scheme not in ("http", "https") or not host:
        raise McpServerRefused("its address doesn't begin with https:// or http://")
    if parts.username is not None or parts.password is not None:
        raise McpServerRefused("its address has a password; use a header")
    if parts.scheme == "http" and not is_own(host):
        raise McpServerRefused(
            "others on the network could read what is sent to it; use an address with https"
        )
    return url


def is_own(host: str) -> bool:
    """Return whether a host is this computer."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > LONGEST_NAME or not name.strip():
        raise McpServerRefused(f"its name isn't one line of 1 to {LONGEST_NAME} characters")


def _values(given: Any, allowed: re.Pattern[str], member: str) -> dict[str, str]:
    if not isinstance(given, dict):
        raise McpServerRefused(f"its {member} isn't an object")
    values = cast(Row, given)
    if len(values) > MAX_VALUES:
        raise McpServerRefused(f"its {member} has more than {MAX_VALUES} members")
    for name, value in values.items():
        if not allowed.fullmatch(name) or len(name) > LONGEST_NAME:
            raise McpServerRefused(f"its {member} has an invalid name")
        # A message must not repeat a value.
        if not isinstance(value, str) or len(value) > LONGEST_VALUE:
            raise McpServerRefused(
                f"the value of {name} isn't a text of at most {LONGEST_VALUE:,} characters"
            )
        if re.search(r"[\x00\r\n]", value):
            raise McpServerRefused(f"the value of {name} has more than one line")
        if WRONG_SECRET.search(value) and secret_of(value) is None:
            raise McpServerRefused(
                f"the value of {name} names no secret: their names have lowercase letters, digits and hyphens"
            )
    return cast("dict[str, str]", values)
