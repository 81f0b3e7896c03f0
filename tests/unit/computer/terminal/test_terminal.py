"""Running commands in a terminal, its shell, and its output."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gemini.computer.terminal import terminal as terminal_module
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.terminal import MapTerminal
from gemini.errors import ShellUnavailable, TerminalClosed, TerminalProblem
from tests.contract.bash import BashBackend
from tests.unit.computer.terminal.conftest import Watcher

LOOP = "while :; do sleep 0.02; done"
UNTIL_FLAG = "until [ -e flag ]; do sleep 0.02; done"


async def test_a_result_has_both_streams_and_the_exit_code(terminal: MapTerminal) -> None:
    result = await terminal.execute("echo out; echo err >&2; exit_with() { return $1; }; exit_with 3")
    assert (result.stdout, result.stderr, result.exit_code, result.success) == ("out\n", "err\n", 3, False)
    assert sorted(result.output.splitlines()) == ["err", "out"]
    assert not (result.truncated or result.timed_out or result.output_file)
    assert (await terminal.execute("true")).success


async def test_the_shell_persists_across_commands(terminal: MapTerminal, project: Path) -> None:
    await terminal.execute("mkdir sub; cd sub; x=5; f() { echo f$x; }")
    assert terminal.working_dir == str(project / "sub")
    assert (await terminal.execute("f; pwd")).stdout == f"f5\n{project}/sub\n"


async def test_commands_run_in_order(terminal: MapTerminal) -> None:
    results = await asyncio.gather(
        *(terminal.execute(f"sleep 0.0{9 - n}; echo {n} | tee -a order") for n in range(9))
    )
    assert [result.stdout for result in results] == [f"{n}\n" for n in range(9)]
    assert (await terminal.execute("cat order")).stdout == "".join(f"{n}\n" for n in range(9))


async def test_terminals_run_concurrently(manager: TerminalManager) -> None:
    first, second = manager.create(), manager.create()
    waiting = asyncio.create_task(first.execute(f"{UNTIL_FLAG}; echo seen"))
    assert (await second.execute("touch flag; echo touched")).stdout == "touched\n"
    assert (await waiting).stdout == "seen\n"


async def test_a_terminal_is_busy_while_commands_run_or_wait(terminal: MapTerminal, watcher: Watcher) -> None:
    assert not terminal.busy
    commands = [asyncio.create_task(terminal.execute(f"echo started {n}; {LOOP}")) for n in range(2)]
    for n in range(2):
        await watcher.until(f"\nstarted {n}\r\n")
        assert terminal.busy
        terminal.interrupt()
    await asyncio.gather(*commands)
    assert not terminal.busy


async def test_an_interrupt_ends_the_running_command_only(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.create_task(terminal.execute(f"x=value; echo ready; {LOOP}; echo never"))
    waiting = asyncio.create_task(terminal.execute("echo $x"))
    await watcher.until("ready\r\n")
    terminal.interrupt()
    ended = await running
    assert (ended.stdout, ended.exit_code) == ("ready\n", 130)
    assert (await waiting).stdout == "value\n"


async def test_an_interrupt_without_a_command_does_nothing(terminal: MapTerminal) -> None:
    terminal.interrupt()
    await terminal.execute("x=1")
    terminal.interrupt()
    assert (await terminal.execute("echo $x")).stdout == "1\n"


async def test_a_command_that_times_out_ends_with_124_and_its_output(terminal: MapTerminal) -> None:
    await terminal.execute("x=1")
    result = await terminal.execute(f"echo before; printf part; {LOOP}; echo after", timeout_s=0.5)
    assert (result.exit_code, result.timed_out, result.stdout) == (124, True, "before\npart")
    assert result.stderr.endswith("\n[timed out after 0.5 s]\n")
    assert result.output.endswith("\n[timed out after 0.5 s]\n")
    assert (await terminal.execute("echo $x")).stdout == "1\n"


async def test_cancelling_a_call_ends_its_command(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.create_task(terminal.execute(f"echo ready; {LOOP}"))
    await watcher.until("ready\r\n")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await terminal.execute("echo on")).stdout == "on\n"


async def test_a_command_cancelled_before_its_turn_never_runs(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    running = asyncio.create_task(terminal.execute(f"echo ready; {LOOP}"))
    await watcher.until("ready\r\n")
    waiting = asyncio.create_task(terminal.execute("touch ran"))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    terminal.interrupt()
    await running
    await terminal.execute("true")
    assert not (project / "ran").exists()


async def test_after_exit_a_terminal_starts_a_new_shell(terminal: MapTerminal) -> None:
    assert (await terminal.execute("x=1; exit 7")).exit_code == 7
    assert (await terminal.execute('echo "${x-new}"')).stdout == "new\n"


async def test_long_output_is_cut_and_saved_in_a_file(terminal: MapTerminal, outputs: Path) -> None:
    result = await terminal.execute("seq 20000", max_output=1_000)
    whole = "".join(f"{n}\n" for n in range(1, 20_001))
    assert result.truncated
    assert result.output.startswith("1\n2\n") and result.output.endswith("\n19999\n20000\n")
    assert "bytes cut" in result.output and len(result.output) < 1_100
    assert result.output_file is not None
    assert Path(result.output_file).parent == outputs
    assert Path(result.output_file).read_text() == whole


async def test_binary_output_is_saved_unchanged(terminal: MapTerminal) -> None:
    result = await terminal.execute(r"printf 'a\377\376z'")
    assert (result.stdout, result.truncated) == (r"a\xff\xfez", False)
    assert Path(str(result.output_file)).read_bytes() == b"a\xff\xfez"


async def test_a_typed_command_creates_no_output_file(
    terminal: MapTerminal, watcher: Watcher, outputs: Path, project: Path
) -> None:
    await terminal.input("seq 30000; touch done\r")
    await watcher.until(lambda: (project / "done").exists() and not terminal.busy)
    assert not outputs.exists()
    assert "29999\r\n30000\r\n" in watcher.text


async def test_closing_ends_the_running_command(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.create_task(terminal.execute(f"echo ready; {LOOP}"))
    waiting = asyncio.create_task(terminal.execute("echo never"))
    await watcher.until("ready\r\n")
    await terminal.close()
    for command in (running, waiting):
        with pytest.raises(TerminalClosed, match="term-1"):
            await command


async def test_closing_while_the_shell_starts_ends_it(terminal: MapTerminal) -> None:
    starting = asyncio.create_task(terminal.execute("echo never"))
    await asyncio.sleep(0)
    await terminal.close()
    with pytest.raises(TerminalClosed):
        await starting


async def test_using_a_closed_terminal_is_an_error(terminal: MapTerminal) -> None:
    await terminal.close()
    with pytest.raises(TerminalClosed) as closed:
        await terminal.execute("true")
    assert "terminal_create" in str(closed.value.hint)
    with pytest.raises(TerminalClosed):
        await terminal.input("a")
    for act in (terminal.interrupt, terminal.clear):
        with pytest.raises(TerminalClosed):
            act()


async def test_a_typed_command_runs(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input("echo hel")
    await terminal.input("lo\r")
    await watcher.until("\nhello\r\n")


@pytest.mark.parametrize("enter", ["\r", "\n", "\r\n"])
async def test_lines_typed_ahead_run_in_order(terminal: MapTerminal, watcher: Watcher, enter: str) -> None:
    await terminal.input(f"sleep 0.1; echo one{enter}echo two{enter}cd /{enter}")
    await watcher.until(lambda: terminal.working_dir == "/" and not terminal.busy)
    assert watcher.text.index("\none\r\n") < watcher.text.index("\ntwo\r\n")
    assert terminal.command_history == ["sleep 0.1; echo one", "echo two", "cd /"]


async def test_an_open_quote_continues_on_the_next_line(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input("echo 'one\rtwo'\r")
    await watcher.until("\none\r\ntwo\r\n")
    assert terminal.command_history == ["echo 'one\ntwo'"]


async def test_control_c_interrupts_the_command(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input(f"echo ready; {LOOP}\r")
    await watcher.until("\nready\r\n")
    await terminal.input("\x03")
    await terminal.input("echo on\r")
    await watcher.until("\non\r\n")


@pytest.mark.parametrize("before", ["", "echo before"])
async def test_control_c_right_after_enter_ends_the_line(
    terminal: MapTerminal, watcher: Watcher, before: str
) -> None:
    if before:
        await terminal.execute(before)
    await terminal.input("sleep 60\r\x03")
    await terminal.input("echo status $?\r")
    await watcher.until("\nstatus 130\r\n")


async def test_the_first_tab_completes_before_the_keys_after_it(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    await terminal.input("ec\tfirst\recho second\r")
    await watcher.until("\nsecond\r\n")
    assert terminal.command_history == ["echo first", "echo second"]


async def test_control_c_ends_the_wait_for_the_first_completion(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    await terminal.input("ec\tdropped\r\x03echo later\r")
    await watcher.until("\nlater\r\n")
    assert terminal.command_history == ["echo later"]


async def test_keys_after_tab_are_saved_where_the_shell_can_not_start(
    backend: BashBackend, terminal: MapTerminal, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> None:
        raise ShellUnavailable("the shell could not be loaded")

    with monkeypatch.context() as patched:
        patched.setattr(backend, "open", unavailable)
        await terminal.input("echo\t it\r")
        await watcher.until("could not be loaded")
    assert terminal.command_history == ["echo it"]


async def test_control_c_at_the_prompt_discards_the_line(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input("echo never\x03echo now\r")
    await watcher.until("\nnow\r\n")
    assert "\nnever\r\n" not in watcher.text


async def test_an_empty_line_shows_a_new_prompt(terminal: MapTerminal, project: Path) -> None:
    await terminal.input("\r   \r")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [line.rstrip() for line in terminal.lines] == [f"{project} $"] * 3
    assert terminal.command_history == []


async def test_the_history_has_typed_and_called_commands(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.execute("echo agent")
    await terminal.input("\x1b[A\r")
    await watcher.until(lambda: watcher.text.count("\nagent\r\n") == 2)
    await terminal.input("echo person\r")
    await watcher.until("\nperson\r\n")
    assert terminal.command_history == ["echo agent", "echo person"]


async def test_the_history_is_limited(terminal: MapTerminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_module, "MAX_HISTORY", 5)
    for number in range(8):
        await terminal.execute(f": {number}")
    assert terminal.command_history == [f": {number}" for number in range(3, 8)]


async def test_output_is_drawn_while_the_command_runs(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.create_task(terminal.execute(f"echo first; echo second >&2; {LOOP}"))
    await watcher.until("second\r\n")
    assert not running.done()
    assert "first" in "\n".join(terminal.lines)
    terminal.interrupt()
    await running


async def test_a_command_is_shown_after_the_prompt_and_before_a_new_one(
    terminal: MapTerminal, project: Path
) -> None:
    await terminal.execute("echo one\necho two")
    await terminal.execute("mkdir d; cd d; printf 'no line end'")
    assert terminal.lines == [
        f"{project} $ echo one",
        "echo two",
        "one",
        "two",
        f"{project} $ mkdir d; cd d; printf 'no line end'",
        "no line end",
        f"{project}/d $",
    ]


async def test_a_partly_typed_line_survives_an_agents_command(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    await terminal.input("echo half")
    await terminal.execute("echo agent")
    assert terminal.lines == [f"{project} $ echo agent", "agent", f"{project} $ echo half"]
    await terminal.input(" way\r")
    await watcher.until("\nhalf way\r\n")


async def test_keys_typed_during_a_command_are_saved_for_the_prompt(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    running = asyncio.create_task(terminal.execute(f"echo ready; {UNTIL_FLAG}"))
    await watcher.until("ready\r\n")
    await terminal.input("echo later\r")
    await terminal.input("touch never")
    assert "later" not in watcher.text
    Path(terminal.working_dir, "flag").touch()
    await running
    await watcher.until("\nlater\r\n")


async def test_a_typed_line_that_waits_for_an_agents_command_shows_no_extra_prompt(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    first = asyncio.create_task(terminal.execute(f"echo ready; {UNTIL_FLAG}"))
    await watcher.until("ready\r\n")
    second = asyncio.create_task(terminal.execute("echo second"))
    await terminal.input("echo typed\r")
    (project / "flag").touch()
    await asyncio.gather(first, second)
    await watcher.until(lambda: "typed" in terminal.lines and not terminal.busy)
    assert terminal.lines[-5:] == [
        f"{project} $ echo typed",
        f"{project} $ echo second",
        "second",
        "typed",
        f"{project} $",
    ]


async def test_a_later_viewer_gets_the_earlier_output(terminal: MapTerminal) -> None:
    await terminal.execute("echo before")
    late = Watcher(terminal)
    assert "before\r\n" in late.drawn
    await terminal.execute("echo after")
    assert late.drawn.count("\nafter\r\n") == 1


async def test_a_viewer_that_left_gets_no_output(terminal: MapTerminal, watcher: Watcher) -> None:
    watcher.leave()
    await terminal.execute("echo unseen")
    assert "unseen" not in watcher.text


async def test_characters_that_arrive_in_pieces_are_joined(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.execute(r"printf '\360\237'; sleep 0.1; printf '\220\215\n'")
    assert "🐍\r\n" in watcher.text
    assert "�" not in watcher.text


async def test_colors_are_drawn_and_not_in_the_lines(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.execute(r"printf '\033[31mred\033[0m\n'")
    assert "\x1b[31mred" in watcher.drawn
    assert "red" in terminal.lines


async def test_clearing_leaves_the_prompt_and_the_typed_text(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    await terminal.execute("seq 100")
    await terminal.input("echo half")
    terminal.clear()
    assert terminal.lines == [f"{project} $ echo half"]
    assert Watcher(terminal).drawn.count("half") == 1
    await terminal.input("\x15\r")
    await watcher.until(lambda: [line.rstrip() for line in terminal.lines] == [f"{project} $"] * 2)


async def test_clearing_during_a_command_shows_later_output(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.create_task(
        terminal.execute("seq 5; echo ready; until [ -e flag ]; do sleep 0.02; done; echo end")
    )
    await watcher.until("\nready\r\n")
    terminal.clear()
    assert terminal.lines == []
    Path(terminal.working_dir, "flag").touch()
    await running
    assert terminal.lines[0] == "end"


async def test_a_narrower_terminal_wraps_earlier(terminal: MapTerminal) -> None:
    terminal.resize(20, 10)
    await terminal.execute("printf '%030d\\n' 1")
    assert "0" * 20 in terminal.lines
    assert "0000000001" in terminal.lines


async def test_the_state_of_a_terminal(terminal: MapTerminal, project: Path) -> None:
    state = terminal.get_state()
    assert {key: state[key] for key in ("id", "working_dir", "focused", "backend", "busy")} == {
        "id": "term-1",
        "working_dir": str(project),
        "focused": True,
        "backend": "bash",
        "busy": False,
    }
    assert all(isinstance(state[key], int) for key in ("x", "y", "width", "height"))
    assert str(project) in state["title"]


async def test_an_interrupt_during_the_start_ends_the_first_command(terminal: MapTerminal) -> None:
    call = asyncio.create_task(terminal.execute("sleep 60"))
    while not terminal.busy:
        await asyncio.sleep(0)
    terminal.interrupt()
    assert (await call).exit_code == 130
    assert (await terminal.execute("echo $?")).stdout == "130\n"


async def test_a_failed_load_of_the_shell_is_reported_and_retried(
    backend: BashBackend, terminal: MapTerminal, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unavailable(*_: object) -> None:
        raise ShellUnavailable("the shell could not be loaded: no network", hint="Try again.")

    with monkeypatch.context() as offline:
        offline.setattr(backend, "open", unavailable)
        await terminal.input("echo typed\r")
        await watcher.until("no network\r\nTry again.\r\n")
        with pytest.raises(ShellUnavailable):
            await terminal.execute("echo called")
    assert (await terminal.execute("echo back")).stdout == "back\n"


async def test_the_first_tab_starts_the_shell_and_completes(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    (project / "alpha.txt").write_text("content")
    await terminal.input("cat al\t")
    await watcher.until("cat alpha.txt ")
    await terminal.input("\r")
    await watcher.until("content")
    assert terminal.command_history == ["cat alpha.txt "]


async def test_tab_inserts_the_common_part_and_then_lists(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    for name in ("alpha", "alpine"):
        (project / name).touch()
    await terminal.execute("true")
    await terminal.input("cat a\t")
    await watcher.until("cat alp")
    await terminal.input("\t\t")
    assert "alpha   alpine" in watcher.text


async def test_a_command_does_not_wait_longer_than_its_time_limit(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    running = asyncio.create_task(terminal.execute(f"echo started; {LOOP}"))
    await watcher.until("\nstarted\r\n")
    with pytest.raises(TerminalProblem, match="still runs 'echo started; while") as raised:
        await terminal.execute("touch late", timeout_s=0.05)
    assert "terminal_interrupt" in str(raised.value.hint)
    assert terminal.busy
    terminal.interrupt()
    await running
    assert not terminal.busy
    assert (await terminal.execute("ls late")).exit_code == 2
