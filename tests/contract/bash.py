"""The system's bash as a `Backend`, so that tests on CPython run terminals with a real shell."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from gemini.computer.shell.backend import Finished, Tty
from gemini.computer.shell.output import Stream
from gemini_userland.completion import Shell, complete

ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "dumb", "PS1": "", "PS2": ""}
# Only an interactive bash survives an interrupt with its state. Without a terminal, it complains on stderr when it
# starts and when a signal ends a pipeline.
COMMAND = ["bash", "--noprofile", "--norc", "--noediting", "+H", "-i"]
# Without the variables of this module, which count the commands of one process.
PRINT_STATE = (
    r"{ declare -p | grep -Ev '^declare -\S+ (number|last|script)='; declare -f; alias -p; trap -p; shopt -p; set +o; "
    """printf 'set --'; [ $# = 0 ] || printf ' %q' "$@"; }"""
)
CHUNK = 65_536
REPEAT_S = 0.2
STREAMS: tuple[Stream, Stream] = ("stdout", "stderr")


class BashBackend:
    """A backend that runs the installed bash."""

    name = "bash"
    raw = outside = False
    lacks: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.sessions: list[BashSession] = []

    def require(self) -> None: ...

    def is_complete(self, command: str) -> bool:
        checked = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
        return "unexpected E" not in checked.stderr and "unexpected end of file" not in checked.stderr

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> BashSession:
        session = BashSession(tty, working_dir)
        self.sessions.append(session)
        await session.start()
        if state is not None:
            await session.restore(state)
        return session

    async def close(self) -> None:
        """Close every open session."""
        for session in self.sessions:
            await session.close()


class BashSession:
    """A bash that reports the end of a command on a separate pipe, so that no output can be mistaken for it."""

    def __init__(self, tty: Tty, working_dir: str) -> None:
        self._working_dir = working_dir
        self._write = tty.write
        self._scratch = tempfile.TemporaryDirectory(prefix="bash-session-")
        self._script = Path(self._scratch.name) / "script"
        self._state = Path(self._scratch.name) / "state"
        self._process: subprocess.Popen[bytes] | None = None
        self._status = self._status_in_bash = -1
        self._status_data = b""
        self._commands = 0
        self._ending = ""
        self._interrupted = False
        self._ended: asyncio.Future[Finished] | None = None

    async def run(
        self, command: str, timeout_s: float | None, *, attended: bool = False, watched: bool = False
    ) -> Finished:
        if self._process is None:
            await self.start()
        self._script.write_text(command)
        finished = self._run_line(f'script=$(<{self._script}); (exit $code); eval "$script" </dev/null')
        try:
            async with asyncio.timeout(timeout_s):
                done = await asyncio.shield(finished)
        except TimeoutError:
            self.interrupt()
            done = await finished
            done = Finished(done.exit_code, done.working_dir, "timed_out")
        except asyncio.CancelledError:
            self.interrupt()
            await finished
            raise
        self._working_dir = done.working_dir
        return done

    def complete(self, before: str) -> list[str]:
        return complete(before, Shell(self._working_dir, ["cd", "echo"], dict(ENVIRONMENT)))

    def state(self) -> str:
        return self._state.read_text() if self._process is not None else ""

    async def settled(self) -> None: ...

    async def restore(self, state: str) -> None:
        self._script.write_text(state)
        await self._run_line(f"source {self._script} 2>/dev/null; (exit $code)")

    def interrupt(self) -> None:
        if self._process is not None and self._ended is not None:
            self._interrupted = True
            os.killpg(self._process.pid, signal.SIGINT)
            # A child between fork and exec loses the signal.
            asyncio.get_running_loop().call_later(REPEAT_S, self._interrupt_again, self._ended)

    def _interrupt_again(self, ended: asyncio.Future[Finished]) -> None:
        if ended is self._ended:
            self.interrupt()
            # A signal makes bash drop the line that it is reading.
            self._type(self._ending)

    async def close(self) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._stopped()
        self._scratch.cleanup()

    async def start(self) -> None:
        """Start bash and discard its complaint that it has no terminal."""
        self._status, status = os.pipe()
        self._process = subprocess.Popen(
            COMMAND,
            cwd=self._working_dir,
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[status],
            start_new_session=True,
            # In the background SIGINT is ignored, and a bash that starts so ignores it forever.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads yet
        )
        os.close(status)
        self._status_in_bash = status
        os.set_blocking(self._status, False)
        write, self._write = self._write, _ignore
        for stream in STREAMS:
            os.set_blocking(self._number(stream), False)
        asyncio.get_running_loop().add_reader(self._status, self._read_status)
        await self._run_line("true")
        self._write = write
        for stream in STREAMS:
            asyncio.get_running_loop().add_reader(self._number(stream), self._read, stream)

    def _run_line(self, line: str) -> asyncio.Future[Finished]:
        self._interrupted = False
        self._ended = asyncio.get_running_loop().create_future()
        self._commands += 1
        save = f"{PRINT_STATE} >{self._state} 2>/dev/null"
        report = f'printf "%s\\0%s\\0" $code "$PWD" >&{self._status_in_bash}; number={self._commands}'
        self._ending = f'last=$?; [ "$number" = {self._commands} ] || {{ code=$last; {save}; {report}; }}'
        self._type(f"{line}\n{self._ending}")
        return self._ended

    def _type(self, lines: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.stdin.write(f"{lines}\n".encode())
        self._process.stdin.flush()

    def _number(self, stream: Stream) -> int:
        assert self._process is not None
        pipe = self._process.stdout if stream == "stdout" else self._process.stderr
        assert pipe is not None
        return pipe.fileno()

    def _read(self, stream: Stream) -> bool:
        """Pass output on; return whether there was any."""
        try:
            data = os.read(self._number(stream), CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._write(stream, data)
        return bool(data)

    def _read_status(self) -> None:
        data = os.read(self._status, CHUNK)
        self._status_data += data
        if data and self._status_data.count(b"\0") < 2:
            return
        # All earlier output is already in the pipes.
        for stream in STREAMS:
            while self._read(stream):
                pass
        ended, self._ended = self._ended, None
        if data:
            code, directory, _ = self._status_data.split(b"\0")
            how = "interrupted" if self._interrupted else "done"
            finished = Finished(int(code), os.fsdecode(directory), how)
        else:
            finished = Finished(self._stopped(), self._working_dir, "exited")
        self._status_data = b""
        if ended is not None and not ended.done():
            ended.set_result(finished)

    def _stopped(self) -> int:
        """Release a bash that has ended or is about to; return its exit code."""
        assert self._process is not None
        process, self._process = self._process, None
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._status)
        os.close(self._status)
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            loop.remove_reader(pipe)
            pipe.close()
        exit_code = process.wait()
        ended, self._ended = self._ended, None
        if ended is not None and not ended.done():
            ended.set_result(Finished(exit_code, self._working_dir, "interrupted"))
        return exit_code


def _ignore(stream: Stream, data: bytes) -> None: ...
