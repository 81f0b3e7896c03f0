"""The processes of a terminal: started in their own session, found again, and ended with it."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

# In the environment of every process that a terminal starts, so that those that left its session are found, too.
MARK = "CONTROL_SURFACE_TERMINAL"
PROC = Path("/proc")
LOOK_AGAIN_S = 0.05
# A process that ignores these signals passes that on to its children, and a shell can't change inherited ones.
HANDED_ON = (
    signal.SIGHUP,
    signal.SIGINT,
    signal.SIGQUIT,
    signal.SIGTERM,
    signal.SIGTSTP,
    signal.SIGTTIN,
    signal.SIGTTOU,
)


@dataclass(frozen=True)
class Reader:
    """The process that has a terminal's foreground.

    Attributes:
        program: The real path of its executable.
        directory: Its working directory.
    """

    pid: int
    program: str
    directory: str


class Program:
    """A process that leads a session.

    Attributes:
        ended: Its exit code, once it has ended; 128 plus the signal's number if a signal ended it.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.pid = process.pid
        self.ended: asyncio.Task[int] = asyncio.get_running_loop().create_task(_exit_code(process))

    def signal(self, number: int) -> None:
        """Send a signal to its process group, if it still runs."""
        if not self.ended.done():
            signal_group(self.pid, number)


async def start(
    words: Sequence[str],
    working_dir: str,
    environment: Mapping[str, str],
    *,
    streams: tuple[int, int, int],
    pass_fds: Sequence[int] = (),
    take_terminal: Callable[[], object] | None = None,
) -> Program:
    """Run a program.

    Args:
        words: Its name and arguments.
        working_dir: Its working directory.
        environment: All of its variables.
        streams: The descriptors of stdin, stdout and stderr.
        pass_fds: More descriptors that it inherits.
        take_terminal: Makes a PTY the controlling terminal of its session; called in the new process.
    """
    stdin, stdout, stderr = streams
    process = await asyncio.create_subprocess_exec(
        *words,
        cwd=working_dir,
        env=environment,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        pass_fds=pass_fds,
        start_new_session=True,
        preexec_fn=partial(_begin, take_terminal),
    )
    return Program(process)


def _begin(take_terminal: Callable[[], object] | None) -> None:
    """Prepare the new process: a companion in the background may ignore signals, which its programs would inherit."""
    for number in HANDED_ON:
        signal.signal(number, signal.SIG_DFL)
    if take_terminal is not None:
        take_terminal()


async def _exit_code(process: asyncio.subprocess.Process) -> int:
    code = await process.wait()
    return code if code >= 0 else 128 - code


def reader(group: int) -> Reader | None:
    """Return the leader of a process group; None without /proc (macOS), or if it may not be inspected."""
    try:
        here = PROC / str(group)
        return Reader(group, os.readlink(here / "exe"), os.readlink(here / "cwd"))
    except OSError:
        return None


def signal_group(group: int, number: int) -> None:
    """Send a signal to a process group, if it still exists."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return
    except PermissionError:
        # macOS reports a group of zombies this way.
        return


async def end_all(mark: str, programs: Sequence[Program], grace_s: float) -> None:
    """Hang up on all processes of a terminal, and kill those that are left after `grace_s` seconds."""
    for number, patience in ((signal.SIGHUP, grace_s), (signal.SIGKILL, grace_s)):
        for program in programs:
            program.signal(number)
        _signal_each(members(mark), number)
        give_up = time.monotonic() + patience
        while members(mark) or not all(program.ended.done() for program in programs):
            if time.monotonic() > give_up:
                break
            if number == signal.SIGKILL:
                _signal_each(members(mark), number)
            await asyncio.sleep(LOOK_AGAIN_S)
        else:
            return


def members(mark: str) -> list[int]:
    """Return the processes with a terminal's mark, of any session; none without /proc (macOS)."""
    needle = f"{MARK}={mark}".encode()
    found: list[int] = []
    for entry in PROC.glob("[0-9]*") if PROC.is_dir() else ():
        try:
            if needle in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            # It has ended meanwhile, or belongs to another user.
            continue
    return found


def _signal_each(processes: Sequence[int], number: int) -> None:
    for pid in processes:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue
