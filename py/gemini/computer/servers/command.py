"""The command `serve`, which runs `gemini.computer.servers.main` as a Python program of the shell."""

from __future__ import annotations

from dataclasses import replace

from gemini.computer.python.command import run_python
from gemini_userland.invocation import Invocation


async def serve(invocation: Invocation) -> int:
    """Serve a WSGI or ASGI application at a port of the page."""
    program = ["python", "-m", "gemini.computer.servers.main", *invocation.argv[1:]]
    return await run_python(replace(invocation, argv=program))
