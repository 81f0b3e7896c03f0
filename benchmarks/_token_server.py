"""An MCP server with repositories to search and star: `python _token_server.py FILE` writes the starred ones there."""

import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

server = MCPServer("repos")
STARRED = Path(sys.argv[1]) if len(sys.argv) > 1 else None
WORDS = ("parser", "router", "cache", "editor", "queue")


class Repository(BaseModel):
    """A repository."""

    name: str
    about: str
    stars: int
    language: str


ALL = [
    Repository(
        name=f"team{n % 6}/{WORDS[n % 5]}-{n}",
        about=f"A {WORDS[n % 5]} for {'small' if n % 3 else 'large'} projects, version {n}.",
        stars=n * 37 % 1_000,
        language=("Python", "Rust")[n % 2],
    )
    for n in range(100)
]


@server.tool()
def search_repositories(query: str) -> list[Repository]:
    """Search repositories by a word.

    Args:
        query: The word.
    """
    return [each for each in ALL if query in each.about]


@server.tool()
def star_repository(name: str) -> str:
    """Star a repository."""
    assert STARRED is not None
    with STARRED.open("a") as file:
        file.write(f"{name}\n")
    return f"Starred {name}."


if __name__ == "__main__":
    server.run("stdio")
