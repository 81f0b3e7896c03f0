"""Runs scripts in the embedded shell. Its source runs in the page, so it imports nothing from the tests."""

import asyncio
import os
import shutil
from typing import Any

from gemini.computer.shell.backend import Tty

_SERVERS = 2000


async def conduct(backend: Any, directory: str, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Run each script in its own session and directory, like `bash -c`.

    Args:
        backend: The shell.
        directory: An empty directory.
        request: `files` of the directory of each script, or `setup`, a script that makes them; `modified`, their
            time; `before`, the statements before each script; `service`, a script that starts servers; `scripts`;
            `limit_s`, the time of each.
    """
    template = f"{directory}/template"
    os.mkdir(template)
    _write_files(template, request)
    if request["setup"]:
        await _run(backend, _SERVERS - 1, template, request["setup"], request["limit_s"])
    printed = bytearray()
    server = await _open(backend, _SERVERS, template, printed)
    try:
        if request["service"]:
            await server.run(request["service"], request["limit_s"])
        return [
            await _run_case(backend, number, f"{directory}/case-{number}", template, request)
            for number in range(1, len(request["scripts"]) + 1)
        ]
    finally:
        await server.close()
        shutil.rmtree(directory, ignore_errors=True)


async def _run_case(
    backend: Any, number: int, place: str, template: str, request: dict[str, Any]
) -> dict[str, Any]:
    shutil.copytree(template, place, symlinks=True)
    script = request["before"] + request["scripts"][number - 1]
    result = {"directory": place, **await _run(backend, number, place, script, request["limit_s"])}
    shutil.rmtree(place, ignore_errors=True)
    return result


def _write_files(place: str, request: dict[str, Any]) -> None:
    for name, text in request["files"].items():
        path = f"{place}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o644)
        os.utime(path, (request["modified"], request["modified"]))


async def _no_input(prompt: str, hidden: bool) -> str | None:
    return None


async def _open(backend: Any, number: int, place: str, printed: bytearray) -> Any:
    def write(stream: str, data: bytes) -> None:
        if stream == "stdout":
            printed.extend(data)

    return await backend.open(Tty(1000 + number, write, _no_input), place)


async def _run(backend: Any, number: int, place: str, script: str, limit_s: float) -> dict[str, Any]:
    printed = bytearray()
    session = await _open(backend, number, place, printed)
    try:
        async with asyncio.timeout(limit_s * 2):
            done = await session.run(script, limit_s)
            if done.ended == "done":
                # `bash -c` ends with its script and then runs its EXIT trap.
                done = await session.run("exit $?", limit_s)
    finally:
        await session.close()
    return {"stdout": printed.decode("latin-1"), "exit_code": done.exit_code}
