"""A terminal runs one command at a time, keeps its shell, and shows what happens as it happens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gemini.errors import ShellUnavailable, TerminalClosed
from gemini.terminal import terminal as terminal_module
from gemini.terminal.manager import TerminalManager
from gemini.terminal.terminal import MapTerminal
from tests.contract.bash import BashBackend
from tests.unit.terminal.conftest import Watcher

LOOP = "while :; do sleep 0.02; done"
UNTIL_FLAG = "until [ -e flag ]; do sleep 0.02; done"


async def test_a_result_has_both_streams_and_the_exit_code(terminal: MapTerminal) -> None:
    result = await terminal.execute("echo out; echo err >&2; exit_with() { return $1; }; exit_with 3")
    assert (result.stdout, result.stderr, result.exit_code, result.success) == ("out\n", "err\n", 3, False)
    assert sorted(result.output.splitlines()) == ["err", "out"]
    assert not (result.truncated or result.timed_out or result.output_file)
    assert (await terminal.execute("true")).success


async def test_the_shell_lasts_from_command_to_command(terminal: MapTerminal, project: Path) -> None:
    await terminal.execute("mkdir sub; cd sub; x=5; f() { echo f$x; }")
    assert terminal.working_dir == str(project / "sub")
    assert (await terminal.execute("f; pwd")).stdout == f"f5\n{project}/sub\n"


async def test_commands_run_in_the_order_in_which_they_came(terminal: MapTerminal) -> None:
    results = await asyncio.gather(
        *(terminal.execute(f"sleep 0.0{9 - n}; echo {n} | tee -a order") for n in range(9))
    )
    assert [result.stdout for result in results] == [f"{n}\n" for n in range(9)]
    assert (await terminal.execute("cat order")).stdout == "".join(f"{n}\n" for n in range(9))


async def test_terminals_do_not_wait_for_each_other(manager: TerminalManager) -> None:
    first, second = manager.create(), manager.create()
    waiting = asyncio.create_task(first.execute(f"{UNTIL_FLAG}; echo seen"))
    assert (await second.execute("touch flag; echo made")).stdout == "made\n"
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
    running = asyncio.create_task(terminal.execute(f"x=kept; echo ready; {LOOP}; echo never"))
    waiting = asyncio.create_task(terminal.execute("echo $x"))
    await watcher.until("ready\r\n")
    terminal.interrupt()
    ended = await running
    assert (ended.stdout, ended.exit_code) == ("ready\n", 130)
    assert (await waiting).stdout == "kept\n"


async def test_an_interrupt_where_nothing_runs_does_nothing(terminal: MapTerminal) -> None:
    terminal.interrupt()
    await terminal.execute("x=1")
    terminal.interrupt()
    assert (await terminal.execute("echo $x")).stdout == "1\n"


async def test_a_command_over_its_time_ends_with_124_and_what_it_had_printed(terminal: MapTerminal) -> None:
    await terminal.execute("x=1")
    result = await terminal.execute(f"echo before; printf part; {LOOP}; echo after", timeout_s=0.5)
    assert (result.exit_code, result.timed_out, result.stdout) == (124, True, "before\npart")
    assert result.stderr.endswith("\n[timed out after 0.5 s]\n")
    assert result.output.endswith("\n[timed out after 0.5 s]\n")
    assert (await terminal.execute("echo $x")).stdout == "1\n"


async def test_a_call_that_is_given_up_ends_its_command(terminal: MapTerminal, watcher: Watcher) -> None:
    running = asyncio.create_task(terminal.execute(f"echo ready; {LOOP}"))
    await watcher.until("ready\r\n")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await terminal.execute("echo on")).stdout == "on\n"


async def test_a_command_that_is_given_up_before_its_turn_never_runs(
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


async def test_exit_leaves_a_terminal_with_a_new_shell(terminal: MapTerminal) -> None:
    assert (await terminal.execute("x=1; exit 7")).exit_code == 7
    assert (await terminal.execute('echo "${x-new}"')).stdout == "new\n"


async def test_long_output_is_cut_and_kept_in_a_file(terminal: MapTerminal, outputs: Path) -> None:
    result = await terminal.execute("seq 20000", most_output=1_000)
    whole = "".join(f"{n}\n" for n in range(1, 20_001))
    assert result.truncated
    assert result.output.startswith("1\n2\n") and result.output.endswith("\n19999\n20000\n")
    assert "bytes cut" in result.output and len(result.output) < 1_100
    assert result.output_file is not None
    assert Path(result.output_file).parent == outputs
    assert Path(result.output_file).read_text() == whole


async def test_output_that_is_not_text_is_kept_as_it_is(terminal: MapTerminal) -> None:
    result = await terminal.execute(r"printf 'a\377\376z'")
    assert (result.stdout, result.truncated) == (r"a\xff\xfez", False)
    assert Path(str(result.output_file)).read_bytes() == b"a\xff\xfez"


async def test_what_a_person_runs_leaves_no_file(
    terminal: MapTerminal, watcher: Watcher, outputs: Path, project: Path
) -> None:
    await terminal.input("seq 30000; touch done\r")
    await watcher.until(lambda: (project / "done").exists() and not terminal.busy)
    assert not outputs.exists()
    assert "29999\r\n30000\r\n" in watcher.text


async def test_closing_ends_what_runs(terminal: MapTerminal, watcher: Watcher) -> None:
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


async def test_a_closed_terminal_says_so(terminal: MapTerminal) -> None:
    await terminal.close()
    with pytest.raises(TerminalClosed) as closed:
        await terminal.execute("true")
    assert "terminal_create" in str(closed.value.hint)
    with pytest.raises(TerminalClosed):
        await terminal.input("a")
    for act in (terminal.interrupt, terminal.clear):
        with pytest.raises(TerminalClosed):
            act()


async def test_what_is_typed_runs(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input("echo hel")
    await terminal.input("lo\r")
    await watcher.until("\nhello\r\n")


@pytest.mark.parametrize("enter", ["\r", "\n", "\r\n"])
async def test_lines_typed_ahead_run_in_order(terminal: MapTerminal, watcher: Watcher, enter: str) -> None:
    await terminal.input(f"sleep 0.1; echo one{enter}echo two{enter}cd /{enter}")
    await watcher.until(lambda: terminal.working_dir == "/" and not terminal.busy)
    assert watcher.text.index("\none\r\n") < watcher.text.index("\ntwo\r\n")
    assert terminal.command_history == ["sleep 0.1; echo one", "echo two", "cd /"]


async def test_an_open_quote_goes_on_in_the_next_line(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input("echo 'one\rtwo'\r")
    await watcher.until("\none\r\ntwo\r\n")
    assert terminal.command_history == ["echo 'one\ntwo'"]


async def test_control_c_ends_what_runs(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input(f"echo ready; {LOOP}\r")
    await watcher.until("\nready\r\n")
    await terminal.input("\x03")
    await terminal.input("echo on\r")
    await watcher.until("\non\r\n")


async def test_control_c_at_the_prompt_gives_the_line_up(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.input("echo never\x03echo now\r")
    await watcher.until("\nnow\r\n")
    assert "\nnever\r\n" not in watcher.text


async def test_an_empty_line_is_a_new_prompt(terminal: MapTerminal, project: Path) -> None:
    await terminal.input("\r   \r")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [line.rstrip() for line in terminal.lines] == [f"{project} $"] * 3
    assert terminal.command_history == []


async def test_the_history_has_what_was_typed_and_what_was_run(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    await terminal.execute("echo agent")
    await terminal.input("\x1b[A\r")
    await watcher.until(lambda: watcher.text.count("\nagent\r\n") == 2)
    await terminal.input("echo person\r")
    await watcher.until("\nperson\r\n")
    assert terminal.command_history == ["echo agent", "echo person"]


async def test_the_history_ends_somewhere(terminal: MapTerminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_module, "MOST_REMEMBERED", 5)
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


async def test_a_command_is_shown_behind_the_prompt_and_a_new_prompt_after_it(
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


async def test_what_is_half_typed_survives_an_agent_s_command(
    terminal: MapTerminal, watcher: Watcher, project: Path
) -> None:
    await terminal.input("echo half")
    await terminal.execute("echo agent")
    assert terminal.lines == [f"{project} $ echo agent", "agent", f"{project} $ echo half"]
    await terminal.input(" way\r")
    await watcher.until("\nhalf way\r\n")


async def test_keys_that_come_while_a_command_runs_are_kept_for_the_prompt(
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


async def test_a_typed_line_that_waits_for_an_agent_s_command_leaves_no_stray_prompt(
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


async def test_whoever_comes_later_sees_what_is_there(terminal: MapTerminal) -> None:
    await terminal.execute("echo before")
    late = Watcher(terminal)
    assert "before\r\n" in late.drawn
    await terminal.execute("echo after")
    assert late.drawn.count("\nafter\r\n") == 1


async def test_whoever_has_left_sees_no_more(terminal: MapTerminal, watcher: Watcher) -> None:
    watcher.leave()
    await terminal.execute("echo unseen")
    assert "unseen" not in watcher.text


async def test_characters_that_arrive_in_pieces_are_drawn_whole(
    terminal: MapTerminal, watcher: Watcher
) -> None:
    await terminal.execute(r"printf '\360\237'; sleep 0.1; printf '\220\215\n'")
    assert "🐍\r\n" in watcher.text
    assert "�" not in watcher.text


async def test_colours_are_drawn_and_not_read(terminal: MapTerminal, watcher: Watcher) -> None:
    await terminal.execute(r"printf '\033[31mred\033[0m\n'")
    assert "\x1b[31mred" in watcher.drawn
    assert "red" in terminal.lines


async def test_clearing_leaves_the_prompt_and_what_is_half_typed(
    terminal: MapTerminal, project: Path
) -> None:
    await terminal.execute("seq 100")
    await terminal.input("echo half")
    terminal.clear()
    assert terminal.lines == [f"{project} $ echo half"]
    assert Watcher(terminal).drawn.count("half") == 1
    await terminal.input("\x15\r")
    await asyncio.sleep(0)
    assert [line.rstrip() for line in terminal.lines] == [f"{project} $"] * 2


async def test_clearing_while_a_command_runs_shows_what_comes(
    terminal: MapTerminal, watcher: Watcher
) -> None:
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


async def test_a_state_is_a_row_of_terminal_list(terminal: MapTerminal, project: Path) -> None:
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


async def test_an_interrupt_while_the_shell_starts_ends_the_first_command(terminal: MapTerminal) -> None:
    call = asyncio.create_task(terminal.execute("sleep 60"))
    while not terminal.busy:
        await asyncio.sleep(0)
    terminal.interrupt()
    assert (await call).exit_code == 130
    assert (await terminal.execute("echo $?")).stdout == "130\n"


async def test_a_shell_that_can_not_be_loaded_is_told_of_and_tried_again(
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
