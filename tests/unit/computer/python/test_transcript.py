"""The transcript of the Python console."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gemini.computer.python.console import PythonConsole
from gemini.computer.python.saved_entries import LEFT_OUT, MOST_OF_ALL, SAVED_ENTRIES, fitting
from gemini.computer.python.transcript import MAX_ENTRIES, MAX_OUTPUT, Transcript
from gemini.core.events import Batch, EventFeed, EventLog, row_of
from gemini.errors import InvalidArguments, PythonError


class Recorder:
    """A console that records its events and saved inputs."""

    def __init__(self, cwd: Path) -> None:
        self.log = EventLog()
        self.events: list[dict[str, Any]] = []
        self.saved: list[list[str]] = []
        self.log.subscribe(lambda seq, event: self.events.append(row_of(seq, event)))
        self.transcript = Transcript(self.log, self.saved.append)
        self.console = PythonConsole(str(cwd), transcript=self.transcript)

    @property
    def last(self) -> Any:
        return self.transcript.state()["entries"][-1]

    def printed(self) -> str:
        pieces = [event["output"] for event in self.events if event["type"] == "console_printed"]
        return "".join(part["text"] for piece in pieces for part in piece)


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    return Recorder(tmp_path)


async def test_an_entry_has_the_code_the_caller_and_the_result(recorder: Recorder) -> None:
    await recorder.console.run("print('out'); [{'a': 1}]", caller="webmcp")
    started, ended = [event for event in recorder.events if event["type"] == "console_changed"]
    assert started["entry"]["running"] and started["entry"]["display"] is None
    entry = ended["entry"]
    assert entry == recorder.last
    assert (entry["code"], entry["caller"], entry["running"]) == ("print('out'); [{'a': 1}]", "webmcp", False)
    assert entry["output"] == [{"stream": "stdout", "text": "out\n"}]
    assert entry["display"]["kind"] == "table"
    assert entry["error"] is None


async def test_none_is_not_shown(recorder: Recorder) -> None:
    await recorder.console.run("None")
    assert recorder.last["display"] is None


async def test_an_error_is_shown_with_its_file_name(recorder: Recorder) -> None:
    with pytest.raises(PythonError):
        await recorder.console.run("print('before')\n1 / 0")
    error = recorder.last["error"]
    assert error["type"] == "PythonError"
    assert f'File "{recorder.last["source"]}", line 2' in error["data"]["traceback"]
    assert recorder.last["output"][0]["text"] == "before\n"


async def test_stopped_code_has_the_error_cancelled(recorder: Recorder) -> None:
    running = asyncio.create_task(recorder.console.run("import asyncio\nawait asyncio.sleep(60)"))
    while not recorder.events:
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert recorder.last["error"]["type"] == "Cancelled"
    assert not recorder.last["running"]


async def test_output_is_published_while_code_runs(recorder: Recorder) -> None:
    code = "import asyncio, sys\nprint('one'); print('bad', file=sys.stderr)\nawait gate.wait()\nprint('two')"
    gate = recorder.console.namespace["gate"] = asyncio.Event()
    running = asyncio.create_task(recorder.console.run(code))
    while "bad" not in recorder.printed():
        await asyncio.sleep(0.01)
    assert recorder.last["running"]
    assert recorder.last["output"] == [
        {"stream": "stdout", "text": "one\n"},
        {"stream": "stderr", "text": "bad\n"},
    ]
    gate.set()
    await running
    assert recorder.printed() == "one\nbad\ntwo\n"


async def test_output_of_code_that_never_pauses_is_published(recorder: Recorder) -> None:
    batches: list[Batch] = []
    feed = EventFeed(recorder.log, batches.append)
    seen = recorder.console.namespace["seen"] = []
    recorder.console.namespace["note"] = lambda: seen.append(len(batches))
    code = "import time\nfor _ in range(80):\n    print('on')\n    time.sleep(0.01)\nnote()"
    await recorder.console.run(code)
    feed.close()
    assert seen[0] >= 2


async def test_long_output_shows_its_start_and_its_end(recorder: Recorder) -> None:
    await recorder.console.run("for n in range(100_000):\n    print('line', n)")
    assert len(recorder.printed()) <= MAX_OUTPUT
    [shown] = recorder.last["output"]
    assert shown["text"].startswith("line 0\n") and shown["text"].endswith("line 99999\n")
    assert "characters cut" in shown["text"]
    assert len(shown["text"]) < MAX_OUTPUT + 100


async def test_the_full_text_of_a_long_value(recorder: Recorder) -> None:
    await recorder.console.run("'x' * 50_000")
    entry = recorder.last
    assert (len(entry["display"]["text"]), entry["display"]["total"]) == (20_000, 50_000)
    assert recorder.transcript.full_text(entry["id"]) == "x" * 50_000
    await recorder.console.run("1")
    with pytest.raises(InvalidArguments, match="no full text of console entry"):
        recorder.transcript.full_text(recorder.last["id"])


async def test_typed_inputs_are_saved(recorder: Recorder) -> None:
    for code, typed in (("1", True), ("2", False), ("3", True), ("3", True)):
        await recorder.console.run(code, typed=typed)
    assert recorder.transcript.inputs == ["1", "3"]
    assert recorder.saved[-1] == ["1", "3"]
    other = Transcript(EventLog(), recorder.saved.append)
    other.restore(recorder.saved[-1])
    assert other.state() == {"entries": [], "inputs": ["1", "3"]}
    for invalid in (None, {"a": 1}, [1, "2"]):
        other.restore(invalid)
    assert other.inputs == ["2"]


async def test_the_last_entries_are_saved_for_the_next_visit(tmp_path: Path) -> None:
    saved = asyncio.Queue[list[Any]]()
    transcript = Transcript(EventLog(), lambda inputs: None, saved.put_nowait)
    console = PythonConsole(str(tmp_path), transcript=transcript)
    await console.run("print('token=abcdefgh'); 6 * 7")
    with pytest.raises(PythonError):
        await console.run("import surely_missing")
    rows = await saved.get()
    assert "abcdefgh" not in json.dumps(rows)

    other = Transcript(EventLog(), lambda inputs: None, saved.put_nowait)
    other.restore([], rows)
    first, second = other.state()["entries"]
    assert [first["id"], second["id"]] == [-2, -1]
    assert first["earlier"] and first["display"] == {"kind": "text", "text": "42", "total": 2}
    assert second["error"] and second["error"]["type"] == "PythonError"
    again = PythonConsole(str(tmp_path), transcript=other)
    await again.run("1")
    assert [row["id"] for row in await saved.get()] == [-2, -1, 1]
    other.clear()
    assert other.state()["entries"] == [] and await saved.get() == []


@pytest.mark.parametrize("damaged", [None, {}, [1], [{"id": 1}], "text"])
def test_damaged_entries_are_ignored(damaged: Any) -> None:
    transcript = Transcript(EventLog(), lambda inputs: None)
    transcript.restore([], damaged)
    assert transcript.state()["entries"] == []


async def test_only_entries_that_fit_are_saved(recorder: Recorder) -> None:
    await recorder.console.run("'x' * 50_000")
    for number in range(SAVED_ENTRIES + 5):
        await recorder.console.run(f"{number}; 'y' * 10_000")
    rows = fitting(recorder.transcript.state()["entries"])
    assert 1 < len(rows) <= SAVED_ENTRIES and len(json.dumps(rows)) <= MOST_OF_ALL * 1.1
    assert rows[-1]["code"].startswith(f"{SAVED_ENTRIES + 4};")
    [first] = fitting(recorder.transcript.state()["entries"][:1])
    assert first["display"] is None and first["output"] == [{"stream": "stdout", "text": LEFT_OUT}]


async def test_clearing_leaves_running_entries(recorder: Recorder) -> None:
    gate = recorder.console.namespace["gate"] = asyncio.Event()
    await recorder.console.run("1", typed=True)
    running = asyncio.create_task(recorder.console.run("await gate.wait()"))
    while not recorder.last["running"]:
        await asyncio.sleep(0)
    recorder.transcript.clear()
    [entry] = recorder.transcript.state()["entries"]
    assert entry["code"] == "await gate.wait()"
    assert recorder.events[-1] == {
        "seq": recorder.log.seq,
        "type": "console_cleared",
        "remaining": [entry["id"]],
    }
    gate.set()
    await running
    assert recorder.transcript.inputs == ["1"]


async def test_the_number_of_entries_is_limited(recorder: Recorder) -> None:
    for number in range(MAX_ENTRIES + 5):
        await recorder.console.run(str(number))
    assert len(recorder.transcript.state()["entries"]) == MAX_ENTRIES


async def test_the_oldest_entries_are_dropped_when_all_are_too_large(recorder: Recorder) -> None:
    for number in range(5):
        await recorder.console.run(f"'{number}' * 6_000_000")
    codes = [entry["code"][1] for entry in recorder.transcript.state()["entries"]]
    assert codes == ["1", "2", "3", "4"]
    [cleared] = [event for event in recorder.events if event["type"] == "console_cleared"]
    assert len(cleared["remaining"]) == 4


async def test_output_beyond_the_limit_of_code_that_never_pauses_is_published(recorder: Recorder) -> None:
    batches: list[Batch] = []
    feed = EventFeed(recorder.log, batches.append)
    recorder.console.namespace["seen"] = lambda: any(
        "console_printed" in str(batch.events) for batch in batches
    )
    code = (
        f"import time\nprint('x' * {2 * MAX_OUTPUT})\nend = time.time() + 5\n"
        "while not seen() and time.time() < end:\n    print('more')\nseen()"
    )
    assert (await recorder.console.run(code)).result is True
    feed.close()


async def test_what_code_prints_is_sent_before_code_that_never_pauses(recorder: Recorder) -> None:
    batches: list[Batch] = []
    feed = EventFeed(recorder.log, batches.append)
    recorder.console.namespace["sent"] = lambda: len(batches)
    assert (await recorder.console.run("print('begun')\nsent()")).result == 1
    feed.close()


async def test_a_loop_that_displays_values_is_published_in_few_events(recorder: Recorder) -> None:
    await recorder.console.run("for number in range(1000): display(number)")
    shown = [event["output"] for event in recorder.events if event["type"] == "console_printed"]
    assert [part["display"]["text"] for part in recorder.last["output"] if part["stream"] == "value"] == [
        str(number) for number in range(1000)
    ]
    assert len(shown) < 500
