"""Host terminals through a page's connection, with real shells."""

from __future__ import annotations

import asyncio
import base64
import os
import resource
import shutil
import signal
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.terminal.emulator import Emulator
from gemini.errors import ProtocolError
from gemini_companion.host.policy import HostPolicy
from gemini_companion.host.processes import members
from gemini_companion.host.secret_variables import HostSecrets
from gemini_companion.host.terminals import HostTerminals
from gemini_companion.secrets import Secrets
from tests.unit.companion.host.wire import Agrees, Wire, patience

MEGABYTE = 1_000_000


class Page:
    """A page's Python, which can only call methods."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.printed = ""

    async def ask(self, method: str, **params: Any) -> Any:
        return await self._wire.client.request(f"host/{method}", params)

    async def refused(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the error of a request."""
        with pytest.raises(ProtocolError) as raised:
            await self.ask(method, **params)
        return raised.value.data["data"]

    async def execute(
        self, command: str, terminal: int = 1, **more: Any
    ) -> tuple[bytes, bytes, dict[str, Any]]:
        """Return both streams and the result."""
        done = asyncio.ensure_future(self.ask("execute", terminal=terminal, command=command, **more))
        streams = {"stdout": b"", "stderr": b""}
        ended = False
        while not ended:
            output = await self.ask("output", terminal=terminal)
            ended = output["ended"]
            for name in streams:
                streams[name] += base64.b64decode(output[name])
        return streams["stdout"], streams["stderr"], await done

    async def until(self, condition: str | Callable[[str], object], terminal: int = 1) -> str:
        """Read the PTY until it has printed a text, or a condition on all its output holds."""
        async with patience():
            while not (condition in self.printed if isinstance(condition, str) else condition(self.printed)):
                output = await self.ask("read", terminal=terminal)
                assert not output["ended"], self.printed
                self.printed += output["data"]
        return self.printed


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep shells from reading the start-up files of the user who runs the tests."""
    monkeypatch.setenv("HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def policy(tmp_path: Path) -> HostPolicy:
    return HostPolicy(allowed=True, directories=(tmp_path,), grace_s=0.5)


@pytest.fixture
async def host(policy: HostPolicy, tmp_path: Path) -> AsyncIterator[HostTerminals]:
    host = HostTerminals(policy, Agrees(), secrets=HostSecrets(Secrets(tmp_path), str))
    yield host
    await host.close()


@pytest.fixture
def page(host: HostTerminals) -> Page:
    return Page(Wire(host.handlers()))


async def test_streams_are_separate_and_the_exit_code_is_returned(page: Page, tmp_path: Path) -> None:
    assert await page.ask("open") == {"terminal": 1, "working_dir": str(tmp_path)}
    out, err, done = await page.execute("echo out; echo err >&2; exit 3")
    assert (out, err) == (b"out\n", b"err\n")
    assert done == {"exit_code": 3, "working_dir": str(tmp_path), "ended": "done"}


async def test_directory_and_exported_variables_persist(page: Page, tmp_path: Path) -> None:
    await page.ask("open")
    _, _, done = await page.execute("mkdir -p 'a b'; cd 'a b'; export SHOWN=$'one\\ntwo'; hidden=1; exit 2")
    assert (done["exit_code"], done["working_dir"]) == (2, str(tmp_path / "a b"))
    out, _, _ = await page.execute('echo "$SHOWN ${hidden-none}"; cd - >/dev/null; basename "$PWD"')
    assert out == f"one\ntwo none\n{tmp_path.name}\n".encode()


async def test_a_command_that_leaves_the_allowed_directories_does_not_move_the_terminal(
    page: Page, tmp_path: Path
) -> None:
    await page.ask("open")
    _, _, done = await page.execute("cd /; export SEEN=1")
    assert done["working_dir"] == str(tmp_path)
    assert (await page.execute("pwd; echo $SEEN"))[0] == f"{tmp_path}\n1\n".encode()


async def test_100_mb_arrive_complete_and_are_not_stored(page: Page) -> None:
    await page.ask("open")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    done = asyncio.ensure_future(
        page.ask("execute", terminal=1, command="head -c 100000000 /dev/zero | tr '\\0' x")
    )
    size, ended = 0, False
    while not ended:
        output = await page.ask("output", terminal=1)
        piece = base64.b64decode(output["stdout"])
        assert piece.count(b"x") == len(piece)
        size, ended = size + len(piece), output["ended"]
    assert (await done)["exit_code"] == 0
    assert size == 100 * MEGABYTE
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000


async def test_unread_output_stops_its_program(page: Page, tmp_path: Path) -> None:
    await page.ask("open")
    count = "i=0; while :; do i=$((i+1)); printf '%01000d' $i; echo $i > made; done"
    running = asyncio.ensure_future(page.ask("execute", terminal=1, command=count))
    made = tmp_path / "made"

    def written() -> int:
        return int((made.read_text().strip() or 0) if made.exists() else 0)

    async with patience():
        before = -1
        while written() != before or before < 1:
            before = written()
            await asyncio.sleep(0.3)
    # A pipe on Linux holds 64 KiB.
    assert 1 <= before <= 80
    output = await page.ask("output", terminal=1)
    assert len(base64.b64decode(output["stdout"])) >= 50_000
    await page.ask("signal", terminal=1, signal="INT")
    while not (await page.ask("output", terminal=1))["ended"]:
        pass
    assert (await running)["ended"] == "interrupted"


@pytest.mark.parametrize(
    "command",
    [
        "echo before; sleep 100; echo after",
        # As if the first interrupt was lost, as it is between fork and exec.
        "trap 'trap - INT' INT; echo before; while :; do sleep 0.1; done",
    ],
)
async def test_a_command_over_its_time_is_interrupted(
    policy: HostPolicy, tmp_path: Path, command: str
) -> None:
    # Nothing is killed meanwhile, however slow the machine is.
    patient = HostTerminals(
        replace(policy, grace_s=60), Agrees(), secrets=HostSecrets(Secrets(tmp_path), str)
    )
    page = Page(Wire(patient.handlers()))
    await page.ask("open")
    out, _, done = await page.execute(command, timeout_s=1)
    assert (out, done["exit_code"], done["ended"]) == (b"before\n", 130, "timed_out")
    await patient.close()


async def test_a_command_over_its_time_is_killed_if_it_ignores_the_interrupt(page: Page) -> None:
    await page.ask("open")
    out, _, done = await page.execute("trap '' INT; echo before; while :; do sleep 0.1; done", timeout_s=1)
    assert (out, done["exit_code"], done["ended"]) == (b"before\n", 137, "timed_out")


async def test_the_shell_of_a_pty_ends_with_its_exit_code(page: Page) -> None:
    await page.ask("open")
    await page.ask("write", terminal=1, data="exit 7\r")
    async with patience():
        output = await page.ask("read", terminal=1)
        while not output["ended"]:
            output = await page.ask("read", terminal=1)
    assert output["exit_code"] == 7


async def test_characters_are_complete_wherever_a_read_ends(page: Page) -> None:
    await page.ask("open")
    await page.ask(
        "write",
        terminal=1,
        data="stty -echo; PS1=; printf 'be''gin'; printf '🐍%.0s' {1..99}; echo 'en''d'\r",
    )
    async with patience():
        text = ""
        while "end\r\n" not in text:
            text += (await page.ask("read", terminal=1, most=7))["data"]
    assert f"begin{'🐍' * 99}end" in text


async def test_ctrl_c_and_signals_reach_the_foreground(page: Page) -> None:
    await page.ask("open", columns=200)
    for number, (send, code) in enumerate([("\x03", 130), ("INT", 130), ("TERM", 143), ("KILL", 137)]):
        await page.ask("write", terminal=1, data=f"bash -c 'echo re''ady{number}; exec sleep 100'\r")
        await page.until(f"ready{number}")
        if send == "\x03":
            await page.ask("write", terminal=1, data=send)
        else:
            await page.ask("signal", terminal=1, signal=send)
        # After an interrupt bash forgets the rest of the line.
        await page.ask("write", terminal=1, data=f"echo co''de{number} $?\r")
        await page.until(f"code{number} {code}")


DRAWER = textwrap.dedent(
    """
    import curses
    def main(screen):
        while True:
            rows, columns = screen.getmaxyx()
            screen.erase()
            screen.border()
            screen.addstr(1, 2, f"{columns}x{rows}")
            screen.refresh()
            screen.getch()
    curses.wrapper(main)
    """
)


@pytest.mark.parametrize("program", ["curses", "vim"])
async def test_a_full_screen_program_draws_right_after_a_resize(
    page: Page, tmp_path: Path, program: str
) -> None:
    if program == "vim" and shutil.which("vim") is None:
        pytest.skip("vim is not installed; the program in curses is")
    (tmp_path / "drawer.py").write_text(DRAWER)
    (tmp_path / "text").write_text("".join(f"line {n}\n" for n in range(1, 100)))
    screen = Emulator(80, 24, scrollback=0)
    command = f"{sys.executable} drawer.py" if program == "curses" else "vim -u NONE -n text"

    def drawn(columns: int, rows: int) -> bool:
        lines = [row.ljust(columns) for row in screen.row_texts()[-rows:]]
        if program == "curses":
            corner = lines[0].startswith("l") or lines[0].startswith("┌")
            return f"{columns}x{rows}" in lines[1] and corner and lines[rows - 1].strip() != ""
        return all(lines[n].startswith(f"line {n + 1} ") for n in range(rows - 1))

    await page.ask("open", columns=80, rows=24)
    await page.ask("write", terminal=1, data=f"{command}\r")
    for columns, rows in ((80, 24), (100, 40), (60, 15)):
        if (columns, rows) != (80, 24):
            screen.resize(columns=columns, lines=rows)
            await page.ask("resize", terminal=1, columns=columns, rows=rows)
        async with patience():
            while not drawn(columns, rows):
                screen.feed((await page.ask("read", terminal=1))["data"])


# The answers of xterm.js to DA, DSR, DECRQM, DECRQSS, and queries of size and colours; mouse reports, if they are on.
ANSWERS = (
    "\x1b[?1;2c",
    "\x1b[>0;276;0c",
    "\x1b[0n",
    "\x1b[12;40R",
    "\x1b[?2004;1$y",
    "\x1b[8;24;80t",
    "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
    "\x1bP1$r0m\x1b\\",
    '\x1bP1$r61;1"p\x1b\\',
    "\x1b[<0;3;4M",
)
WAITS_FOR_ANSWERS = """
import os, termios, tty
tty.setraw(0)
print("asked", end="", flush=True)
got = b""
while not got.endswith(b"."):
    got += os.read(0, 100)
    print(repr(got), end="\\r\\n", flush=True)
"""


async def test_a_shell_gets_no_answers_of_the_terminal_emulator(page: Page) -> None:
    await page.ask("open")
    for command, shown in (("echo at the pr''ompt", "prompt\r\n"), ("echo ready; cat >typed", "ready\r\n")):
        await page.ask("write", terminal=1, data=f"{command}\r")
        await page.until(shown)
        for answer in ANSWERS:
            await page.ask("answer", terminal=1, data=answer)
    await page.ask("write", terminal=1, data="\x04echo typed $(wc -c <typed) by''tes\r")
    assert "typed 0 bytes" in await page.until("bytes\r\n")


async def test_a_program_that_reads_keys_gets_its_answers(page: Page, tmp_path: Path) -> None:
    (tmp_path / "asks.py").write_text(WAITS_FOR_ANSWERS)
    await page.ask("open")
    await page.ask("write", terminal=1, data=f"{sys.executable} asks.py\r")
    await page.until("asked")
    for answer in ANSWERS:
        await page.ask("answer", terminal=1, data=answer)
    await page.ask("write", terminal=1, data=".")
    await page.until(repr("".join((*ANSWERS, ".")).encode()))


@pytest.mark.parametrize(
    "text",
    ["rm -r x\r", "\x1b[0n\r", "x\x1b[0n", "\x1b]11;rgb:0/0/0\rls\r\x1b\\", "\x1bP1$r0m\rls\x1b\\", ""],
)
async def test_text_that_is_no_answer_is_refused(page: Page, text: str) -> None:
    await page.ask("open")
    with pytest.raises(ProtocolError, match="one answer"):
        await page.ask("answer", terminal=1, data=text)


async def test_all_processes_of_a_terminal_end_with_it(
    page: Page, host: HostTerminals, tmp_path: Path
) -> None:
    await page.ask("open")
    # A job of the shell, one that ignores a hang-up, and one that left the session.
    jobs = "sleep 1001 & (trap '' HUP; sleep 1002) & setsid nohup sleep 1003 >/dev/null 2>&1 &"
    await page.ask("write", terminal=1, data=f"{jobs} echo sta''rted\r")
    await page.until("started")
    await page.execute(
        "sleep 1004 >/dev/null 2>&1 & setsid sleep 1005 >/dev/null 2>&1 & sleep 0.2; echo $$ > pid"
    )
    mark = host._open[1]._mark  # pyright: ignore[reportPrivateUsage]
    started = members(mark)
    assert len(started) >= 6
    running = asyncio.ensure_future(page.ask("execute", terminal=1, command="echo on; sleep 1006"))
    assert base64.b64decode((await page.ask("output", terminal=1))["stdout"]) == b"on\n"
    await host.close()
    assert members(mark) == []
    assert not any(Path(f"/proc/{pid}").exists() and _is_zombie(pid) for pid in started)
    with pytest.raises(ProtocolError, match="was closed while it ran"):
        await running


def _is_zombie(pid: int) -> bool:
    """Return whether a child of ours waits to be reaped."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return fields[0] == "Z" and int(fields[1]) == os.getpid()


async def test_the_environment_is_what_the_policy_names(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_API_KEY", "leaked")
    monkeypatch.setenv("LANG", "C.UTF-8")
    await page.ask("open")
    out, _, _ = await page.execute("env")
    assert b"leaked" not in out and b"SECRET_API_KEY" not in out
    assert b"LANG=C.UTF-8\n" in out and b"TERM=xterm-256color\n" in out
    await page.ask("write", terminal=1, data="echo [${SECRET_API_KEY-unset}]\r")
    await page.until("[unset]")


async def test_a_directory_outside_is_refused_even_through_links(page: Page, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    (tmp_path / "sub").mkdir()
    for path in ("/", "..", "link", "link/usr", f"{tmp_path}x"):
        assert (await page.refused("open", working_dir=path))["type"] == "PathOutsideTree", path
    assert (await page.refused("open", working_dir="none"))["type"] == "NotADirectory"
    assert (await page.ask("open", working_dir="sub"))["working_dir"] == str(tmp_path / "sub")


async def test_host_terminals_are_off_by_default(tmp_path: Path) -> None:
    secrets = HostSecrets(Secrets(tmp_path), str)
    page = Page(
        Wire(HostTerminals(HostPolicy(directories=(tmp_path,)), Agrees(), secrets=secrets).handlers())
    )
    error = await page.refused("open")
    assert error["type"] == "CapabilityMissing" and "--allow-host" in error["hint"]


async def test_terminals_and_keys_are_limited(tmp_path: Path) -> None:
    policy = HostPolicy(
        allowed=True, directories=(tmp_path,), max_terminals=2, max_unwritten=50_000, grace_s=0.5
    )
    host = HostTerminals(policy, Agrees(), secrets=HostSecrets(Secrets(tmp_path), str))
    page = Page(Wire(host.handlers()))
    opened = await asyncio.gather(*(page.ask("open") for _ in range(4)), return_exceptions=True)
    assert [isinstance(one, ProtocolError) for one in opened].count(True) == 2
    # Before its prompt, the system drops the excess.
    await page.until(lambda printed: "$ " in printed or "# " in printed)
    # Nobody reads any more, so the echo fills the terminal, which then accepts no more.
    typed = [asyncio.ensure_future(page.ask("write", terminal=1, data="x" * 20_000)) for _ in range(5)]
    done, _ = await asyncio.wait(typed, return_when=asyncio.FIRST_EXCEPTION)
    assert any(isinstance(one.exception(), ProtocolError) for one in done)
    await host.close()
    await asyncio.wait(typed)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("open", {"columns": 0}),
        ("open", {"columns": 10**9}),
        ("open", {"shell": "/bin/evil"}),
        ("read", {"terminal": "1"}),
        ("signal", {"terminal": 1, "signal": "STOP"}),
        ("execute", {"terminal": 1}),
        ("execute", {"terminal": 1, "command": "true", "timeout_s": -1}),
    ],
)
async def test_invalid_parameters_are_reported(page: Page, method: str, params: dict[str, Any]) -> None:
    assert (await page.refused(method, **params))["type"] == "InvalidArguments"


async def test_a_missing_terminal_is_reported(page: Page) -> None:
    assert (await page.refused("read", terminal=5))["type"] == "TerminalMissing"


async def test_a_cancelled_command_ends(page: Page, host: HostTerminals) -> None:
    await page.ask("open")
    running = asyncio.ensure_future(page.ask("execute", terminal=1, command="echo on; exec sleep 1000"))
    assert base64.b64decode((await page.ask("output", terminal=1))["stdout"]) == b"on\n"
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await page.execute("echo next"))[0] == b"next\n"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to see ignored signals")
async def test_programs_receive_signals_that_the_companion_ignores(page: Page) -> None:
    """It ignores them if it was started by `nohup`, or by a script in the background."""
    ignored = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
    before = [signal.signal(number, signal.SIG_IGN) for number in ignored]
    try:
        await page.ask("open")
        output, _, _ = await page.execute("grep SigIgn /proc/self/status")
    finally:
        for number, handler in zip(ignored, before, strict=True):
            signal.signal(number, handler)
    mask = int(output.split()[1], 16)
    assert not any(mask >> (number - 1) & 1 for number in ignored)
