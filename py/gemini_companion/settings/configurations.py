"""Configurations of MCP clients, ready to paste.

Sources: https://code.claude.com/docs/en/mcp, https://modelcontextprotocol.io/docs/develop/connect-local-servers,
https://cursor.com/docs/mcp, https://code.visualstudio.com/docs/copilot/reference/mcp-configuration.
"""

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from gemini_companion.settings.commands import Command

Row = dict[str, Any]
NAME = "control-surface"
DESKTOP = "Claude Desktop"
MASK = "•" * 12
SHARED = "This page, with what you see in it"
ALONE = "A separate page, without a window"
DESKTOP_FILES = {
    "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
    "win32": r"%APPDATA%\Claude\claude_desktop_config.json",
}
CURSOR_FILE = "~/.cursor/mcp.json, or .cursor/mcp.json in a project"
CODE_FILE = ".vscode/mcp.json in a project, or what “MCP: Open User Configuration” opens"
DESKTOP_FILE_ELSEWHERE = "~/.config/Claude/claude_desktop_config.json"


def configurations(
    url: str, token_of: Callable[[str], str], command: Command, passing: Callable[[str], Command]
) -> list[Row]:
    """Return what to paste where, for each client and each way to connect.

    Each is `{client, way, place, text, shown, secret, shared, needs_saved}`: `shown` is `text` with the token masked,
    `secret` says whether the two differ, `shared` whether the client uses the open page, and `needs_saved` whether only
    a saved client can.

    Args:
        url: The address of MCP over HTTP.
        token_of: Returns a client's own token, by the client's name.
        command: Starts a companion with its own page.
        passing: Returns the command that connects a client to this companion, by the client's name.
    """
    by_stdio = _by_stdio(command)
    desktop = DESKTOP_FILES.get(sys.platform, DESKTOP_FILE_ELSEWHERE)
    rows = [
        *_claude_code(url, token_of("Claude Code"), command),
        (
            DESKTOP,
            SHARED,
            f"{desktop}, then restart Claude Desktop",
            _file("mcpServers", _by_stdio(passing(DESKTOP))),
        ),
        (
            DESKTOP,
            ALONE,
            f"{desktop}, then restart Claude Desktop",
            _file("mcpServers", by_stdio),
        ),
        ("Cursor", SHARED, CURSOR_FILE, _file("mcpServers", _by_http(url, token_of("Cursor")))),
        ("Cursor", ALONE, CURSOR_FILE, _file("mcpServers", by_stdio)),
        (
            "VS Code",
            SHARED,
            CODE_FILE,
            _file("servers", {"type": "http", **_by_http(url, token_of("VS Code"))}),
        ),
        ("VS Code", ALONE, CODE_FILE, _file("servers", {"type": "stdio", **by_stdio})),
    ]
    return [_row(*each, token_of(each[0])) for each in rows]


def _claude_code(url: str, token: str, command: Command) -> list[tuple[str, str, str, str]]:
    add = ["claude", "mcp", "add"]
    # `--header` and `--env` take all words that follow, so `--header` comes last, and `--env` before an option.
    shared = [*add, "--transport", "http", NAME, url, "--header", f"Authorization: Bearer {token}"]
    variables = [word for name, value in command.variables.items() for word in ("--env", f"{name}={value}")]
    alone = [*add, *variables, "--transport", "stdio", NAME, "--", command.program, *command.arguments]
    place = "Run it in a terminal"
    return [("Claude Code", SHARED, place, _line(shared)), ("Claude Code", ALONE, place, _line(alone))]


def _by_stdio(command: Command) -> Row:
    row: Row = {"command": command.program, "args": list(command.arguments)}
    return {**row, "env": command.variables} if command.variables else row


def _by_http(url: str, token: str) -> Row:
    return {"url": url, "headers": {"Authorization": f"Bearer {token}"}}


def _row(client: str, way: str, place: str, text: str, token: str) -> Row:
    shown = text.replace(token, MASK)
    return {
        "client": client,
        "way": way,
        "place": place,
        "text": text,
        "shown": shown,
        "secret": shown != text,
        "shared": way == SHARED,
        "needs_saved": way == SHARED and shown == text,
    }


def _file(member: str, server: Row) -> str:
    return json.dumps({member: {NAME: server}}, indent=2, ensure_ascii=False)


def _line(words: list[str]) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
