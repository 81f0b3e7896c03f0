"""What those who watch see of the Python console."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gemini.core.events import Batch, EventFeed, EventLog, row_of
from gemini.errors import InvalidArguments, PythonError
from gemini.python.console import PythonConsole
from gemini.python.transcript import MAX_ENTRIES, MAX_OUTPUT, Transcript


class Watched:
    """A console, and what was told of it."""

    def __init__(self, cwd: Path) -> None:
        self.log = EventLog()
        self.told: list[dict[str, Any]] = []
        self.kept: list[list[str]] = []
        self.log.subscribe(lambda seq, event: self.told.append(row_of(seq, event)))
        self.transcript = Transcript(self.log, self.kept.append)
        self.console = PythonConsole(str(cwd), transcript=self.transcript)

    @property
    def last(self) -> dict[str, Any]:
        return self.transcript.state()["entries"][-1]

    def printed(self) -> str:
        pieces = [event["output"] for event in self.told if event["type"] == "console_printed"]
        return "".join(part["text"] for piece in pieces for part in piece)


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


async def test_an_entry_tells_who_ran_what_and_what_came_of_it(watched: Watched) -> None:
    await watched.console.run("print('out'); [{'a': 1}]", caller="webmcp")
    began, ended = [event for event in watched.told if event["type"] == "console_changed"]
    assert began["entry"]["running"] and began["entry"]["display"] is None
    entry = ended["entry"]
    assert entry == watched.last
    assert (entry["code"], entry["caller"], entry["running"]) == ("print('out'); [{'a': 1}]", "webmcp", False)
    assert entry["output"] == [{"stream": "stdout", "text": "out\n"}]
    assert entry["display"]["kind"] == "table"
    assert entry["error"] is None


async def test_a_value_of_none_is_not_shown(watched: Watched) -> None:
    await watched.console.run("None")
    assert watched.last["display"] is None


async def test_an_error_is_shown_with_its_source(watched: Watched) -> None:
    with pytest.raises(PythonError):
        await watched.console.run("print('before')\n1 / 0")
    error = watched.last["error"]
    assert error["type"] == "PythonError"
    assert f'File "{watched.last["source"]}", line 2' in error["data"]["traceback"]
    assert watched.last["output"][0]["text"] == "before\n"


async def test_what_is_stopped_says_so(watched: Watched) -> None:
    running = asyncio.create_task(watched.console.run("import asyncio\nawait asyncio.sleep(60)"))
    while not watched.told:
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert watched.last["error"]["type"] == "Cancelled"
    assert not watched.last["running"]


async def test_output_is_told_while_code_runs(watched: Watched) -> None:
    code = "import asyncio, sys\nprint('one'); print('bad', file=sys.stderr)\nawait gate.wait()\nprint('two')"
    gate = watched.console.namespace["gate"] = asyncio.Event()
    running = asyncio.create_task(watched.console.run(code))
    while "bad" not in watched.printed():
        await asyncio.sleep(0.01)
    assert watched.last["running"]
    assert watched.last["output"] == [
        {"stream": "stdout", "text": "one\n"},
        {"stream": "stderr", "text": "bad\n"},
    ]
    gate.set()
    await running
    assert watched.printed() == "one\nbad\ntwo\n"


async def test_code_that_never_pauses_is_watched_too(watched: Watched) -> None:
    batches: list[Batch] = []
    feed = EventFeed(watched.log, batches.append)
    seen = watched.console.namespace["seen"] = []
    watched.console.namespace["look"] = lambda: seen.append(len(batches))
    code = "import time\nfor _ in range(80):\n    print('on')\n    time.sleep(0.01)\nlook()"
    await watched.console.run(code)
    feed.close()
    assert seen[0] >= 2


async def test_much_output_shows_its_beginning_then_its_end(watched: Watched) -> None:
    await watched.console.run("for n in range(100_000):\n    print('line', n)")
    assert len(watched.printed()) <= MAX_OUTPUT
    [shown] = watched.last["output"]
    assert shown["text"].startswith("line 0\n") and shown["text"].endswith("line 99999\n")
    assert "characters cut" in shown["text"]
    assert len(shown["text"]) < MAX_OUTPUT + 100


async def test_a_long_value_can_be_had_whole(watched: Watched) -> None:
    await watched.console.run("'x' * 50_000")
    entry = watched.last
    assert (len(entry["display"]["text"]), entry["display"]["total"]) == (20_000, 50_000)
    assert watched.transcript.full_text(entry["id"]) == "x" * 50_000
    await watched.console.run("1")
    with pytest.raises(InvalidArguments, match="no full text of console entry"):
        watched.transcript.full_text(watched.last["id"])


async def test_what_was_typed_is_kept(watched: Watched) -> None:
    for code, typed in (("1", True), ("2", False), ("3", True), ("3", True)):
        await watched.console.run(code, typed=typed)
    assert watched.transcript.inputs == ["1", "3"]
    assert watched.kept[-1] == ["1", "3"]
    other = Transcript(EventLog(), watched.kept.append)
    other.restore(watched.kept[-1])
    assert other.state() == {"entries": [], "inputs": ["1", "3"]}
    for strange in (None, {"a": 1}, [1, "2"]):
        other.restore(strange)
    assert other.inputs == ["2"]


async def test_clearing_leaves_what_runs(watched: Watched) -> None:
    gate = watched.console.namespace["gate"] = asyncio.Event()
    await watched.console.run("1", typed=True)
    running = asyncio.create_task(watched.console.run("await gate.wait()"))
    while not watched.last["running"]:
        await asyncio.sleep(0)
    watched.transcript.clear()
    [entry] = watched.transcript.state()["entries"]
    assert entry["code"] == "await gate.wait()"
    assert watched.told[-1] == {
        "seq": watched.log.seq,
        "type": "console_cleared",
        "kept": [entry["id"]],
    }
    gate.set()
    await running
    assert watched.transcript.inputs == ["1"]


async def test_only_the_last_entries_are_kept(watched: Watched) -> None:
    for number in range(MAX_ENTRIES + 5):
        await watched.console.run(str(number))
    assert len(watched.transcript.state()["entries"]) == MAX_ENTRIES


async def test_what_takes_much_room_is_forgotten_first(watched: Watched) -> None:
    for number in range(5):
        await watched.console.run(f"'{number}' * 6_000_000")
    codes = [entry["code"][1] for entry in watched.transcript.state()["entries"]]
    assert codes == ["1", "2", "3", "4"]
    [forgotten] = [event for event in watched.told if event["type"] == "console_cleared"]
    assert len(forgotten["kept"]) == 4


async def test_code_that_prints_more_than_is_shown_and_never_pauses_is_watched(watched: Watched) -> None:
    batches: list[Batch] = []
    feed = EventFeed(watched.log, batches.append)
    watched.console.namespace["seen"] = lambda: any(
        "console_printed" in str(batch.events) for batch in batches
    )
    code = (
        f"import time\nprint('x' * {2 * MAX_OUTPUT})\nend = time.time() + 5\n"
        "while not seen() and time.time() < end:\n    print('more')\nseen()"
    )
    assert (await watched.console.run(code)).result is True
    feed.close()
