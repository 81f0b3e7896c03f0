"""Run steps on a backend. The tests also send this source to the browser, so it imports none of them."""

import asyncio
from typing import Any

from gemini.computer.shell.backend import Tty

Step = dict[str, Any]
# The time limit of a step whose expected output never appears.
PATIENCE_S = 50


async def perform(backend: Any, directory: str, steps: list[Step | list[Step]]) -> list[dict[str, Any]]:
    """Run steps in order, an inner list's concurrently, in sessions that start in `directory`.

    A step is `{session, script, timeout_s, interrupt_at, renewed}`. The named session is interrupted when it has
    printed `interrupt_at`. With `renewed`, the session is closed first and a new one restores its state.

    Returns:
        For each step its output, with one character for each byte, and how it ended.
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


async def _no_answer(prompt: str, hidden: bool) -> str | None:
    return None


class _Session:
    async def open(self, backend: Any, number: int, directory: str) -> "_Session":
        self._printed = {"stdout": b"", "stderr": b""}
        self._interrupt_at: bytes | None = None
        self._backend = backend
        self._directory = directory
        self._tty = Tty(number, self._write, _no_answer)
        self._session = await backend.open(self._tty, directory)
        return self

    async def run(self, step: Step) -> dict[str, Any]:
        self._printed = {"stdout": b"", "stderr": b""}
        text = step["interrupt_at"]
        self._interrupt_at = None if text is None else text.encode()
        if step["renewed"]:
            await self._session.settled()
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
            # Later, because the shell is still writing now.
            asyncio.get_running_loop().call_soon(self._session.interrupt)
