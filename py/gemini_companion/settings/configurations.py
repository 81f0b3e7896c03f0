"""Configurations of MCP clients, ready to be pasted.

Sources: https://code.claude.com/docs/en/mcp, https://modelcontextprotocol.io/docs/develop/connect-local-servers,
https://cursor.com/docs/mcp, https://code.visualstudio.com/docs/copilot/reference/mcp-configuration.
"""

import json
import shlex
import subprocess
import sys
from typing import Any

from gemini_companion.settings.commands import Command

Row = dict[str, Any]
NAME = "control-surface"
MASK = "•" * 12
SHARED = "This page, with what you see in it"
ALONE = "A page of its own, without a window"
DESKTOP_FILES = {
    "darwin": "~/Library/Application Support/Claude/claude_desktop_config.json",
    "win32": r"%APPDATA%\Claude\claude_desktop_config.json",
}
DESKTOP_FILE_ELSEWHERE = "~/.config/Claude/claude_desktop_config.json"


def configurations(url: str, token: str, command: Command) -> list[Row]:
    """What to paste where, for each client and each way to connect.

    Each is `{client, way, place, text, shown, secret}`: `shown` is `text` with the token masked, and `secret` tells
    whether the two differ.

    Args:
        url: Of MCP by HTTP.
        token: Of this start.
        command: What starts a companion with a page of its own.
    """
    header = f"Bearer {token}"
    by_http: Row = {"url": url, "headers": {"Authorization": header}}
    by_stdio: Row = {"command": command.program, "args": list(command.arguments)}
    if command.variables:
        by_stdio["env"] = command.variables
    add = ["claude", "mcp", "add"]
    # `--header` and `--env` take all words that follow, so the one stands last, and the other before an option.
    shared = [*add, "--transport", "http", NAME, url, "--header", f"Authorization: {header}"]
    variables = [word for name, value in command.variables.items() for word in ("--env", f"{name}={value}")]
    alone = [*add, *variables, "--transport", "stdio", NAME, "--", command.program, *command.arguments]
    desktop = DESKTOP_FILES.get(sys.platform, DESKTOP_FILE_ELSEWHERE)
    cursor = "~/.cursor/mcp.json, or .cursor/mcp.json in a project"
    code = ".vscode/mcp.json in a project, or what “MCP: Open User Configuration” opens"
    told = [
        ("Claude Code", SHARED, "Run it in a terminal", _line(shared)),
        ("Claude Code", ALONE, "Run it in a terminal", _line(alone)),
        (
            "Claude Desktop",
            ALONE,
            f"{desktop}, then start Claude Desktop anew",
            _file("mcpServers", by_stdio),
        ),
        ("Cursor", SHARED, cursor, _file("mcpServers", by_http)),
        ("Cursor", ALONE, cursor, _file("mcpServers", by_stdio)),
        ("VS Code", SHARED, code, _file("servers", {"type": "http", **by_http})),
        ("VS Code", ALONE, code, _file("servers", {"type": "stdio", **by_stdio})),
    ]
    return [_row(*each, token) for each in told]


def _row(client: str, way: str, place: str, text: str, token: str) -> Row:
    shown = text.replace(token, MASK)
    return {
        "client": client,
        "way": way,
        "place": place,
        "text": text,
        "shown": shown,
        "secret": shown != text,
    }


def _file(member: str, server: Row) -> str:
    return json.dumps({member: {NAME: server}}, indent=2, ensure_ascii=False)


def _line(words: list[str]) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
