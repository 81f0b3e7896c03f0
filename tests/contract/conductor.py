"""Runs steps on a backend. Its text goes into the browser as well, so it imports nothing of the tests."""

import asyncio
from typing import Any

from gemini.shell.backend import Tty

Step = dict[str, Any]
# Ends a step that waits for an output that doesn't come.
PATIENCE_S = 50


async def perform(backend: Any, directory: str, steps: list[Step | list[Step]]) -> list[dict[str, Any]]:
    """Run steps in order, those of an inner list at the same time, in sessions that start in `directory`.

    A step is `{session, script, timeout_s, interrupt_at, renewed}`: the session with that name is interrupted once it
    has printed `interrupt_at`. With `renewed` it is closed before, and another one takes its place.

    Returns:
        For each step what it printed, with a character for each byte, and how it ended.
    """
    sessions: dict[str, _Session] = {}
    for step in _flat(steps):
        if step["session"] not in sessions:
            sessions[step["session"]] = await _Session().open(backend, len(sessions) + 1, directory)
    results: list[dict[str, Any]] = []
    try:
        for step in steps:
            together = step if isinstance(step, list) else [step]
            results += await asyncio.gather(*(sessions[one["session"]].run(one) for one in together))
    finally:
        for session in sessions.values():
            await session.close()
    return results


def _flat(steps: list[Step | list[Step]]) -> list[Step]:
    return [one for step in steps for one in (step if isinstance(step, list) else [step])]


async def _nobody(prompt: str, hidden: bool) -> str | None:
    return None


class _Session:
    async def open(self, backend: Any, number: int, directory: str) -> "_Session":
        self._printed = {"stdout": b"", "stderr": b""}
        self._interrupt_at: bytes | None = None
        self._backend = backend
        self._directory = directory
        self._tty = Tty(number, self._write, _nobody)
        self._session = await backend.open(self._tty, directory)
        return self

    async def run(self, step: Step) -> dict[str, Any]:
        self._printed = {"stdout": b"", "stderr": b""}
        text = step["interrupt_at"]
        self._interrupt_at = None if text is None else text.encode()
        if step["renewed"]:
            state = self._session.state()
            await self._session.close()
            self._session = await self._backend.open(self._tty, self._directory, state)
        async with asyncio.timeout(PATIENCE_S):
            done = await self._session.run(step["script"], step["timeout_s"])
        self._directory = done.working_dir
        printed = {stream: data.decode("latin-1") for stream, data in self._printed.items()}
        return {
            **printed,
            "exit_code": done.exit_code,
            "working_dir": done.working_dir,
            "ended": done.ended,
        }

    async def close(self) -> None:
        await self._session.close()

    def _write(self, stream: str, data: bytes) -> None:
        self._printed[stream] += data
        if self._interrupt_at is not None and self._interrupt_at in self._printed["stdout"]:
            self._interrupt_at = None
            # Later, since a shell that is writing isn't waiting.
            asyncio.get_running_loop().call_soon(self._session.interrupt)
