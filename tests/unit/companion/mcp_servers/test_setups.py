"""Blocks of servers as other clients have them, and what is refused with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gemini_companion.mcp_servers.errors import McpServerRefused
from gemini_companion.mcp_servers.setups import http_setup, read_block, stdio_setup

CLAUDE = {
    "mcpServers": {
        "memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]},
        "github": {"command": "gh-mcp", "env": {"GITHUB_TOKEN": "ghp_secretsecret"}},
    }
}
VSCODE = {
    "inputs": [{"type": "promptString", "id": "token", "password": True}],
    "servers": {
        "web": {"type": "http", "url": "https://mcp.example/mcp", "headers": {"X-Key": "k1"}},
        "asks": {"type": "stdio", "command": "x", "env": {"TOKEN": "${input:token}"}},
    },
}


def test_the_block_of_claude_desktop_and_cursor() -> None:
    block = read_block(json.dumps(CLAUDE))
    assert [setup.place for setup, _ in block.servers] == [
        "npx -y @modelcontextprotocol/server-memory",
        "gh-mcp",
    ]
    setup, values = block.servers[1]
    assert setup.values == ("GITHUB_TOKEN",)
    assert values == {"GITHUB_TOKEN": "ghp_secretsecret"}
    assert "ghp_" not in repr(setup)


def test_the_block_of_vs_code_without_what_it_would_ask_for() -> None:
    block = read_block(json.dumps(VSCODE))
    [(setup, values)] = block.servers
    assert (setup.kind, setup.url, setup.oauth, values) == (
        "http",
        "https://mcp.example/mcp",
        True,
        {"X-Key": "k1"},
    )
    assert "${input:token}" in block.refused["asks"]


def test_settings_of_vs_code_have_it_one_level_down() -> None:
    assert len(read_block(json.dumps({"mcp": {"servers": CLAUDE["mcpServers"]}})).servers) == 2


def test_members_that_are_not_used_are_named() -> None:
    entry = {"command": "x", "alwaysAllow": ["write"], "timeout": 5}
    assert read_block(json.dumps({"mcpServers": {"a": entry}})).unused == {"a": ["alwaysAllow", "timeout"]}


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ([], "isn't an object"),
        ({}, "no address"),
        ({"command": ""}, "no command"),
        ({"command": "x", "args": "y"}, "aren't a list"),
        ({"command": "x", "args": [1]}, "aren't a list"),
        ({"command": "x", "env": {"A=B": "1"}}, "invalid name"),
        ({"command": "x", "env": {"A": 1}}, "isn't a text"),
        ({"command": "x", "env": {"A": "1\n2"}}, "more than one line"),
        ({"command": "x\0y"}, "zero character"),
        ({"command": "x", "args": ["y" * 30_000]}, "longer than"),
        ({"command": "x", "envFile": ".env"}, "envFile"),
        ({"command": "x", "args": ["${workspaceFolder}"]}, "workspaceFolder"),
        ({"type": "sse", "url": "https://a.example/sse"}, "sse"),
        ({"type": "carrier-pigeon"}, "unknown"),
        ({"url": "http://mcp.example/mcp"}, "https"),
        ({"url": "https://user:secret@mcp.example/mcp"}, "password"),
        ({"url": "file:///etc/passwd"}, "https://"),
        ({"url": "https://[::1"}, "none"),
        ({"url": "https://a.example", "headers": {"Host": "b"}}, "belongs to the protocol"),
        ({"url": "https://a.example", "headers": {"X": "a\r\nY: b"}}, "more than one line"),
    ],
)  # fmt: skip
def test_what_can_not_be_used_says_why(entry: Any, why: str) -> None:
    block = read_block(json.dumps({"mcpServers": {"a": entry, "good": {"command": "x"}}}))
    assert why in block.refused["a"]
    assert [setup.name for setup, _ in block.servers] == ["good"]


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"mcpServers": 3}', "[" * 100_000])
def test_a_text_that_is_no_block(text: str) -> None:
    with pytest.raises(McpServerRefused):
        read_block(text)


def test_no_reason_repeats_a_value() -> None:
    entry = {"command": "x", "env": {"A": "hunter2" * 2_000}}
    block = read_block(json.dumps({"mcpServers": {"a": entry}}))
    assert "hunter2" not in str(block.refused)


def test_only_this_computer_is_reached_without_https() -> None:
    assert http_setup("a", "http://127.0.0.1:3000/mcp", {})[0].url == "http://127.0.0.1:3000/mcp"
    assert http_setup("a", "http://localhost:3000/mcp", {"Authorization": "Bearer x"})[0].oauth is False


def test_the_digest_is_of_all_that_the_user_agrees_to() -> None:
    digests = {
        stdio_setup("a", "x", ["y"], {})[0].digest,
        stdio_setup("a", "x", ["y", "z"], {})[0].digest,
        stdio_setup("a", "x", ["y"], {"A": "1"})[0].digest,
        stdio_setup("a", "x", ["y"], {}, "/tmp")[0].digest,
        stdio_setup("b", "x", ["y"], {})[0].digest,
    }
    assert len(digests) == 5
    assert stdio_setup("a", "x", [], {"A": "1"})[0].digest == stdio_setup("a", "x", [], {"A": "2"})[0].digest
