"""Runs one-liners in the embedded shell. Its source runs in the page, so it imports nothing from the tests."""

import asyncio
import os
import shutil
from typing import Any

from gemini.shell.backend import Tty


async def conduct(backend: Any, directory: str, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Run each script in its own session and directory, like `bash -c`."""
    results: list[dict[str, Any]] = []
    for number, script in enumerate(request["scripts"], 1):
        place = f"{directory}/case-{number}"
        _copy_files(place, request)
        results.append({"directory": place, **await _run(backend, number, place, script, request["limit_s"])})
        shutil.rmtree(place, ignore_errors=True)
    return results


def _copy_files(place: str, request: dict[str, Any]) -> None:
    for name, text in request["files"].items():
        path = f"{place}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        os.utime(path, (request["modified"], request["modified"]))


async def _no_input(prompt: str, hidden: bool) -> str | None:
    return None


async def _run(backend: Any, number: int, place: str, script: str, limit_s: float) -> dict[str, Any]:
    printed = bytearray()

    def write(stream: str, data: bytes) -> None:
        if stream == "stdout":
            printed.extend(data)

    session = await backend.open(Tty(1000 + number, write, _no_input), place)
    try:
        async with asyncio.timeout(limit_s * 2):
            done = await session.run(script, limit_s)
            if done.ended == "done":
                # `bash -c` ends with its script and then runs its EXIT trap.
                done = await session.run("exit $?", limit_s)
    finally:
        await session.close()
    return {"stdout": printed.decode("latin-1"), "exit_code": done.exit_code}
