"""Configurations of clients: pasted unchanged, they must work."""

from __future__ import annotations

import json
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from gemini_companion.settings import Command, own_command, passing_command
from gemini_companion.settings.configurations import ALONE, MASK, SHARED, configurations
from tests.unit.companion.surface import small_surface

URL, TOKEN = "http://127.0.0.1:8765/mcp", "t0ken-of_this-start"
COMMAND = Command("/opt/a folder/python", ("-m", "it's", "mcp"), {"PYTHONPATH": "/a b"})

PASSING = partial(passing_command, port=8765)


def token_of(client: str) -> str:
    return TOKEN


def row_of(client: str, way: str, command: Command = COMMAND) -> dict[str, Any]:
    [row] = [
        each
        for each in configurations(URL, token_of, command, PASSING)
        if (each["client"], each["way"]) == (client, way)
    ]
    return row


def test_each_client_has_every_way_that_it_supports() -> None:
    rows = [(row["client"], row["way"]) for row in configurations(URL, token_of, COMMAND, PASSING)]
    both = [
        (client, way)
        for client in ("Claude Code", "Claude Desktop", "Cursor", "VS Code")
        for way in (SHARED, ALONE)
    ]
    assert sorted(rows) == sorted(both)


@pytest.mark.parametrize(
    ("client", "member", "type_"), [("Cursor", "mcpServers", {}), ("VS Code", "servers", {"type": "http"})]
)
def test_a_file_for_http_has_the_address_and_the_header(client: str, member: str, type_: Any) -> None:
    assert json.loads(row_of(client, SHARED)["text"]) == {
        member: {"control-surface": {**type_, "url": URL, "headers": {"Authorization": f"Bearer {TOKEN}"}}}
    }


@pytest.mark.parametrize(
    ("client", "member", "type_"),
    [
        ("Claude Desktop", "mcpServers", {}),
        ("Cursor", "mcpServers", {}),
        ("VS Code", "servers", {"type": "stdio"}),
    ],
)
def test_a_file_for_a_page_of_its_own_has_the_command(client: str, member: str, type_: Any) -> None:
    server = {"command": COMMAND.program, "args": [*COMMAND.arguments], "env": COMMAND.variables}
    row = row_of(client, ALONE)
    assert json.loads(row["text"]) == {member: {"control-surface": {**type_, **server}}}
    assert not row["secret"] and row["shown"] == row["text"]


@pytest.mark.skipif(sys.platform == "win32", reason="its command line is quoted otherwise")
def test_the_commands_are_words_of_a_shell() -> None:
    words = shlex.split(row_of("Claude Code", SHARED)["text"])
    assert words[:3] == ["claude", "mcp", "add"]
    assert words[3:] == [
        "--transport", "http", "control-surface", URL, "--header", f"Authorization: Bearer {TOKEN}",
    ]  # fmt: skip
    words = shlex.split(row_of("Claude Code", ALONE)["text"])
    assert words[3:7] == ["--env", "PYTHONPATH=/a b", "--transport", "stdio"]
    assert words[words.index("--") + 1 :] == [COMMAND.program, *COMMAND.arguments]


WINDOWS = Command(r"C:\Program Files\Python\python.exe", ("-m", "it's", r"C:\data"), {})


def test_a_command_of_windows_is_quoted_as_its_programs_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    text = row_of("Claude Code", ALONE, WINDOWS)["text"]
    assert text.endswith(r"""-- "C:\Program Files\Python\python.exe" -m it's C:\data""")
    file = json.loads(row_of("Claude Desktop", ALONE, WINDOWS)["text"])
    server = file["mcpServers"]["control-surface"]
    assert (server["command"], server["args"]) == (WINDOWS.program, [*WINDOWS.arguments])


@pytest.mark.parametrize(
    ("system", "place"),
    [
        ("linux", "~/.config/Claude/claude_desktop_config.json"),
        ("darwin", "~/Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", r"%APPDATA%\Claude\claude_desktop_config.json"),
    ],
)
def test_the_file_of_claude_desktop_is_that_of_the_system(
    system: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert row_of("Claude Desktop", ALONE)["place"].startswith(f"{place},")


def test_the_shown_text_masks_the_token() -> None:
    for row in configurations(URL, token_of, COMMAND, PASSING):
        assert TOKEN not in row["shown"]
        assert row["secret"] == (row["shared"] and not row["needs_saved"]) == (MASK in row["shown"])


def test_a_client_that_only_starts_programs_gets_one_that_passes_on_to_this_page() -> None:
    row = row_of("Claude Desktop", SHARED)
    server = json.loads(row["text"])["mcpServers"]["control-surface"]
    assert server["args"][-4:] == ["connect", "Claude Desktop", "--port", "8765"]
    assert row["needs_saved"] and not row["secret"]


async def test_the_command_starts_a_companion_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = own_command(small_surface(tmp_path / "dist"))
    assert command.arguments[-4:-2] == ("mcp", "--headless")
    monkeypatch.chdir(tmp_path)
    # Without the browser, since this folder has no real surface.
    arguments = [each for each in command.arguments if each != "--headless"]
    server = StdioServerParameters(
        command=command.program, args=[*arguments, "--port", "0"], env=command.variables
    )
    async with Client(stdio_client(server)) as client:
        assert "look" in [tool.name for tool in (await client.list_tools()).tools]
