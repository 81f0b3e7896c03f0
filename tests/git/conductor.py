"""Runs lines in the embedded shell. Its source runs in the page, so it imports nothing from the tests."""

import asyncio
import os
import shutil
from typing import Any

from gemini.computer.shell.backend import Tty

LIMIT_S = 30
MARK = "---\n"


async def conduct(backend: Any, directory: str, request: dict[str, Any]) -> list[dict[str, Any]]:
    """Run each line in a copy of its state, in its own session."""
    results: list[dict[str, Any]] = []
    for name in dict.fromkeys(state for state, _ in request["lines"]):
        os.makedirs(f"{directory}/states/{name}")
        await run(backend, 1000, f"{directory}/states/{name}", f"{request['setup']}\nstate_{name}")
    for number, (state, line) in enumerate(request["lines"], 1):
        place = f"{directory}/line-{number}"
        shutil.copytree(f"{directory}/states/{state}", place)
        script = f"{request['setup']}\nafter_{state}\n{line}"
        results.append({"directory": place, **await run(backend, number, place, script)})
        shutil.rmtree(place)
    return results


async def no_input(prompt: str, hidden: bool) -> str | None:
    """Answer no question."""
    return None


async def run(backend: Any, number: int, place: str, script: str) -> dict[str, Any]:
    """Run a script as `bash -c` does, and return its output and its exit code."""
    printed = {"stdout": bytearray(), "stderr": bytearray()}

    def write(stream: str, data: bytes) -> None:
        printed[stream].extend(data)

    session = await backend.open(Tty(number, write, no_input), place)
    try:
        async with asyncio.timeout(LIMIT_S * 2):
            done = await session.run(script, LIMIT_S)
            if done.ended == "done":
                done = await session.run("exit $?", LIMIT_S)
    finally:
        await session.close()
    texts = {name: data.decode() for name, data in printed.items()}
    return {**texts, "exit_code": done.exit_code}
